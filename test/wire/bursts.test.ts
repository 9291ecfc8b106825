import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { namespaceOf } from '../../functions/domain/watching/metrics.ts';
import { REFUSAL_ALARMS } from '../../functions/domain/watching/refusal-alarms.ts';
import { type Point, pointsIn } from '../support/embedded-metrics.ts';
import {
  approvedClient,
  call,
  confirmMfa,
  editRow,
  expectRefusal,
  initiate,
  openPurchase,
  statusPath,
  submitKyc,
  wrongCodeOf,
} from '../support/partner-api.ts';
import { newWallet } from '../support/purchases.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { newPartner, rowOf, sandbox } from '../support/sandbox.ts';

type AlarmName = keyof typeof REFUSAL_ALARMS;

/** The points that CloudWatch gives to the alarm's metric: `test/infra/alarms.test.ts` compares the template. */
function valuesOf(name: AlarmName, since: number): number[] {
  const { source } = REFUSAL_ALARMS[name];
  const dimensions = ('dimensions' in source && source.dimensions) || {};
  const isOfAlarm = (point: Point) =>
    point.namespace === namespaceOf('sandbox') &&
    point.name === source.name &&
    point.at >= since &&
    JSON.stringify(point.dimensions) === JSON.stringify(dimensions);
  const lines = readFileSync(sandbox().metricLines, 'utf8').trimEnd().split('\n');
  return pointsIn(lines)
    .filter(isOfAlarm)
    .map(({ value }) => value);
}

function reached(name: AlarmName, since: number): number {
  const values = valuesOf(name, since);
  const { statistic } = REFUSAL_ALARMS[name].source;
  return statistic === 'Maximum' ? Math.max(0, ...values) : values.reduce((sum, value) => sum + value, 0);
}

/** Expects that the events since this instant ring the alarm. */
const expectRinging = (name: AlarmName, since: number) =>
  expect.poll(() => reached(name, since)).toBeGreaterThanOrEqual(REFUSAL_ALARMS[name].threshold);

describe('a burst rings its alarm', () => {
  // Threat: "somebody guesses keys or codes"
  test('of unknown keys', async () => {
    const since = Date.now();
    const apiKey = `sk_sandbox_demo_key9_${'0'.repeat(16)}`;

    for (let round = 0; round < 25; round++) {
      const four = Array.from({ length: 4 }, () => call('GET', statusPath('0'.repeat(26)), { apiKey }));
      for (const answer of await Promise.all(four)) expectRefusal(answer, 'INVALID_API_KEY', {});
    }

    await expectRinging('ManyUnknownKeys', since);
  });

  // Threat: "somebody guesses keys or codes"
  test('of wrong codes, five tries at a time', async () => {
    const since = Date.now();
    const purchase = await openPurchase();
    const { clientId } = (await rowOf('TablesTransactions', purchase.id))!;

    for (let round = 0; round < 10; round++) {
      const guesses = [0, 1, 2, 3, 4].map((at) => wrongCodeOf(purchase, at));
      const answers = await Promise.all(
        guesses.map((code) => confirmMfa(purchase.apiKey, purchase.id, code)),
      );
      for (const answer of answers) expectRefusal(answer, 'MFA_INVALID_CODE');
      await editRow('TablesTransactions', purchase.id, { mfaAttempts: 0 });
      await editRow('TablesClients', String(clientId), { wrongCodes: 0, lockedUntil: undefined });
    }

    await expectRinging('ManyWrongCodes', since);
  });

  // Threat: "a thief with many clients' codes sends to new wallets"
  // Threat: "one client sends to many wallets"
  test('of new wallets of one client: one alarm counts them in an hour, another the client’s wallets', async () => {
    const since = Date.now();
    const { apiKey, kycToken } = await approvedClient();
    const { clientId } = (await rowOf('TablesKycRecords', kycToken))!;
    const wallets = new Set(Array.from({ length: 8 }, newWallet));
    await editRow('TablesClients', String(clientId), { wallets });

    for (let at = 0; at < 10; at++) {
      const { status } = await initiate(apiKey, aPurchase(kycToken, { walletAddress: newWallet() }));
      expect(status).toBe(200);
    }

    await expectRinging('ManyNewWallets', since);
    await expectRinging('ManyWalletsOfClient', since);
  });

  test('of look-ups beyond the quota of a partner', async () => {
    const since = Date.now();
    const { apiKey } = await newPartner({ registryQuota: { perDay: 0 } });

    expectRefusal(await submitKyc(apiKey, aSubmission()), 'KYC_QUOTA_EXCEEDED');

    await expectRinging('RegistryQuotaUsedUp', since);
  });
});
