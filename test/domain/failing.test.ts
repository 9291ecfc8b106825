import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BACKOFF_MINUTES } from '../../functions/domain/partners/deliveries.ts';
import { type FailingPeriod, failingAfter, isPauseDue } from '../../functions/domain/partners/failing.ts';
import { missedRanges } from '../../functions/domain/partners/replays.ts';
import { AT, MINUTE_MS, NOW } from '../support/builders.ts';

const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const at = (now: number) => ({ ...AT, now });

/** The period after failures at these times since `NOW`. */
const failedAt = (...times: number[]) =>
  times.reduce<FailingPeriod | undefined>((period, time) => failingAfter(period, at(NOW + time)), undefined)!;

describe('the time in which an endpoint fails', () => {
  it('begins with the first failure, and notes one of an hour', () => {
    expect(failedAt(0)).toEqual({ since: NOW, lastAt: NOW });
    const noted = failedAt(0);
    expect(failingAfter(noted, at(NOW + HOUR_MS - 1))).toBe(noted);
    expect(failedAt(0, HOUR_MS)).toEqual({ since: NOW, lastAt: NOW + HOUR_MS });
  });

  // docs/decisions.md, "Webhooks"
  it('begins anew after two days without an attempt', () => {
    expect(failedAt(0, 2 * DAY_MS).since).toBe(NOW);
    expect(failedAt(0, 2 * DAY_MS + 1).since).toBe(NOW + 2 * DAY_MS + 1);
  });

  it('outlasts each pause between two attempts', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...BACKOFF_MINUTES)), (pauses) => {
        let time = 0;
        const times = pauses.map((minutes) => {
          time += minutes * MINUTE_MS;
          return time;
        });
        expect(failedAt(0, ...times).since).toBe(NOW);
      }),
    );
  });

  it('pauses the endpoint after five days', () => {
    expect(isPauseDue(failedAt(0), at(NOW + 5 * DAY_MS - 1))).toBe(false);
    expect(isPauseDue(failedAt(0), at(NOW + 5 * DAY_MS))).toBe(true);
  });
});

describe('the ranges that an endpoint has missed', () => {
  it('are none if it was never stopped', () => {
    expect(missedRanges({})).toEqual([]);
  });

  it('end a minute after it was enabled, because clocks differ', () => {
    const resumed = { missedFrom: NOW, at: NOW + DAY_MS };
    expect(missedRanges({ resumed })).toEqual([{ from: NOW, to: NOW + DAY_MS + MINUTE_MS }]);
  });

  it('cover the whole time without a gap, each in one replay', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 * DAY_MS }), (length) => {
        const ranges = missedRanges({ resumed: { missedFrom: NOW, at: NOW + length } });
        expect(ranges[0]?.from).toBe(NOW);
        expect(ranges.at(-1)?.to).toBe(NOW + length + MINUTE_MS);
        for (const [index, { from, to }] of ranges.entries()) {
          expect(to).toBeGreaterThan(from);
          expect(to - from).toBeLessThanOrEqual(31 * DAY_MS);
          if (index > 0) expect(from).toBe(ranges[index - 1]!.to);
        }
      }),
    );
  });
});
