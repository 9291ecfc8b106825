import { describe, expect, it } from 'vitest';
import {
  daysKept,
  type Kept,
  type Mortal,
  RETENTION,
  retentionEndOf,
  ttlOf,
} from '../../functions/domain/retention.ts';

const at = (text: string) => Date.parse(text);
const secondsOf = (text: string) => at(text) / 1000;
const entries = Object.entries(RETENTION) as [string, Kept][];

describe('each kind of kept data', () => {
  it.each(entries)('%s states its content, its personal data, its reason and its time', (_, kept) => {
    for (const words of [kept.what, kept.personal, kept.because]) expect(words.length).toBeGreaterThan(3);
    if (kept.life !== 'FOR_EVER') expect(kept.from).not.toBe('');
  });

  it.each(entries)('%s names its ground in the LGPD, or states why it needs none', (_, kept) => {
    const isPublic = /public|shows to everybody|once the purchase is gone|as in the tables/.test(
      `${kept.personal} ${kept.because}`,
    );

    const hasGround = /LGPD art\. 7|^(DUTY|CONTRACT|NO_LGPD)\b/.test(kept.because);
    expect(hasGround || isPublic || kept.life !== 'FOR_EVER').toBe(true);
  });

  it.each(entries.filter(([, { life }]) => life === 'FOR_EVER'))(
    '%s is kept for ever and holds only public data of a client',
    (_, { personal }) => {
      expect(personal).toMatch(/^none|publish|everybody/);
      expect(personal).not.toMatch(/CPF|birth|keyed/);
    },
  );
});

describe('the end of a row’s life', () => {
  // docs/operations.md, "A client's rights"
  it('is ten whole years from the first day of the next year, where the law requires it', () => {
    const lawful: Mortal[] = [
      'clients',
      'kycRecords',
      'partnerTokenUses',
      'evidence',
      'cases',
      'transactions',
      'unmatchedPayments',
    ];

    for (const kept of lawful) {
      expect(ttlOf(kept, at('2026-01-01T00:00:00Z'))).toBe(secondsOf('2037-01-01T00:00:00Z'));
      expect(ttlOf(kept, at('2026-12-31T23:59:59.999Z'))).toBe(secondsOf('2037-01-01T00:00:00Z'));
      expect(ttlOf(kept, at('2027-01-01T00:00:00Z'))).toBe(secondsOf('2038-01-01T00:00:00Z'));
    }
  });

  it.each([
    ['rateCounts', '2026-11-20T12:02:00Z'],
    ['idempotencyKeys', '2026-11-21T12:00:00Z'],
    ['callbacks', '2027-02-18T12:00:00Z'],
    ['events', '2027-11-20T12:00:00Z'],
    ['deliveries', '2027-11-20T12:00:00Z'],
  ] as const)('is for %s %s, if it began on 2026-11-20 at noon', (kept, end) => {
    expect(ttlOf(kept, at('2026-11-20T12:00:00Z'))).toBe(secondsOf(end));
  });

  it('is in whole seconds, and never before the end that the domain uses', () => {
    const now = at('2026-11-20T12:00:00.001Z');

    expect(ttlOf('idempotencyKeys', now) * 1000).toBeGreaterThanOrEqual(retentionEndOf({ days: 1 }, now));
    expect(Number.isInteger(ttlOf('idempotencyKeys', now))).toBe(true);
  });

  it('is in seconds since the epoch in any century', () => {
    expect(ttlOf('evidence', at('2099-06-01T00:00:00Z'))).toBe(secondsOf('2110-01-01T00:00:00Z'));
  });
});

it('is given to the infrastructure in days', () => {
  expect([daysKept('logs'), daysKept('sandboxLogs'), daysKept('queues')]).toEqual([365, 7, 14]);
});
