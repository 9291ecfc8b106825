import { Unavailable } from '../../domain/errors.ts';
import { decimalOf } from '../../domain/money.ts';
import type { NewCharge, PixCharge } from '../../domain/purchase/pix.ts';
import { payloadOf } from './br-code.ts';
import { foundIn, isDone, orUnavailable, type PixSession, segment, unexpected } from './session.ts';
import { PROVIDER, parseCharge, type WireCharge } from './wire.ts';

/** API Pix requires a name beside the CPF. We do not always know the name. */
const UNNAMED = 'Cliente';
const MAX_NAME = 200;

/**
 * PUT with our own txid, once. After an error the charge is read: if it is there with the wanted terms, it is the
 * answer.
 */
export async function createCharge(session: PixSession, wanted: NewCharge): Promise<PixCharge> {
  const path = `/cob/${segment(wanted.txid)}`;
  const written = await orUnavailable(
    session.call({ method: 'PUT', path, body: requestOf(session, wanted) }),
  );
  if (!(written instanceof Unavailable) && isDone(written)) {
    return chargeOf(session, await asLongAsWanted(session, parseCharge(written.body), wanted));
  }
  const found = await readCharge(session, wanted.txid);
  if (found) return chargeOf(session, await asLongAsWanted(session, found, wanted));
  // 409 says that the charge exists, and the read does not find it yet: the reading side of the provider lags.
  if (written instanceof Unavailable) throw written;
  if (written.status === 409) throw new Unavailable(PROVIDER, { cause: new Error('409 but no charge') });
  throw unexpected(written, session, 'to create a charge');
}

/** A found charge is prolonged once more of its wanted life is over than this share, and than these seconds. */
const SPENT = { share: 0.1, seconds: 5 };

/**
 * Prolongs a charge that an earlier call made, so that the payer has the whole time from now on (PATCH, "revisar
 * cobrança imediata"). After an outage the charge may have expired, or be about to expire.
 */
async function asLongAsWanted(
  session: PixSession,
  charge: WireCharge,
  wanted: NewCharge,
): Promise<WireCharge> {
  const found = asWanted(session, charge, wanted);
  const spent = Math.max(SPENT.seconds, wanted.expiresInSeconds * SPENT.share);
  const isFresh = ({ createdAt, expiresInSeconds }: WireCharge) =>
    expiresInSeconds - ageOf(session, createdAt) >= wanted.expiresInSeconds - spent;
  if (statusOf(found) !== 'ACTIVE' || isFresh(found)) return found;
  const expiracao = ageOf(session, found.createdAt) + wanted.expiresInSeconds;
  const path = `/cob/${segment(found.txid)}`;
  await orUnavailable(session.call({ method: 'PATCH', path, body: { calendario: { expiracao } } }));
  // The charge is read again, whatever the answer to PATCH.
  const revised = await readCharge(session, found.txid);
  if (revised && (statusOf(revised) !== 'ACTIVE' || isFresh(revised))) return revised;
  throw new Unavailable(PROVIDER, { cause: new Error('the charge is not prolonged') });
}

/** The age in whole seconds. Never below zero, because our clock may be behind the provider's. */
const ageOf = ({ clock }: PixSession, createdAt: number) =>
  Math.max(0, Math.ceil((clock.now() - createdAt) / 1000));

export async function findCharge(session: PixSession, txid: string): Promise<PixCharge | undefined> {
  const found = await readCharge(session, txid);
  return found && chargeOf(session, found);
}

/** PATCH, and then GET whatever the answer to PATCH: a payment may have been faster. */
export async function closeCharge(session: PixSession, txid: string): Promise<PixCharge | undefined> {
  const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
  const closed = await orUnavailable(session.call({ method: 'PATCH', path: `/cob/${segment(txid)}`, body }));
  const found = await readCharge(session, txid);
  if (!found) return undefined;
  if (statusOf(found) !== 'ACTIVE' || hasExpired(session, found)) return chargeOf(session, found);
  if (closed instanceof Unavailable) throw closed;
  // A confirmation made the charge between the two calls. A repetition closes it.
  if (closed.status === 404) throw new Unavailable(PROVIDER, { cause: new Error('404, and then a charge') });
  if (!isDone(closed)) throw unexpected(closed, session, 'to close a charge');
  throw new Unavailable(PROVIDER, { cause: new Error('the closed charge still reads as active') });
}

async function readCharge(session: PixSession, txid: string): Promise<WireCharge | undefined> {
  const answer = await session.call({ method: 'GET', path: `/cob/${segment(txid)}` });
  const body = foundIn(answer, session, 'to read a charge');
  if (body === undefined) return undefined;
  const found = parseCharge(body);
  if (found.txid !== txid) throw new Error(`${PROVIDER} answered with another charge than ${txid}`);
  if (found.key !== session.settings.key) throw new Error(`the charge ${txid} pays another key than ours`);
  return found;
}

function requestOf(session: PixSession, { amountCentavos, payer, expiresInSeconds }: NewCharge) {
  return {
    calendario: { expiracao: expiresInSeconds },
    devedor: { cpf: payer.cpf, nome: (payer.name ?? UNNAMED).slice(0, MAX_NAME) },
    valor: { original: decimalOf(amountCentavos, 2) },
    chave: session.settings.key,
  };
}

/** A charge under our txid with other terms is a fault, of ours or of the provider. It must never be shown. */
function asWanted(session: PixSession, found: WireCharge, wanted: NewCharge): WireCharge {
  const { expiresInSeconds } = found;
  // It may be longer only by the time for which we have prolonged it.
  const longest = wanted.expiresInSeconds + ageOf(session, found.createdAt);
  const isSame = {
    txid: found.txid === wanted.txid,
    valor: found.amountCentavos === wanted.amountCentavos && found.isAmountFixed,
    chave: found.key === session.settings.key,
    devedor: found.debtor === undefined || found.debtor === wanted.payer.cpf,
    expiracao: expiresInSeconds >= wanted.expiresInSeconds && expiresInSeconds <= longest,
  };
  const others = Object.entries(isSame).flatMap(([name, same]) => (same ? [] : [name]));
  if (others.length === 0) return found;
  throw new Error(`the charge ${wanted.txid} at ${PROVIDER} has another ${others.join(', ')}`);
}

function chargeOf(session: PixSession, found: WireCharge): PixCharge {
  const { txid, key, amountCentavos, createdAt, payments } = found;
  const status = statusOf(found);
  return {
    txid,
    status,
    key,
    amountCentavos,
    // The code of an ended charge is never shown, so a missing location must not hide its payments.
    payload: status === 'ACTIVE' ? payloadOf(found, session.settings) : '',
    createdAt,
    expiresAt: expiresAt(found),
    payments,
  };
}

/** A received payment counts more than the status, which may lag. An unknown status is not an end. */
function statusOf({ status, payments }: WireCharge): PixCharge['status'] {
  if (status === 'CONCLUIDA' || payments.length > 0) return 'PAID';
  return status.startsWith('REMOVID') ? 'CLOSED' : 'ACTIVE';
}

const expiresAt = ({ createdAt, expiresInSeconds }: WireCharge) => createdAt + expiresInSeconds * 1000;

/** `closeCharge` does not fail for an expired charge, because some providers refuse to close one. */
const hasExpired = ({ clock }: PixSession, found: WireCharge) => clock.now() > expiresAt(found);
