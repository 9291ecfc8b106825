import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  countedScopes,
  hasPlentyLeft,
  minuteOf,
  RATE_LIMITS,
  type RateScope,
  rateAnswer,
} from '../../functions/domain/partners/rate-limit.ts';

describe('the limits', () => {
  // Spec, Limits: "Per API key: 100 requests per minute"
  it('are those of the specification, per minute and key', () => {
    expect(RATE_LIMITS).toEqual({ all: 100, kyc: 20, initiate: 50, report: 6 });
  });

  it.each([
    ['all', ['all']],
    ['kyc', ['all', 'kyc']],
    ['initiate', ['all', 'initiate']],
  ] as const)('count a request of scope %s in %o', (scope, scopes) => {
    expect(countedScopes(scope)).toEqual(scopes);
  });

  it.each([
    [0, 0],
    [59_999, 0],
    [60_000, 1],
    [Date.parse('2026-11-20T12:34:56.789Z'), Date.parse('2026-11-20T12:34:00Z') / 60_000],
  ])('put the instant %d into minute %d', (now, minute) => {
    expect(minuteOf(now)).toBe(minute);
  });
});

describe('a key', () => {
  it.each([
    [{}, 'kyc', true],
    [{ all: 49, kyc: 9 }, 'kyc', true],
    [{ all: 50, kyc: 9 }, 'kyc', false],
    [{ all: 49, kyc: 10 }, 'kyc', false],
    [{ all: 49, kyc: 10 }, 'initiate', true],
  ] as const)('with the counts %o has plenty left for %s: %s', (counts, scope, expected) => {
    expect(hasPlentyLeft(counts, scope)).toBe(expected);
  });
});

describe('the answer of the rate limiter', () => {
  it.each([
    [{ all: 1 }, 'all', { limit: 100, remaining: 99 }],
    [{ all: 100 }, 'all', { limit: 100, remaining: 0 }],
    [{ all: 1, kyc: 1 }, 'kyc', { limit: 20, remaining: 19 }],
    [{ all: 90, kyc: 1 }, 'kyc', { limit: 100, remaining: 10 }],
    [{ all: 80, kyc: 0 }, 'kyc', { limit: 100, remaining: 20 }],
    [{ all: 50, initiate: 50 }, 'initiate', { limit: 50, remaining: 0 }],
    [{ all: 101, kyc: 21 }, 'kyc', { limit: 100, remaining: 0 }],
    [{}, 'initiate', { limit: 50, remaining: 50 }],
    [{ all: 10, kyc: 20 }, 'all', { limit: 100, remaining: 90 }],
  ] as const)('gives for the counts %o in scope %s the tighter limit', (counts, scope, answer) => {
    expect(rateAnswer(counts, scope, 0)).toMatchObject(answer);
  });

  it.each([
    [0, 60],
    [1, 60],
    [999, 60],
    [1000, 59],
    [59_000, 1],
    [59_999, 1],
    [60_000, 60],
  ])('resets at %d milliseconds in %d seconds', (now, resetSeconds) => {
    expect(rateAnswer({ all: 1 }, 'all', now).resetSeconds).toBe(resetSeconds);
  });

  it('never sends a caller back before the next minute, and never reports less than zero', () => {
    const scopes = fc.constantFrom<RateScope>('all', 'kyc', 'initiate');
    const counts = fc.record({ all: fc.nat(300), kyc: fc.nat(300), initiate: fc.nat(300) });
    fc.assert(
      fc.property(scopes, counts, fc.nat(), (scope, counted, now) => {
        const { remaining, resetSeconds, limit } = rateAnswer(counted, scope, now);
        expect(minuteOf(now + resetSeconds * 1000)).toBe(minuteOf(now) + 1);
        expect(remaining >= 0 && remaining <= limit).toBe(true);
        expect(resetSeconds >= 1 && resetSeconds <= 60).toBe(true);
      }),
    );
  });
});
