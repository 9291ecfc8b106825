import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { postingRow } from '../../functions/adapters/dynamodb/ledger.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { openDelivery } from '../../functions/domain/partners/deliveries.ts';
import type { ExecutionRecord } from '../../functions/domain/purchase/execution.ts';
import { postingsOf } from '../../functions/domain/purchase/postings.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { StepVisit } from '../../functions/domain/purchase/story-facts.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { checkWalletRisk } from '../../functions/steps/check-wallet-risk.ts';
import { confirmPixPayment } from '../../functions/steps/confirm-pix-payment.ts';
import { settleStablecoin } from '../../functions/steps/settle-stablecoin.ts';
import type { Desk } from '../../operations/desk.ts';
import { type Shown, shownLines } from '../../operations/shown.ts';
import { dossier } from '../../operations/stores/dossier.ts';
import { txCommands } from '../../operations/tx.ts';
import { putApproved } from '../support/approved.ts';
import { aClient, MINUTE_MS, WALLET } from '../support/builders.ts';
import {
  newEndToEndId,
  newId,
  openPorts,
  putPurchaseIn,
  START_AT,
  type TestPorts,
} from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const HASH = `0x${'cd'.repeat(32)}`;
const OTHER_HASH = `0x${'ef'.repeat(32)}`;

/** A desk on its own tables, where the machine stands as `visits` says. */
function openDesk() {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const visits = new Map<string, StepVisit>();
  const records = new Map<string, ExecutionRecord>();
  const desk = {
    ...ports,
    dossier: dossier(tables.client, tables.names),
    executions: { findExecution: async (name: string) => records.get(name) },
    visits: { findVisit: async (name: string) => visits.get(name) },
  } as unknown as Desk;
  const put = (table: 'settlements' | 'moneyCases' | 'cases' | 'ledger', row: object) =>
    tables.client.send(new PutCommand({ TableName: tables.names[table], Item: row }));
  const [{ run }] = txCommands as [(typeof txCommands)[number]];
  const show = async (text: string) =>
    shownLines((await run({ words: [text], flags: {}, ask: async () => '' }, desk)) as Shown);
  return { ports, visits, records, put, show, dossier: desk.dossier };
}

type Opened = ReturnType<typeof openDesk>;

async function bought(status: Status, changes: Partial<Transaction> = {}) {
  const desk = openDesk();
  const purchase = await putPurchaseIn(desk.ports, status, changes);
  const { clientId: id, partnerId } = purchase;
  await desk.ports.clients.create(aClient({ id, partnerId }));
  desk.ports.clock.advance(2 * 60 * MINUTE_MS);
  return { ...desk, purchase, head: async () => (await desk.show(purchase.id)).slice(0, 5).join('\n') };
}

type StepName = 'CheckWalletRisk' | 'ConfirmPixPayment' | 'SettleStablecoin';
const STEPS = {
  CheckWalletRisk: checkWalletRisk,
  ConfirmPixPayment: confirmPixPayment,
  SettleStablecoin: settleStablecoin,
};

/** The step is run, and the machine keeps its error as it does in a history. */
async function failing(step: StepName, { visits, ports, purchase }: Opened & { purchase: Transaction }) {
  const input = { transactionId: purchase.id, checkedAt: ports.clock.now() };
  const failed: unknown = await STEPS[step](input, ports).catch((error: unknown) => error);
  const { name: error, message } = failed as Error;
  const [since, nextBy] = [START_AT + 60 * MINUTE_MS, START_AT + 121 * MINUTE_MS];
  const obstacle = { step, error, message, since, times: 14, nextBy };
  visits.set(purchase.id, { name: purchase.id, status: 'RUNNING', step, enteredAt: since, obstacle });
}

const down = (name: string) => async () => {
  throw new Unavailable(name);
};

type Cut = [
  dependency: string,
  step: StepName,
  arrange: (ports: TestPorts) => void,
  cause: string,
  todo: string,
];
const CUTS: Cut[] = [
  [
    'the screening vendor',
    'CheckWalletRisk',
    (ports) => Object.assign(ports.walletRisk, { check: down('the wallet screening provider') }),
    'CheckWalletRisk: the wallet screening provider is unavailable',
    'compliance may choose `walletScreening=none`',
  ],
  [
    'the payment provider',
    'ConfirmPixPayment',
    (ports) => Object.assign(ports.pix, { findCharge: down('the Pix provider') }),
    'ConfirmPixPayment: the Pix provider is unavailable',
    '$PixSecret',
  ],
  [
    'the chain, before the transfer',
    'CheckWalletRisk',
    (ports) => Object.assign(ports.walletRisk, { check: down('chain RPC') }),
    'CheckWalletRisk: chain RPC is unavailable',
    '$ChainSecret',
  ],
  [
    'the chain, after the transfer',
    'SettleStablecoin',
    ({ treasury }) =>
      Object.assign(treasury, { outcome: { state: 'PENDING', doing: 'chain RPC is unavailable' } }),
    'SettleStablecoin waits: the provider (`chain RPC`, `KMS`) does not answer (chain RPC is unavailable)',
    'Restore it',
  ],
  [
    'KMS, at the signature',
    'SettleStablecoin',
    ({ treasury }) => Object.assign(treasury, { outcome: { state: 'PENDING', doing: 'KMS is unavailable' } }),
    '(KMS is unavailable)',
    'Restore it',
  ],
];

describe('the first five lines of a purchase', () => {
  // docs/decisions.md, "Facts that partners learn"
  test.each(CUTS)('name the cause while %s is cut', async (_, step, arrange, cause, todo) => {
    const desk = await bought('PROCESSING');
    arrange(desk.ports);
    await failing(step, desk);

    const head = await desk.head();

    expect(head).toMatch(/^state +PROCESSING since /m);
    expect(head).toContain(cause);
    expect(head).toContain('14 times since ');
    expect(head).toMatch(/^next +.* at the latest \(in 1 min\)$/m);
    expect(head).toContain(todo);
  });

  test('name a webhook that its partner does not take', async () => {
    const desk = await bought('COMPLETED', { sequence: 1 });
    await announce(desk, { attempts: 2, lastStatusCode: 503, nextAttemptAt: START_AT + 121 * MINUTE_MS });

    const head = await desk.head();

    expect(head).toContain('COMPLETED');
    expect(head).toContain('transaction.completed does not reach the endpoint we_1: HTTP 503, 2 times');
    expect(head).toContain('Tell the partner');
  });

  test('name a parked webhook, and the command that sends it again', async () => {
    const desk = await bought('COMPLETED', { sequence: 1 });
    await announce(desk, { attempts: 11, status: 'PARKED', parkedAt: START_AT });

    expect(await desk.head()).toContain(`deliveries redeliver --event ${desk.purchase.id}.1`);
  });

  test('say that no execution drives the purchase, and when the sweeper looks', async () => {
    const { head } = await bought('PROCESSING');

    expect(await head()).toContain('no execution drives the purchase');
    expect(await head()).toMatch(/^next +due since /m);
  });

  test('say that the bank refuses the refund, and when it is tried again', async () => {
    const reason = 'PAYER_MISMATCH';
    const refund = { status: 'PENDING', endToEndId: 'E1', amountCentavos: 1, reason, tries: 3 } as const;
    const desk = await bought('FAILED', {
      failure: { reason },
      refund: { ...refund, nextTryAt: START_AT + 180 * MINUTE_MS },
    });

    expect(await desk.head()).toContain('did not make the refund (PAYER_MISMATCH), 3 times');
    expect(await desk.head()).toContain('(in 1 h)');
  });

  test('name the open case, and what to do about it', async () => {
    const desk = await bought('COMPLETED');
    const { id: transactionId, clientId } = desk.purchase;
    const id = `MED_REFUND#${transactionId}`;
    const row = { id, kind: 'MED_REFUND', status: 'OPEN', openedAt: START_AT, transactionId, facts: {} };
    await desk.put('moneyCases', { ...row, clientId });

    expect(await desk.head()).toContain(`(case ${id})`);
    expect(await desk.head()).toContain(`cases show ${id}`);
  });

  test.each([
    ['AWAITING_MFA', 'the client has not typed a valid code (0 tried)'],
    ['AWAITING_PIX', 'the client has not paid'],
    ['EXPIRED', 'the client did not answer the challenge in time'],
    ['CANCELED', 'the partner canceled it'],
  ] as const)('of a purchase that is %s and well say so', async (status, cause) => {
    const hour = 24 * 60 * MINUTE_MS;
    const desk = await bought(status, { expiresAt: START_AT + hour });
    desk.visits.set(desk.purchase.id, { name: desk.purchase.id, status: 'RUNNING', step: 'Await' });

    expect(await desk.head()).toContain(cause);
  });
});

async function announce({ ports, purchase }: Opened & { purchase: Transaction }, changes: object) {
  const event = {
    id: `${purchase.id}.1`,
    partnerId: purchase.partnerId,
    at: START_AT,
    sequence: 1,
    data: {},
  };
  await ports.announcements.announce({ ...event, type: 'transaction.completed' });
  await ports.events.assign(event.id, ['we_1']);
  await ports.deliveries.save({ ...openDelivery(event, 'we_1'), ...changes });
}

describe('a KYC record that no purchase has used', () => {
  test.each([
    [{ unanswered: ['CPF_REGISTRY'] }, 'no answer of the CPF registry', '$CpfRegistrySecret'],
    [{ unanswered: ['IDENTITY_PROVIDER'] }, 'no answer of the identity provider', '$IdentitySecret'],
    [{ openPairs: ['pair'] }, 'a reviewer must decide', 'reviews show'],
    [{ personType: 'PJ' }, 'the CNPJ is missing', 'Nothing.'],
    [{}, 'has not passed the check of document and face', 'Nothing.'],
  ] as const)('that is PENDING with %o names its cause', async (changes, cause, todo) => {
    const { ports, show } = openDesk();
    const id = newId();
    const of = {
      kycToken: `kyc_${id}`,
      partnerId: 'p',
      clientId: id,
      model: 1,
      createdAt: START_AT,
    } as const;
    const nextCheckAt = START_AT + MINUTE_MS;
    await putApproved(ports, of, { status: 'PENDING', nextCheckAt, ...(changes as object) });

    const lines = await show(of.kycToken);

    expect(lines).toHaveLength(5);
    expect(lines.join('\n')).not.toContain('0 times');
    expect(lines.join('\n')).toContain('PENDING');
    expect(lines.join('\n')).toContain(cause);
    expect(lines.join('\n')).toContain(todo);
    expect(lines.join('\n')).not.toContain(of.kycToken);
  });
});

describe('a purchase', () => {
  // docs/decisions.md, "Lists and searches"
  test('is found by its id, its beginning, its end-to-end id, hash, wallet, externalId and KYC token', async () => {
    const desk = await bought('COMPLETED', { externalId: 'order-4711', txHash: HASH });
    const { id, payment, kycToken } = desk.purchase;
    for (const posting of postingsOf(desk.purchase)) await desk.put('ledger', postingRow(posting));

    for (const text of [
      ...[id, id.toLowerCase(), id.slice(0, 12), payment!.endToEndId, HASH, WALLET, WALLET.toLowerCase()],
      ...['order-4711', kycToken],
    ])
      expect((await desk.show(text))[0], text).toContain(id);
  });

  test.each(['', ' ', 'x'.repeat(10_000), 'a\u0000b'])(
    'is not looked for by a text that is no id: %j',
    async (text) => {
      await expect(openDesk().show(text)).rejects.toThrow('An id has 1 to 200 characters');
    },
  );

  test('is found by the hash of a transaction that is signed, but not mined yet', async () => {
    const desk = await bought('PROCESSING');
    const { id } = desk.purchase;
    const attempts = [HASH, OTHER_HASH].map((hash) => ({ kind: 'pay', hash, raw: '0xraw', at: START_AT }));
    await desk.put('settlements', { id: `PAY#${id}`, transactionId: id, tries: [], attempts });

    for (const text of [HASH, HASH.toUpperCase().replace('0X', '0x'), OTHER_HASH])
      expect((await desk.show(text))[0], text).toContain(id);
  });

  test('is found without the read of a whole table', async () => {
    const desk = await bought('COMPLETED');
    desk.dossier.listWhere = async () => Promise.reject(new Error('a whole table was read'));

    for (const text of [HASH, WALLET, newEndToEndId(), 'order-4711', 'kyc_NOTHING'])
      await desk.show(text).catch(({ name }: Error) => expect([text, name]).toEqual([text, 'Refused']));
  });

  test('is chosen from a table if several fit', async () => {
    const desk = await bought('COMPLETED');
    const other = await putPurchaseIn(desk.ports, 'EXPIRED');

    const lines = await desk.show(WALLET);

    expect(lines[0]).toMatch(/^PURCHASE +OPENED +STATUS/);
    expect(lines.at(-1)).toContain('2 purchases fit');
    for (const { id, status } of [desk.purchase, other])
      expect(lines).toContainEqual(expect.stringMatching(new RegExp(`${id} .*${status}`)));
  });

  test.each(['nothing', '01JD4G', 'E00000000202611201200abcdefghijk', HASH, WALLET, 'kyc_NOTHING'])(
    'that is unknown by %s is refused',
    async (text) => {
      await expect(openDesk().show(text)).rejects.toMatchObject({
        name: 'Refused',
        message: expect.stringContaining(text),
      });
    },
  );

  // docs/decisions.md, "Facts that partners learn"
  test('is told with its past outages, which are no cause any more', async () => {
    const { purchase, records, show } = await bought('PROCESSING', {
      executions: 1,
      obstacle: {
        step: 'making the Pix charge',
        status: 'AWAITING_MFA',
        error: 'Unavailable',
        message: 'the Pix provider is unavailable',
        since: START_AT,
        times: 2,
      },
    });
    const details = { error: 'Unavailable', cause: { errorMessage: 'chain RPC is unavailable' } };
    const at = (minutes: number) => new Date(START_AT + minutes * MINUTE_MS).toISOString();
    records.set(purchase.id, {
      name: purchase.id,
      events: [
        { type: 'TaskStateEntered', details: { name: 'CheckWalletRisk' }, at: at(1) },
        ...[2, 3, 5].map((minute) => ({ type: 'LambdaFunctionFailed', details, at: at(minute) })),
        { type: 'LambdaFunctionSucceeded', at: at(9) },
      ],
    });

    const lines = await show(purchase.id);

    expect(lines.slice(0, 5).join('\n')).not.toContain('chain RPC');
    const told = lines.join('\n');
    expect(told).toMatch(
      /21:02:00 +CheckWalletRisk failed until 2098-12-31 21:09:00, 3 tries: chain RPC is unavailable/,
    );
    expect(told).toMatch(/21:00:00 +making the Pix charge failed, 2 tries: the Pix provider is unavailable/);
  });

  test('says that its webhooks were erased, and when', async () => {
    const { show, purchase } = await bought('COMPLETED', { erasedAt: Date.UTC(2026, 10, 28, 15) });

    expect((await show(purchase.id)).join('\n')).toMatch(
      /^ +webhooks +2026-11-28 12:00:00 +erased on request$/m,
    );
  });

  test('says that it has no webhooks', async () => {
    const { show, purchase } = await bought('COMPLETED');

    expect((await show(purchase.id)).join('\n')).toMatch(/^ +webhooks +- +none$/m);
  });

  test('is told with its checks, transfer and webhooks, and with nothing personal', async () => {
    const desk = await bought('COMPLETED', { sequence: 1, txHash: HASH });
    const { id, clientId, kycToken } = desk.purchase;
    const attempts = [{ kind: 'pay', hash: HASH, raw: '0xraw', at: START_AT + 3 * MINUTE_MS }];
    const mined = { state: 'FINAL', wallet: '0xhot', nonce: 7, blockNumber: 42, txHash: HASH };
    await desk.put('settlements', {
      id: `PAY#${id}`,
      transactionId: id,
      tries: ['REVERTED'],
      attempts,
      ...mined,
    });
    await announce(desk, { attempts: 1, status: 'DELIVERED', tried: [{ at: START_AT, statusCode: 204 }] });
    await checkWalletRisk({ transactionId: id }, desk.ports);

    const text = (await desk.show(id)).join('\n');

    expect(text).toContain('KYC: APPROVED; tier: STANDARD (SubmitKyc)');
    expect(text).toContain('Wallet check: clear (CheckWalletRisk)');
    expect(text).toContain(`The transfer was signed: ${HASH}`);
    expect(text).toContain('nonce 7 of 0xhot; failed tries: REVERTED');
    expect(text).toContain('Webhook transaction.completed to we_1: HTTP 204');
    for (const secret of [clientId, kycToken, '0xraw', 'MARIA', 'cipher']) expect(text).not.toContain(secret);
  });
});
