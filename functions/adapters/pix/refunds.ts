import { Unavailable } from '../../domain/errors.ts';
import { decimalOf } from '../../domain/money.ts';
import type { PixRefund } from '../../domain/pix.ts';
import { foundIn, isDone, orUnavailable, type PixSession, segment, unexpected } from './session.ts';
import { PROVIDER, parseRefund } from './wire.ts';

type Wanted = { endToEndId: string; id: string; amountCentavos: number };

/**
 * Reads before it writes: this may be the tenth visit to the same refund, and providers disagree on whether a
 * repeated id is the same refund or an error. After a doubtful write it reads again.
 */
export async function refund(session: PixSession, wanted: Wanted): Promise<PixRefund> {
  const known = await readRefund(session, wanted);
  if (known) return known;
  const body = { valor: decimalOf(wanted.amountCentavos, 2) };
  const written = await orUnavailable(session.call({ method: 'PUT', path: pathOf(wanted), body }));
  if (!(written instanceof Unavailable) && isDone(written)) return asWanted(written.body, wanted);

  const found = await readRefund(session, wanted);
  if (found) return found;
  throw written instanceof Unavailable ? written : unexpected(written, session, 'a refund');
}

const pathOf = ({ endToEndId, id }: Wanted) => `/pix/${segment(endToEndId)}/devolucao/${segment(id)}`;

async function readRefund(session: PixSession, wanted: Wanted): Promise<PixRefund | undefined> {
  const answer = await session.call({ method: 'GET', path: pathOf(wanted) });
  const body = foundIn(answer, session, 'to read a refund');
  return body === undefined ? undefined : asWanted(body, wanted);
}

function asWanted(body: unknown, wanted: Wanted): PixRefund {
  const { status, amountCentavos } = parseRefund(body);
  if (amountCentavos === wanted.amountCentavos) return { status };
  throw new Error(`the refund ${wanted.id} at ${PROVIDER} has another valor`);
}
