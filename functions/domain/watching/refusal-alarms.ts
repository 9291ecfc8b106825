import type { ErrorCode } from '../errors.ts';
import type { Alarm, AlarmSource, Runbook } from './alarm.ts';

type Burst = Pick<Alarm, 'threshold' | 'minutes'> & { source: Extract<AlarmSource, { kind: 'OWN' }> };
type RefusalAlarm = Runbook & Burst;

/** The alarm that rings if `threshold` requests are refused with this code within five minutes. */
const burstOf = (code: ErrorCode, threshold: number): Burst => ({
  source: { kind: 'OWN', name: 'Refusals', dimensions: { code }, statistic: 'Sum' },
  threshold,
  minutes: 5,
});

/** The first look at these refusals. docs/runbooks.md has the shell's function `said`. */
const linesWith = (code: ErrorCode): string => `\`said "request answered" code=${code}\`.`;
const FURTHER = '`said "a purchase for a further wallet"`.';

/**
 * Alarms about unusually many refusals, or purchases for new wallets. A thief with a stolen key or code would
 * cause them. A single refusal is usually normal.
 */
export const REFUSAL_ALARMS = {
  ManyUnknownKeys: {
    when: 'A hundred requests or more came with an unknown key',
    means: 'Somebody tries keys, or a partner uses a revoked one.',
    look: linesWith('INVALID_API_KEY'),
    ends: 'Tell the partner whose address it is. A stranger: set `requestsPerIp` in `cdk.json`.',
    urgency: 'TODAY',
    ...burstOf('INVALID_API_KEY', 100),
  },
  ManyWrongCodes: {
    when: 'Fifty TOTP codes or more were wrong',
    means: 'Somebody guesses codes of many clients: each purchase has five tries.',
    look: linesWith('MFA_INVALID_CODE'),
    ends: 'Ask the partner. A stolen key: `ops keys revoke`.',
    urgency: 'NOW',
    ...burstOf('MFA_INVALID_CODE', 50),
  },
  RegistryQuotaUsedUp: {
    when: 'A partner has used up its daily quota of paid look-ups',
    means: 'It submits nobody until midnight in Brasília.',
    look: linesWith('KYC_QUOTA_EXCEEDED'),
    ends: 'Ask the partner. Then `ops partners quota`, or `ops keys revoke`.',
    urgency: 'TODAY',
    ...burstOf('KYC_QUOTA_EXCEEDED', 1),
  },
  PromisesUsedUp: {
    when: 'Ten quotes or charges were refused: a sum of open promises is used up',
    means: 'Partners see 503. If the sum is an asset’s, it is not sold.',
    look: `\`ops treasury show\` has the sums. ${linesWith('PROMISES_EXHAUSTED')}`,
    ends:
      'They end within half an hour. Suspend a partner that charges and does not pay, or raise ' +
      '`promiseLimits` in `cdk.json`.',
    urgency: 'NOW',
    ...burstOf('PROMISES_EXHAUSTED', 10),
  },
  ManyPricesRefused: {
    when: 'Twenty quotes, purchases or charges were refused: no price can be trusted',
    means: 'If `PriceNotTrusted` does not ring, the books are too thin for large amounts.',
    look: '`said "a purchase has no price"`; `ops treasury show`.',
    ends: '[Sales that stopped](operations.md#sales-that-stopped).',
    urgency: 'NOW',
    ...burstOf('PRICE_UNAVAILABLE', 20),
  },
  ManyNewWallets: {
    when: 'Ten purchases in an hour went to new wallets of clients with three or more',
    means: 'Somebody may hold their codes.',
    look: FURTHER,
    ends: 'Ask the partner. A stolen key: `ops keys revoke`. Stolen codes: `ops totp reset`.',
    urgency: 'NOW',
    source: { kind: 'OWN', name: 'FurtherWallets', statistic: 'Sum' },
    threshold: 10,
    minutes: 60,
  },
  ManyWalletsOfClient: {
    when: 'A client of eight wallets or more bought for a new one',
    means: 'The client may sell to others, or a thief has the codes.',
    look: `${FURTHER} \`wallets\` is the client’s number.`,
    ends: 'Ask the partner. Stolen codes: `ops totp reset`. A false client: `ops fraud block`.',
    urgency: 'TODAY',
    source: { kind: 'OWN', name: 'WalletsOfClient', statistic: 'Maximum' },
    threshold: 9,
    minutes: 60,
  },
} as const satisfies Record<string, RefusalAlarm>;
