import { Unavailable } from '../../domain/errors.ts';
import { decimalOf } from '../../domain/money.ts';
import type { PixRefund } from '../../domain/purchase/pix.ts';
import type { WantedRefund } from '../../domain/purchase/pix-ports.ts';
import { findReceived } from './payments.ts';
import {
  foundIn,
  isDone,
  orUnavailable,
  type PixAnswer,
  type PixSession,
  segment,
  unexpected,
} from './session.ts';
import { PROVIDER, parseRefund } from './wire.ts';

/**
 * Reads before it writes: this may be the tenth visit to the same refund, and providers disagree on whether a
 * repeated id is the same refund or an error. After a doubtful or refused write it reads again.
 */
export async function refund(session: PixSession, wanted: WantedRefund): Promise<PixRefund> {
  const known = await findRefund(session, wanted);
  if (known) return known;
  const body = { valor: decimalOf(wanted.amountCentavos, 2) };
  const written = await orUnavailable(session.call({ method: 'PUT', path: pathOf(wanted), body }));
  if (!(written instanceof Unavailable) && isDone(written)) return asWanted(written.body, wanted);

  const found = await findRefund(session, wanted);
  if (found) return found;
  if (written instanceof Unavailable) throw written;
  const refused = unexpected(written, session, 'a refund');
  if (!isForGood(written)) throw refused;
  return (await shownWithPix(session, wanted)) ?? { status: 'FAILED', refusal: refused.message };
}

/** Ours to put right (credentials, scopes), or such as pass by themselves, or "there is one already": see `jsonClient` too. */
const MAY_PASS = [401, 403, 408, 409, 425, 429];

const isForGood = ({ status }: PixAnswer) => status >= 400 && status < 500 && !MAY_PASS.includes(status);

/** A repeated id is refused like a wrong one, so what was refused is looked for in both places before it counts. */
async function shownWithPix(session: PixSession, wanted: WantedRefund): Promise<PixRefund | undefined> {
  const pix = await findReceived(session, wanted.endToEndId);
  const shown = pix?.returns?.find(({ id }) => id === wanted.id);
  return shown && sameAs(wanted, shown);
}

const pathOf = ({ endToEndId, id }: WantedRefund) => `/pix/${segment(endToEndId)}/devolucao/${segment(id)}`;

export async function findRefund(session: PixSession, wanted: WantedRefund): Promise<PixRefund | undefined> {
  const answer = await session.call({ method: 'GET', path: pathOf(wanted) });
  const body = foundIn(answer, session, 'to read a refund');
  return body === undefined ? undefined : asWanted(body, wanted);
}

function asWanted(body: unknown, wanted: WantedRefund): PixRefund {
  return sameAs(wanted, parseRefund(body));
}

type Shown = { status: PixRefund['status']; amountCentavos?: number };

function sameAs(wanted: WantedRefund, { status, amountCentavos }: Shown): PixRefund {
  if (amountCentavos === wanted.amountCentavos) return { status };
  throw new Error(`the refund ${wanted.id} at ${PROVIDER} has another valor`);
}
