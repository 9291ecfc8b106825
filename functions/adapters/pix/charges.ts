import { Unavailable } from '../../domain/errors.ts';
import { decimalOf } from '../../domain/money.ts';
import type { NewCharge, PixCharge } from '../../domain/purchase/pix.ts';
import { payloadOf } from './br-code.ts';
import { foundIn, isDone, orUnavailable, type PixSession, segment, unexpected } from './session.ts';
import { PROVIDER, parseCharge, type WireCharge } from './wire.ts';

/** API Pix wants a name beside the CPF; ours is not always at hand. */
const UNNAMED = 'Cliente';
const MAX_NAME = 200;

/**
 * PUT with our own txid. Whatever happens to it, the charge that is there afterwards is the answer, if it is the
 * one that we wanted; nothing is written a second time.
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
  // "Duplicate", but not to be read yet: a provider whose reading side lags.
  if (written instanceof Unavailable) throw written;
  if (written.status === 409) throw new Unavailable(PROVIDER, { cause: new Error('409 but no charge') });
  throw unexpected(written, session, 'to create a charge');
}

/** So much of the wanted life, and so many seconds, may be over before a charge that is found is prolonged. */
const SPENT = { share: 0.1, seconds: 5 };

/**
 * A charge that an earlier call made has lived since: after an outage it may be about to die, or dead. Who pays it
 * gets the whole time from now on (PATCH, "revisar cobrança imediata").
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
  // Whatever PATCH said, what is there now tells.
  const revised = await readCharge(session, found.txid);
  if (revised && (statusOf(revised) !== 'ACTIVE' || isFresh(revised))) return revised;
  throw new Unavailable(PROVIDER, { cause: new Error('the charge is not prolonged') });
}

/** In whole seconds; never less than none, should our clock be behind theirs. */
const ageOf = ({ clock }: PixSession, createdAt: number) =>
  Math.max(0, Math.ceil((clock.now() - createdAt) / 1000));

export async function findCharge(session: PixSession, txid: string): Promise<PixCharge | undefined> {
  const found = await readCharge(session, txid);
  return found && chargeOf(session, found);
}

/** PATCH, then GET whatever PATCH said: a payment may have been faster. */
export async function closeCharge(session: PixSession, txid: string): Promise<PixCharge | undefined> {
  const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
  const closed = await orUnavailable(session.call({ method: 'PATCH', path: `/cob/${segment(txid)}`, body }));
  const found = await readCharge(session, txid);
  if (!found) return undefined;
  if (statusOf(found) !== 'ACTIVE' || hasExpired(session, found)) return chargeOf(session, found);
  if (closed instanceof Unavailable) throw closed;
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

/** A charge under our txid with other terms is a fault of ours or of theirs, never one to show. */
function asWanted(session: PixSession, found: WireCharge, wanted: NewCharge): WireCharge {
  const { expiresInSeconds } = found;
  // Longer only by as much as we have prolonged it.
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
    // Nobody is shown the code of a charge that is over, so a lost location must not hide its payments.
    payload: status === 'ACTIVE' ? payloadOf(found, session.settings) : '',
    createdAt,
    expiresAt: expiresAt(found),
    payments,
  };
}

/** Money that is here outranks the provider's word, which may lag. An unknown word is not an end. */
function statusOf({ status, payments }: WireCharge): PixCharge['status'] {
  if (status === 'CONCLUIDA' || payments.length > 0) return 'PAID';
  return status.startsWith('REMOVID') ? 'CLOSED' : 'ACTIVE';
}

const expiresAt = ({ createdAt, expiresInSeconds }: WireCharge) => createdAt + expiresInSeconds * 1000;

/** Some refuse to close what can no longer be paid. */
const hasExpired = ({ clock }: PixSession, found: WireCharge) => clock.now() > expiresAt(found);
