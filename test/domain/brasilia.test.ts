import { expect, it } from 'vitest';
import { dayInBrasilia, endOfDayInBrasilia } from '../../functions/domain/time.ts';

it.each([
  ['2026-11-20T02:59:59.999Z', '2026-11-19'],
  ['2026-11-20T03:00:00.000Z', '2026-11-20'],
  ['2027-01-01T02:30:00.000Z', '2026-12-31'],
  // In summer. Brazil has had no summer time since 2019.
  ['2026-01-15T02:30:00.000Z', '2026-01-14'],
])('the instant %s is %s in Brasília', (instant, day) => {
  expect(dayInBrasilia(Date.parse(instant))).toBe(day);
});

it.each([
  ['2026-11-20', '2026-11-21T03:00:00.000Z'],
  ['2026-12-31', '2027-01-01T03:00:00.000Z'],
])('the day %s ends in Brasília at %s', (day, instant) => {
  expect(endOfDayInBrasilia(day)).toBe(Date.parse(instant));
});

it('a date that does not exist never ends', () => {
  expect(endOfDayInBrasilia('20/11/2026')).toBeNaN();
});
