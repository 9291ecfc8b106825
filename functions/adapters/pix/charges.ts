import { Unavailable } from '../../domain/errors.ts';
import { decimalOf } from '../../domain/money.ts';
import type { NewCharge, PixCharge } from '../../domain/purchase/pix.ts';
import { payloadOf } from './br-code.ts';
import { foundIn, isPspSuccess, orUnavailable, type PixSession, pspSegment, unexpected } from './session.ts';
import { PROVIDER, parseCharge, type WireCharge } from './wire.ts';

/** Stands for the client's name, which API Pix requires next to the CPF. The service does not always know the name. */
const UNNAMED = 'Cliente';
const MAX_NAME = 200;

/**
 * Creates a charge with one PUT under the txid that the service chose. If the PUT fails, it reads the charge.
 * If the charge exists with the wanted terms, it returns that charge. A charge with other terms is an error.
 */
export async function createCharge(session: PixSession, wanted: NewCharge): Promise<PixCharge> {
  const path = `/cob/${pspSegment(wanted.txid)}`;
  const written = await orUnavailable(
    session.call({ method: 'PUT', path, body: chargeRequest(session, wanted) }),
  );
  if (!(written instanceof Unavailable) && isPspSuccess(written)) {
    return chargeOf(session, await asLongAsWanted(session, parseCharge(written.body), wanted));
  }
  const found = await readCharge(session, wanted.txid);
  if (found) return chargeOf(session, await asLongAsWanted(session, found, wanted));
  // The provider answers 409 if the charge exists, but the read did not find it: the provider's reads are
  // behind its writes.
  if (written instanceof Unavailable) throw written;
  if (written.status === 409) throw new Unavailable(PROVIDER, { cause: new Error('409 but no charge') });
  throw unexpected(written, session, 'to create a charge');
}

/**
 * An existing charge is prolonged when it has used more than this many seconds of its wanted life. Its deadline at the
 * provider is then at most this much before the purchase's own.
 */
const SPENT_SECONDS = 5;

/**
 * Prolongs a charge that an earlier call made, so that the payer has the whole time from now on (PATCH,
 * "revisar cobrança imediata"). The earlier charge may have expired during an outage, or may expire soon.
 */
async function asLongAsWanted(
  session: PixSession,
  charge: WireCharge,
  wanted: NewCharge,
): Promise<WireCharge> {
  const found = asWantedCharge(session, charge, wanted);
  const isFresh = ({ createdAt, expiresInSeconds }: WireCharge) =>
    expiresInSeconds - ageOf(session, createdAt) >= wanted.expiresInSeconds - SPENT_SECONDS;
  if (chargeStatus(found) !== 'ACTIVE' || isFresh(found)) return found;
  const expiracao = ageOf(session, found.createdAt) + wanted.expiresInSeconds;
  const path = `/cob/${pspSegment(found.txid)}`;
  await orUnavailable(session.call({ method: 'PATCH', path, body: { calendario: { expiracao } } }));
  // Reads the charge again even if PATCH failed, because only its answer may be lost.
  const revised = await readCharge(session, found.txid);
  if (revised && (chargeStatus(revised) !== 'ACTIVE' || isFresh(revised))) return revised;
  throw new Unavailable(PROVIDER, { cause: new Error('the charge is not prolonged') });
}

/** The charge's age in whole seconds. Never below zero, because our clock may be behind the provider's. */
const ageOf = ({ clock }: PixSession, createdAt: number) =>
  Math.max(0, Math.ceil((clock.now() - createdAt) / 1000));

export async function findCharge(session: PixSession, txid: string): Promise<PixCharge | undefined> {
  const found = await readCharge(session, txid);
  return found && chargeOf(session, found);
}

/**
 * Closes the charge by PATCH, and then reads it even if PATCH failed. The client may have paid before the
 * PATCH.
 */
export async function closeCharge(session: PixSession, txid: string): Promise<PixCharge | undefined> {
  const body = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
  const closed = await orUnavailable(
    session.call({ method: 'PATCH', path: `/cob/${pspSegment(txid)}`, body }),
  );
  const found = await readCharge(session, txid);
  if (!found) return undefined;
  if (chargeStatus(found) !== 'ACTIVE' || isPastLife(session, found)) return chargeOf(session, found);
  if (closed instanceof Unavailable) throw closed;
  // PATCH did not find the charge, but the read after it did. A parallel call made the charge in between. The
  // caller tries again and then closes it.
  if (closed.status === 404) throw new Unavailable(PROVIDER, { cause: new Error('404, and then a charge') });
  if (!isPspSuccess(closed)) throw unexpected(closed, session, 'to close a charge');
  throw new Unavailable(PROVIDER, { cause: new Error('the closed charge still reads as active') });
}

async function readCharge(session: PixSession, txid: string): Promise<WireCharge | undefined> {
  const answer = await session.call({ method: 'GET', path: `/cob/${pspSegment(txid)}` });
  const body = foundIn(answer, session, 'to read a charge');
  if (body === undefined) return undefined;
  const found = parseCharge(body);
  if (found.txid !== txid) throw new Error(`${PROVIDER} answered with another charge than ${txid}`);
  if (found.key !== session.settings.key) throw new Error(`the charge ${txid} pays another key than ours`);
  return found;
}

function chargeRequest(session: PixSession, { amountCentavos, payer, expiresInSeconds }: NewCharge) {
  return {
    calendario: { expiracao: expiresInSeconds },
    devedor: { cpf: payer.cpf, nome: (payer.name ?? UNNAMED).slice(0, MAX_NAME) },
    valor: { original: decimalOf(amountCentavos, 2) },
    chave: session.settings.key,
  };
}

/**
 * Checks the terms of a charge that has our txid. Other terms are a fault of this service or of the provider.
 * The charge is then never shown to a client.
 */
function asWantedCharge(session: PixSession, found: WireCharge, wanted: NewCharge): WireCharge {
  const { expiresInSeconds } = found;
  // A longer life than wanted is accepted if `asLongAsWanted` can have set it. That function adds at most the
  // charge's age.
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
  const status = chargeStatus(found);
  return {
    txid,
    status,
    key,
    amountCentavos,
    // The payer needs the BR Code only while the charge is active. A missing location of an ended charge must
    // not prevent reading its payments.
    payload: status === 'ACTIVE' ? payloadOf(found, session.settings) : '',
    createdAt,
    expiresAt: expiresAt(found),
    payments,
  };
}

/**
 * A charge with a received payment is `PAID`, because the provider may update `status` later. With an unknown
 * status the charge stays `ACTIVE`, so that it is not treated as ended.
 */
function chargeStatus({ status, payments }: WireCharge): PixCharge['status'] {
  if (status === 'CONCLUIDA' || payments.length > 0) return 'PAID';
  return status.startsWith('REMOVID') ? 'CLOSED' : 'ACTIVE';
}

const expiresAt = ({ createdAt, expiresInSeconds }: WireCharge) => createdAt + expiresInSeconds * 1000;

/**
 * True if the charge has expired. `closeCharge` accepts an expired charge as closed, because some providers
 * refuse to close it.
 */
const isPastLife = ({ clock }: PixSession, found: WireCharge) => clock.now() > expiresAt(found);
