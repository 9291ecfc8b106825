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
  /** For this payment the provider treats the payer filter of GET /pix as a filter by debtor. */
  isDebtorPayer?: true;
  /** The data of the purchase that scenarios on the chain need. */
  destination?: Destination;
  /** Only for a Pix without a charge: the txid that the payer's bank sends. Absent if the bank dropped the txid. */
  txid?: string;
};

const MAX_TIMES = 10;

/** Pays a charge in place of a payer's bank. A closed or expired charge refuses the payment unless `force` is set. */
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

/** Pays a charge whose purchase has ended. False if the charge does not exist. */
export async function payLate(txid: string, world: World): Promise<boolean> {
  const charge = await findCharge(txid, world);
  return charge !== undefined && (await payCharge(charge, { force: true }, world)) !== undefined;
}

const findCharge = async (txid: string, { store }: World) =>
  (await store.get<Charge>(chargeKey(txid)))?.value;

/** Pays the charge, and reports the payments. Undefined if the charge refuses the payment. */
async function payCharge(charge: Charge, payment: Payment, world: World) {
  const isLate = await takeTrigger('LATE_PIX', charge.txid, world);
  const isTakenBack = await takeTrigger('MED', charge.txid, world);
  const records = Array.from({ length: payment.times ?? 1 }, () => {
    const record = pixFor(charge, payment, world);
    const dated = isLate ? { ...record, horario: justAfter(endOf(charge)) } : record;
    return isTakenBack ? returnByMed(dated, { amountBrl: record.valor }, world) : dated;
  });
  const isSettling = isExact(payment) && !isLate && !isTakenBack;
  // Sets the trap before the payment is visible, because the service can begin settlement as soon as it sees the
  // payment.
  const note = isSettling ? await trapFor(charge, payment, world) : undefined;
  for (const record of records) await storePix({ ...record, offered: true }, world);
  const settled = await settleCharge(charge, records, payment, world);
  if (!settled) return undefined;
  const callbacks = payment.callback === false ? [] : await notifyAll(world, records);
  return { settled, records, callbacks, note };
}

const justAfter = (at: number) => new Date(at + 1000).toISOString();

/**
 * True if the request names neither an amount nor a payer. Any other payment is refunded before settlement.
 * Its trap would wait for the next purchase of the same amount to this wallet.
 */
const isExact = ({ amountBrl, payerCpf }: Payment) => amountBrl === undefined && payerCpf === undefined;

/** Sets the trap that the partner requested, or that of the client's scenario. */
async function trapFor(charge: Charge, { destination }: Payment, world: World): Promise<string | undefined> {
  const isAsked = await takeTrigger('SETTLEMENT_REVERTS', charge.txid, world);
  const reverts = isAsked
    ? ALL_TRIES
    : findScenario(currentTerms(charge).devedor?.cpf ?? '')?.revertedTransfers;
  return reverts && trapSettlement(world, reverts, destination);
}

/** The tries of one transfer: the first try and three retries. */
const ALL_TRIES = 4;

/**
 * Makes an active charge CONCLUIDA and its payments visible in one write, so that no reader sees only one of the two.
 * Undefined if the charge refuses the payments.
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

/** Makes a Pix without a charge. The payer pays the bare key, or sends the txid that the request names. */
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
