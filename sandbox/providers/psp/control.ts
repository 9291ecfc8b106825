import { type Context, Hono } from 'hono';
import { type Destination, trapSettlement } from '../chain.ts';
import { paidBy } from '../scenarios.ts';
import { change } from '../store.ts';
import type { World } from '../world.ts';
import { type CallbackResult, notify, sendCallback } from './callback.ts';
import { type Charge, currentTerms, isPayable, renderCharge } from './charge.ts';
import { chargeKey } from './charge-key.ts';
import { takeBack } from './med.ts';
import {
  isSettled,
  type PixRecord,
  paymentId,
  pixKey,
  renderPix,
  settledPix,
  storePix,
} from './received-pix.ts';
import { readSwitches, type Switches, setSwitches } from './switches.ts';
import { isCpf, isFields, VALOR } from './validate.ts';

/** Controls of the PSP for the sandbox's tools, under /control/psp. The product never calls them. */
export function pspControl(world: World): Hono {
  const app = new Hono();
  app.post('/pay/:txid', (c) => pay(c, world));
  app.post('/pix', (c) => payUnmatched(c, world));
  app.post('/med/:e2eid', (c) => takeBack(c, world));
  app.post('/callback', async (c) => {
    const result = await sendCallback(world, world.settings.psp.chave, await c.req.json());
    return result ? c.json(result) : refuse(c, 409, 'no webhook is registered');
  });
  app.get('/callbacks', async (c) => {
    const sent = await world.store.list<CallbackResult>('psp/callback/');
    return c.json({ callbacks: sent.map(({ value }) => value) });
  });
  app.post('/tick', async (c) => c.json({ callbacks: await notifyEndedRefunds(world) }));
  app.post('/outage', async (c) => {
    const { calls } = (await c.req.json()) as { calls?: unknown };
    if (!Number.isInteger(calls) || Number(calls) < 0) return refuse(c, 400, 'calls must be a whole number');
    return c.json(await setSwitches(world, { outageCalls: Number(calls) }));
  });
  app.post('/tokens/revoke', async (c) =>
    c.json(await setSwitches(world, { tokensRevokedAt: world.now().getTime() })),
  );
  app.get('/switches', async (c) => c.json(await readSwitches(world)));
  app.post('/switches', async (c) =>
    c.json(await setSwitches(world, (await c.req.json()) as Partial<Switches>)),
  );
  return app;
}

type Payment = {
  amountBrl?: string;
  payerCpf?: string;
  times?: number;
  callback?: boolean;
  force?: boolean;
  /** The purchase's data for scenarios that act on the chain. */
  destination?: Destination;
  /** Only for a Pix without a charge: the txid that the payer's bank sends. Absent where the bank dropped it. */
  txid?: string;
};

const MAX_TIMES = 10;

/** Pays a charge as a payer's bank would. A closed or expired charge refuses the payment unless it is forced. */
async function pay(c: Context, world: World): Promise<Response> {
  const payment = await readPayment(c);
  if (payment === undefined)
    return refuse(c, 400, 'amountBrl is like "500.00", payerCpf valid, times 1 to 10');
  const charge = (await world.store.get<Charge>(chargeKey(c.req.param('txid') ?? '')))?.value;
  if (!charge) return refuse(c, 404, 'no such charge');
  if (!isPayable(charge, world) && !payment.force) return refuse(c, 409, 'the charge is closed or expired');

  const records = Array.from({ length: payment.times ?? 1 }, () => pixFor(charge, payment, world));
  // The trap is set before the payment is visible, because settlement can begin as soon as a reader sees the payment.
  const note = isExact(payment) ? await trapFor(charge, payment, world) : undefined;
  for (const record of records) await storePix({ ...record, offered: true }, world);
  const settled = await settleCharge(charge, records, payment, world);
  if (!settled) return refuse(c, 409, 'the charge was closed meanwhile');
  const callbacks = payment.callback === false ? [] : await notifyAll(world, records);
  const pix = records.map((record) => renderPix(record, world.now()));
  return c.json({
    charge: renderCharge(settled, world),
    pix,
    callbacks,
    ...(note !== undefined && { note }),
  });
}

/**
 * True for a payment that names no amount and no payer. Another amount or payer leads to a refund before settlement.
 * Its trap would wait for the wallet's next purchase.
 */
const isExact = ({ amountBrl, payerCpf }: Payment) => amountBrl === undefined && payerCpf === undefined;

const trapFor = (charge: Charge, { destination }: Payment, world: World) =>
  trapSettlement(world, currentTerms(charge).devedor?.cpf, destination);

/**
 * One write makes an active charge CONCLUIDA and its payments visible, so that no reader sees only one of the two.
 * Undefined where the charge refuses the payments.
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
  return receivePix({ txid: charge.txid, valor: payment.amountBrl ?? valor.original, payerCpf }, world);
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

/** Pays a Pix without a charge: to the bare key, or with the txid that the request names. */
async function payUnmatched(c: Context, world: World): Promise<Response> {
  const payment = await readPayment(c);
  if (payment?.amountBrl === undefined) return refuse(c, 400, 'amountBrl is like "500.00", payerCpf valid');
  const { txid, amountBrl: valor, payerCpf = paidBy(undefined) } = payment;
  const record = receivePix({ txid, valor, payerCpf }, world);
  await storePix(record, world);
  const callbacks = payment.callback === false ? [] : await notifyAll(world, [record]);
  return c.json({ pix: [renderPix(record, world.now())], callbacks });
}

async function notifyAll(world: World, records: PixRecord[]): Promise<CallbackResult[]> {
  const results: CallbackResult[] = [];
  for (const record of records) {
    const result = await notify(world, record);
    if (result) results.push(result);
  }
  return results;
}

/**
 * Sends the callbacks of refunds that have ended. Nothing runs between two requests, so a schedule or a test calls
 * this.
 */
export async function notifyEndedRefunds(world: World): Promise<CallbackResult[]> {
  const now = world.now();
  const isDue = (pix: PixRecord) => pix.refunds.some((one) => !one.notified && isSettled(one, now));
  const claimed: PixRecord[] = [];
  for (const { endToEndId } of (await settledPix(world)).filter(isDue)) {
    let mine = false;
    const pix = await change<PixRecord>(world.store, pixKey(endToEndId), (known) => {
      mine = known !== undefined && isDue(known);
      if (!known || !mine) return undefined;
      return { ...known, refunds: known.refunds.map((one) => ({ ...one, notified: isSettled(one, now) })) };
    });
    if (pix && mine) claimed.push(pix);
  }
  return notifyAll(world, claimed);
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
