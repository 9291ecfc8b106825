import { QueryCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Candidate } from '../../functions/domain/screening/screening.ts';
import { rescreenClients } from '../../functions/schedules/rescreen-clients.ts';
import { checkWalletRisk } from '../../functions/steps/check-wallet-risk.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { type Fate, mortalOutside } from '../support/mortal-process.ts';
import { aPurchaseIn } from '../support/ports.ts';
import { approvedClient, events, onList, openWorld, recordOf } from '../support/rescreening.ts';
import { memoryTables, type Tables, tapped } from '../support/tables.ts';

// Each world has its own tables, because a run reads everything.
let tables: Tables;
beforeEach(() => {
  tables = memoryTables();
});
async function renewTables() {
  tables = memoryTables();
}

const KINDS: [string, Candidate[], { status: string; riskTier: string; told: string[]; cases: number }][] = [
  [
    'rejects',
    [onList('UN_SC')],
    { status: 'REJECTED', riskTier: 'STANDARD', told: ['kyc.rejected'], cases: 1 },
  ],
  [
    'holds',
    [onList('UN_SC', 0.8)],
    { status: 'PENDING', riskTier: 'STANDARD', told: ['kyc.pending'], cases: 1 },
  ],
  ['raises', [onList('BR_PEP')], { status: 'APPROVED', riskTier: 'PEP', told: [], cases: 0 }],
  ['keeps', [], { status: 'APPROVED', riskTier: 'STANDARD', told: [], cases: 0 }],
];
const FATES = (['killed', 'failed'] as const).flatMap((kind) =>
  (['before', 'after'] as const).map((when) => ({ kind, when })),
);

/** A client with two tokens and these hits, and processes that may die at any call. */
async function listed(candidates: Candidate[]) {
  const outside = mortalOutside();
  const world = openWorld(
    tapped(tables, (send) => (command) => outside.reach(command.constructor.name, () => send(command))),
  );
  const client = await approvedClient(world);
  const second = await client.again();
  world.publish(2, { [client.cpf]: candidates });
  const run = (fate?: Fate) => {
    world.ports.clock.advance(MINUTE_MS);
    return outside.run(() => rescreenClients(world.ports).catch((error) => ({ error })), fate);
  };
  return { world, outside, run, tokens: [client.token, second.token] };
}

const evidenceAbout = async (subject: string) => {
  const query = {
    TableName: tables.names.evidence,
    IndexName: 'subject',
    KeyConditionExpression: 'subject = :subject',
    ExpressionAttributeValues: { ':subject': subject },
  };
  return (await tables.client.send(new QueryCommand(query))).Count!;
};
const allCases = async () =>
  (await tables.client.send(new ScanCommand({ TableName: tables.names.cases }))).Items!;

type Listed = Awaited<ReturnType<typeof listed>>;
type Expected = (typeof KINDS)[number][2];

/** After any crash each record has its outcome, and each outcome has one event, one evidence, and its case. */
async function expectDone({ world, tokens }: Listed, { told, cases, ...outcome }: Expected) {
  for (const token of tokens) {
    expect(await recordOf(world.ports, { token })).toMatchObject({
      ...outcome,
      screenedWith: world.ports.sanctions.index.version,
    });
    // The evidence of the submission, and another one if there was something to decide.
    expect(await evidenceAbout(token)).toBe(outcome.riskTier === 'STANDARD' && cases === 0 ? 1 : 2);
  }
  const types = (await events(world.ports)).map(({ type, data }) => [type, data.token]);
  expect(types.sort()).toEqual(tokens.flatMap((token) => told.map((type) => [type, token])).sort());
  expect(await allCases()).toHaveLength(cases);
}

describe.each(FATES)('a run that is $kind $when any call', (fate) => {
  test.each(KINDS)('%s in the next run, once', async (_, candidates, expected) => {
    const calls: string[] = [];
    for (let at = 1; ; at++) {
      expect(at).toBeLessThan(40);
      await renewTables();
      const case_ = await listed(candidates);
      await case_.run({ ...fate, at });
      const call = case_.outside.struckAt();
      await case_.run();
      await expectDone(case_, expected);
      if (call === undefined) break;
      calls.push(call);
    }

    expect(calls).toContain(
      expected.status === 'APPROVED' && expected.cases === 0 && candidates.length === 0
        ? 'UpdateCommand'
        : 'TransactWriteCommand',
    );
  });
});

describe.each(FATES)('a check before settlement that is $kind $when any call', (fate) => {
  test.each([
    ['refuses', [onList('UN_SC')], 'CLIENT_REFUSED'],
    ['holds', [onList('UN_SC', 0.8)], 'ReviewPending'],
  ] as const)('%s when it is repeated', async (_, candidates, name) => {
    for (let at = 1; ; at++) {
      expect(at).toBeLessThan(40);
      await renewTables();
      const { world, outside, tokens } = await listed([...candidates]);
      const [kycToken] = tokens;
      const { clientId, partnerId } = await recordOf(world.ports, { token: kycToken! });
      const purchase = aPurchaseIn('PROCESSING', { kycToken, clientId, partnerId });
      await world.ports.transactions.create(purchase);
      const visit = (how?: Fate) => {
        world.ports.clock.advance(1000);
        const check = () => checkWalletRisk({ transactionId: purchase.id }, world.ports);
        return outside.run(
          () =>
            check().then(
              () => 'PASSED',
              (error: Error) => error.name,
            ),
          how,
        );
      };
      expect(await visit({ ...fate, at })).not.toBe('PASSED');
      const isOver = outside.struckAt() === undefined;

      expect(await visit()).toBe(name);

      expect(await evidenceAbout(purchase.id)).toBeGreaterThan(0);
      const told = (await events(world.ports)).map(({ type }) => type);
      expect(told).toEqual([name === 'CLIENT_REFUSED' ? 'kyc.rejected' : 'kyc.pending']);
      expect(await allCases()).toHaveLength(1);
      if (isOver) break;
    }
  });
});

describe('two runs at once', () => {
  test.each(KINDS)('%s once', async (_, candidates, expected) => {
    const one = await listed(candidates);
    const runs = await Promise.all([
      one.run(),
      rescreenClients(one.world.ports),
      rescreenClients(one.world.ports),
    ]);

    expect(runs).not.toContain('KILLED');
    await expectDone(one, expected);
  });
});
