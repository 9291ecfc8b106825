import { describe, expect, test } from 'vitest';
import { cancelTransaction } from '../../functions/api/cancel-transaction.ts';
import { Refusal, Unavailable } from '../../functions/domain/errors.ts';
import { issueCharge } from '../../functions/logic/purchase/issue-charge.ts';
import { receivePayment } from '../../functions/logic/purchase/receive-payment.ts';
import { registerWait } from '../../functions/logic/purchase/waits.ts';
import { expireTransaction } from '../../functions/steps/expire-transaction.ts';
import { aClient, aPartner, MINUTE_MS } from '../support/builders.ts';
import { aCharge, aReceivedPix, eventsOf, openPorts, putPurchaseIn, reread } from '../support/ports.ts';
import { stubPix } from '../support/providers.ts';
import { type InTurns, ordersOf, raceIn } from '../support/turns.ts';

const CPF = '52998224725';

type Open = 'AWAITING_MFA' | 'AWAITING_PIX';
type World = Awaited<ReturnType<typeof waitingIn>>;
type Ports = World['ports'];

async function waitingIn(status: Open) {
  const ports = openPorts();
  const wait = { status, token: 'token' };
  const purchase = await putPurchaseIn(ports, status, { wait });
  if (status === 'AWAITING_PIX') ports.pix.charges.set(purchase.id, aCharge(purchase));
  const cpfCipher = await ports.vault.encrypt(CPF, purchase.clientId);
  const client = await ports.clients.create(aClient({ id: purchase.clientId, cpfCipher }));
  return { ports, purchase, client };
}

type Racer = (world: World, ports: Ports) => Promise<unknown>;

const cancel: Racer = ({ purchase: { id, partnerId } }, ports) =>
  cancelTransaction({ id }, { partner: aPartner({ id: partnerId }), ids: undefined as never }, ports);
const confirm: Racer = ({ purchase, client }, ports) =>
  issueCharge(purchase, { trigger: 'MFA code accepted', client, spreadBasisPoints: 100 }, ports);
const callback: Racer = ({ purchase }, ports) => receivePayment(purchase.id, ports);
const timeOut: Racer = ({ purchase }, ports) => expireTransaction({ transactionId: purchase.id }, ports);
const beginWait: Racer = ({ purchase }, ports) =>
  registerWait({ transactionId: purchase.id, status: 'AWAITING_PIX', taskToken: 'begun' }, ports);

/** The client's bank. The provider lets it pay an open charge. */
const bank: Racer = ({ purchase, ports: { pix } }, { transactions }) =>
  // This read gives the payment a turn in the order of the calls.
  transactions.findTransaction(purchase.id).then(() => {
    if (pix.charges.get(purchase.id)?.status !== 'ACTIVE') return;
    pix.charges.set(purchase.id, aCharge(purchase, [aReceivedPix(purchase)]));
  });

function answerOf(answer: unknown): string {
  if (answer instanceof Refusal) return answer.code;
  if (answer instanceof Unavailable) return 'REPEAT';
  if (answer instanceof Error) throw answer;
  return 'DONE';
}

/** Runs the racers, whose calls to rows and provider happen in this order. Gives the world afterwards. */
async function race(world: World, racers: Record<string, Racer>, order: string) {
  const { ports, purchase } = world;
  const runIn = (racer: Racer) => (inTurns: InTurns) =>
    racer(world, { ...ports, pix: inTurns(ports.pix), transactions: inTurns(ports.transactions) })
      .catch((error: unknown) => error)
      .then(answerOf);
  const answers = await raceIn(
    order,
    Object.fromEntries(Object.entries(racers).map(([name, racer]) => [name, runIn(racer)])),
  );
  const { status, history } = await reread(ports, purchase);
  return {
    ...answers,
    status,
    moves: history.slice(1).map((move) => move.status),
    events: (await eventsOf(ports, purchase)).map(({ type }) => type),
    charge: ports.pix.charges.get(purchase.id)?.status,
  };
}

/** Every received Pix of the purchase is its payment or has been returned in full: exactly one of the two. */
async function expectMoneyHasOneEnd({ ports, purchase }: World): Promise<void> {
  const { payment, status } = await reread(ports, purchase);
  const paid = ports.pix.charges.get(purchase.id)?.payments ?? [];
  const returned = ports.pix.refunds.map(({ endToEndId, amountCentavos }) => ({
    endToEndId,
    amountCentavos,
  }));
  const unmatchedPayments = paid.filter(({ endToEndId }) => endToEndId !== payment?.endToEndId);
  expect(returned).toEqual(
    unmatchedPayments.map(({ endToEndId, amountCentavos }) => ({ endToEndId, amountCentavos })),
  );
  expect(payment !== undefined).toBe(status === 'PROCESSING');
}

/** Runs the race in every order of calls, each in its own world. */
async function inEveryOrder(
  status: Open,
  racers: Record<string, [Racer, number]>,
  judge: (found: Awaited<ReturnType<typeof race>>, world: World) => void | Promise<void>,
): Promise<string[]> {
  const calls = Object.fromEntries(Object.entries(racers).map(([name, [, count]]) => [name, count]));
  const running = Object.fromEntries(Object.entries(racers).map(([name, [racer]]) => [name, racer]));
  const ends: string[] = [];
  for (const order of ordersOf(calls)) {
    const world = await waitingIn(status);
    if (racers.T) world.ports.clock.advance(60 * MINUTE_MS);
    const found = await race(world, running, order);
    try {
      await judge(found, world);
    } catch (error) {
      throw new Error(`in the order ${order}: ${JSON.stringify(found)}`, { cause: error });
    }
    ends.push(found.status);
  }
  return ends;
}

describe('in every order of their calls, a cancel and', () => {
  test('a payment with its callback: paid, or canceled and never paid', { timeout: 60_000 }, async () => {
    const racers = { K: [cancel, 4], P: [callback, 4], B: [bank, 1] } satisfies Record<
      string,
      [Racer, number]
    >;

    const ends = await inEveryOrder('AWAITING_PIX', racers, async (found, world) => {
      const { ports, purchase } = world;
      const isPaid = found.charge === 'PAID';
      // The callback of a later moment, or reconciliation, sees the payment that this racer did not see.
      await receivePayment(purchase.id, ports);
      expect((await reread(ports, purchase)).status).toBe(isPaid ? 'PROCESSING' : 'CANCELED');
      expect(found).toMatchObject({ K: isPaid ? 'TRANSACTION_NOT_CANCELABLE' : 'DONE', P: 'DONE' });
      await expectMoneyHasOneEnd(world);
    });

    expect(new Set(ends)).toEqual(new Set(['PROCESSING', 'CANCELED']));
  });

  test('a confirmation that issues the charge: canceled, and no charge that is open', async () => {
    const ends = await inEveryOrder('AWAITING_MFA', { K: [cancel, 7], C: [confirm, 4] }, (found) => {
      expect(found).toMatchObject({ K: 'DONE', status: 'CANCELED' });
      expect(found.events).toEqual(['transaction.canceled']);
      expect(['CLOSED', undefined]).toContain(found.charge);
      const isIssued = found.moves.length === 2;
      expect(found.moves).toEqual(isIssued ? ['AWAITING_PIX', 'CANCELED'] : ['CANCELED']);
      if (isIssued) expect(found).toMatchObject({ C: 'DONE' });
      else expect(['INVALID_TRANSACTION_STATE', 'REPEAT']).toContain((found as Record<string, unknown>).C);
    });

    expect(ends).toHaveLength(330);
  });

  test.each(['AWAITING_MFA', 'AWAITING_PIX'] as const)(
    'the time-out in %s: one of the two ends, and the charge closed',
    async (status) => {
      const ends = await inEveryOrder(status, { K: [cancel, 4], T: [timeOut, 4] }, (found) => {
        const isCanceled = found.status === 'CANCELED';
        expect(found).toMatchObject({ K: isCanceled ? 'DONE' : 'TRANSACTION_NOT_CANCELABLE', T: 'DONE' });
        expect(found.moves).toEqual([found.status]);
        expect(found.events).toEqual([isCanceled ? 'transaction.canceled' : 'transaction.expired']);
        expect(['CLOSED', undefined]).toContain(found.charge);
      });

      expect(new Set(ends)).toEqual(new Set(['EXPIRED', 'CANCELED']));
    },
  );

  test.each(['AWAITING_MFA', 'AWAITING_PIX'] as const)('another cancel in %s: one event', async (status) => {
    await inEveryOrder(status, { K: [cancel, 4], L: [cancel, 4] }, (found) => {
      expect(found).toMatchObject({ K: 'DONE', L: 'DONE', status: 'CANCELED', moves: ['CANCELED'] });
      expect(found.events).toEqual(['transaction.canceled']);
      expect(['CLOSED', undefined]).toContain(found.charge);
    });
  });

  test('a wait that begins: the execution is resumed', async () => {
    await inEveryOrder(
      'AWAITING_PIX',
      { K: [cancel, 4], W: [beginWait, 2] },
      (found, { ports, purchase }) => {
        expect(found).toMatchObject({ K: 'DONE', status: 'CANCELED' });
        const over = { transactionId: purchase.id, status: 'EXPIRED' };
        expect(ports.machine.resumed).toContainEqual({ token: 'begun', output: over });
      },
    );
  });
});

describe('a cancel of a purchase whose payment the provider has denied', () => {
  /** The provider shows the payment to the callback's function, and not to the function that cancels. */
  const denied: Racer = (world, ports) => {
    const { purchase } = world;
    const unpaid = stubPix();
    unpaid.charges.set(purchase.id, aCharge(purchase));
    return cancel(world, { ...ports, pix: unpaid });
  };

  test('ends in every order as exactly one of purchase and full refund', async () => {
    const ends: string[] = [];
    for (const order of ordersOf({ K: 3, P: 4 })) {
      const world = await waitingIn('AWAITING_PIX');
      const { ports, purchase } = world;
      ports.pix.charges.set(purchase.id, aCharge(purchase, [aReceivedPix(purchase)]));

      const found = await race(world, { K: denied, P: callback }, order);

      await receivePayment(purchase.id, ports);
      await expectMoneyHasOneEnd(world);
      const isCanceled = found.status === 'CANCELED';
      expect(found, order).toMatchObject({ K: isCanceled ? 'DONE' : 'TRANSACTION_NOT_CANCELABLE' });
      ends.push(found.status);
    }

    expect(new Set(ends)).toEqual(new Set(['PROCESSING', 'CANCELED']));
  });
});
