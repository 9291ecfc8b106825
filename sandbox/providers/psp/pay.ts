import type { Context } from 'hono';
import { type Destination, trapSettlement } from '../chain.ts';
import { findScenario, paidBy } from '../scenarios.ts';
import { change } from '../store.ts';
import { takeTrigger } from '../triggers.ts';
import type { World } from '../world.ts';
import { type CallbackResult, notify } from './callback.ts';
import { type Charge, currentTerms, endOf, isPayable, renderCharge } from './charge.ts';
import { chargeKey } from './charge-key.ts';
import { returnByMed } from './med.ts';
import { type PixRecord, paymentId, renderPix, storePix } from './received-pix.ts';
import { isCpf, isFields, VALOR } from './validate.ts';

type Payment = {
  amountBrl?: string;
  payerCpf?: string;
  times?: number;
  callback?: boolean;
  force?: boolean;
  /** For this payment the payer filter of GET /pix compares the charge's debtor, not the payer. */
  isDebtorPayer?: true;
  /** Where the purchase's tokens will go. Scenarios that make the transfer fail need it. */
  destination?: Destination;
  /** The txid that the payer's bank sends with a Pix that pays no charge. Absent if the bank sends none. */
  txid?: string;
};

const MAX_TIMES = 10;

/**
 * Pays a charge as a payer's bank would. Answers 409 if the charge is closed or expired and `force` is not
 * set.
 */
export async function pay(c: Context, world: World): Promise<Response> {
  const payment = await readPayment(c);
  if (payment === undefined)
    return refuse(c, 400, 'amountBrl is like "500.00", payerCpf valid, times 1 to 10');
  const charge = await findCharge(c.req.param('txid') ?? '', world);
  if (!charge) return refuse(c, 404, 'no such charge');
  if (!isPayable(charge, world) && !payment.force) return refuse(c, 409, 'the charge is closed or expired');
  const paid = await payCharge(charge, payment, world);
  if (!paid) return refuse(c, 409, 'the charge was closed meanwhile');
  const { settled, records, callbacks, note } = paid;
  return c.json({
    charge: renderCharge(settled, world),
    pix: records.map((record) => renderPix(record, world.now())),
    callbacks,
    ...(note !== undefined && { note }),
  });
}

/**
 * Pays a charge whose purchase has ended, even if it is closed or expired. False if the charge does not
 * exist.
 */
export async function payLate(txid: string, world: World): Promise<boolean> {
  const charge = await findCharge(txid, world);
  return charge !== undefined && (await payCharge(charge, { force: true }, world)) !== undefined;
}

const findCharge = async (txid: string, { store }: World) =>
  (await store.get<Charge>(chargeKey(txid)))?.value;

/** Pays the charge and reports the payments to the service. Undefined if the charge refuses the payments. */
async function payCharge(charge: Charge, payment: Payment, world: World) {
  const isLate = await takeTrigger('LATE_PIX', charge.txid, world);
  const isTakenBack = await takeTrigger('MED', charge.txid, world);
  const records = Array.from({ length: payment.times ?? 1 }, () => {
    const record = pixFor(charge, payment, world);
    const dated = isLate ? { ...record, horario: justAfter(endOf(charge)) } : record;
    return isTakenBack ? returnByMed(dated, { amountBrl: record.valor }, world) : dated;
  });
  const isSettling = isExact(payment) && !isLate && !isTakenBack;
  // The trap must be set before the payment is visible, because the service may begin the transfer as soon as
  // it sees the payment.
  const note = isSettling ? await trapFor(charge, payment, world) : undefined;
  for (const record of records) await storePix({ ...record, offered: true }, world);
  const settled = await settleCharge(charge, records, payment, world);
  if (!settled) return undefined;
  const callbacks = payment.callback === false ? [] : await notifyAll(world, records);
  return { settled, records, callbacks, note };
}

const justAfter = (at: number) => new Date(at + 1000).toISOString();

/**
 * True if the request names neither an amount nor a payer. A payment of another amount or by another payer
 * gets refunded, and no transfer follows. A trap for it would stay, and would hit the next purchase with the
 * same amount and wallet.
 */
const isExact = ({ amountBrl, payerCpf }: Payment) => amountBrl === undefined && payerCpf === undefined;

/**
 * Makes the transfer revert, if the partner requested it or the client's scenario does so: see `Trap` in
 * `../../chain/traps.ts`. Returns a note if that is not possible.
 */
async function trapFor(charge: Charge, { destination }: Payment, world: World): Promise<string | undefined> {
  const isAsked = await takeTrigger('SETTLEMENT_REVERTS', charge.txid, world);
  const reverts = isAsked
    ? ALL_TRIES
    : findScenario(currentTerms(charge).devedor?.cpf ?? '')?.revertedTransfers;
  return reverts && trapSettlement(world, reverts, destination);
}

/** How often the service tries one transfer: the first try and three retries. */
const ALL_TRIES = 4;

/**
 * Sets an active charge to CONCLUIDA and makes its payments visible, in one write. No reader sees one without
 * the other. Undefined if the charge refuses the payments.
 */
async function settleCharge(
  charge: Charge,
  records: PixRecord[],
  payment: Payment,
  world: World,
): Promise<Charge | undefined> {
  const ids = records.map(({ endToEndId }) => endToEndId);
  let accepted = false;
  const settled = await change<Charge>(world.store, chargeKey(charge.txid), (now) => {
    accepted = now !== undefined && (payment.force === true || isPayable(now, world));
    if (!accepted || now === undefined) return undefined;
    const status = now.status === 'ATIVA' ? 'CONCLUIDA' : now.status;
    return { ...now, status, accepted: [...(now.accepted ?? []), ...ids] };
  });
  return accepted ? settled : undefined;
}

function pixFor(charge: Charge, payment: Payment, world: World): PixRecord {
  const { devedor, valor } = currentTerms(charge);
  const payerCpf = payment.payerCpf ?? paidBy(devedor?.cpf);
  const record = receivePix(
    { txid: charge.txid, valor: payment.amountBrl ?? valor.original, payerCpf },
    world,
  );
  return payment.isDebtorPayer ? { ...record, isDebtorPayer: true } : record;
}

function receivePix({ txid, valor, payerCpf }: Pick<PixRecord, 'txid' | 'valor' | 'payerCpf'>, world: World) {
  const { chave, ispb } = world.settings.psp;
  const now = world.now();
  const record: PixRecord = {
    endToEndId: paymentId('E', ispb, now),
    ...(txid !== undefined && { txid }),
    valor,
    chave,
    horario: now.toISOString(),
    payerCpf,
    refunds: [],
  };
  return record;
}

/**
 * Makes a Pix that pays no charge. It has the txid in the request, or none if the payer typed only the Pix
 * key.
 */
export async function payUnmatched(c: Context, world: World): Promise<Response> {
  const payment = await readPayment(c);
  if (payment?.amountBrl === undefined) return refuse(c, 400, 'amountBrl is like "500.00", payerCpf valid');
  const { txid, amountBrl: valor, payerCpf = paidBy(undefined) } = payment;
  const record = receivePix({ txid, valor, payerCpf }, world);
  await storePix(record, world);
  const callbacks = payment.callback === false ? [] : await notifyAll(world, [record]);
  return c.json({ pix: [renderPix(record, world.now())], callbacks });
}

export async function notifyAll(world: World, records: PixRecord[]): Promise<CallbackResult[]> {
  const results: CallbackResult[] = [];
  for (const record of records) {
    const result = await notify(world, record);
    if (result) results.push(result);
  }
  return results;
}

async function readPayment(c: Context): Promise<Payment | undefined> {
  const text = await c.req.text();
  const body: unknown =
    text === ''
      ? {}
      : await Promise.resolve(text)
          .then(JSON.parse)
          .catch(() => undefined);
  if (!isFields(body)) return undefined;
  const { amountBrl, payerCpf, times } = body;
  if (amountBrl !== undefined && !(typeof amountBrl === 'string' && VALOR.test(amountBrl))) return undefined;
  if (payerCpf !== undefined && !isCpf(payerCpf)) return undefined;
  const count = Number(times ?? 1);
  if (!Number.isInteger(count) || count < 1 || count > MAX_TIMES) return undefined;
  return body as Payment;
}

const refuse = (c: Context, status: 400 | 404 | 409, message: string) => c.json({ error: message }, status);
