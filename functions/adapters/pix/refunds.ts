import { Unavailable } from '../../domain/errors.ts';
import { decimalOf } from '../../domain/money.ts';
import type { PixRefund, PixReturn } from '../../domain/purchase/pix.ts';
import type { WantedRefund } from '../../domain/purchase/pix-ports.ts';
import { findReceived } from './payments.ts';
import {
  foundIn,
  isPspSuccess,
  orUnavailable,
  type PixAnswer,
  type PixSession,
  pspSegment,
  unexpected,
} from './session.ts';
import { PROVIDER, parseRefund, type WireRefund } from './wire.ts';

/**
 * Starts a return (devolução) under its id, or finds the one that exists. It reads first, because the same
 * return may be requested many times. Providers disagree whether a repeated id means the same return or an
 * error. If the write fails, or its outcome is unknown, the code reads again.
 */
export async function refundPayment(session: PixSession, wanted: WantedRefund): Promise<PixRefund> {
  const known = await findRefund(session, wanted);
  if (known) return known;
  const body = { valor: decimalOf(wanted.amountCentavos, 2) };
  const written = await orUnavailable(session.call({ method: 'PUT', path: refundPath(wanted), body }));
  if (!(written instanceof Unavailable) && isPspSuccess(written)) return asWantedRefund(written.body, wanted);

  const found = await findRefund(session, wanted);
  if (found) return found;
  if (written instanceof Unavailable) throw written;
  const refused = unexpected(written, session, 'a refund');
  if (!isForGood(written)) throw refused;
  return (await shownWithPix(session, wanted)) ?? { status: 'FAILED', refusal: refused.message };
}

/**
 * The status codes after which the return may still succeed. Our credentials or scopes may be wrong, the
 * cause may be temporary, or the return may already exist.
 */
const MAY_PASS = [401, 403, 408, 409, 425, 429];

const isForGood = ({ status }: PixAnswer) => status >= 400 && status < 500 && !MAY_PASS.includes(status);

/**
 * Looks for the return within the Pix itself. Some providers answer a repeated id with the same error as a
 * wrong id. The return has failed only if neither `findRefund` nor the Pix shows it.
 */
async function shownWithPix(session: PixSession, wanted: WantedRefund): Promise<PixRefund | undefined> {
  const pix = await findReceived(session, wanted.endToEndId);
  const shown = pix?.returns?.find(({ id }) => id === wanted.id);
  return shown && sameAs(wanted, shown);
}

const refundPath = ({ endToEndId, id }: WantedRefund) =>
  `/pix/${pspSegment(endToEndId)}/devolucao/${pspSegment(id)}`;

export async function findRefund(session: PixSession, wanted: WantedRefund): Promise<PixRefund | undefined> {
  const answer = await session.call({ method: 'GET', path: refundPath(wanted) });
  const body = foundIn(answer, session, 'to read a refund');
  return body === undefined ? undefined : asWantedRefund(body, wanted);
}

function asWantedRefund(body: unknown, wanted: WantedRefund): PixRefund {
  return sameAs(wanted, parseRefund(body));
}

type ShownRefund = Pick<PixReturn, 'status' | 'amountCentavos'> & Pick<WireRefund, 'rtrId'>;

function sameAs(wanted: WantedRefund, { status, amountCentavos, rtrId }: ShownRefund): PixRefund {
  if (amountCentavos !== wanted.amountCentavos)
    throw new Error(`the refund ${wanted.id} at ${PROVIDER} has another valor`);
  return status === 'REFUNDED' && rtrId ? { status, rtrId } : { status };
}
