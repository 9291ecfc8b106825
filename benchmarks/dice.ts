import { getAt } from '../functions/domain/get.ts';

/** A whole number from 0 to before `sides`. */
export type Dice = (sides: number) => number;

/** The random number generator mulberry32. The same seed gives the same numbers in every run. */
export function diceFrom(seed: number): Dice {
  let state = seed >>> 0;
  return (sides) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * sides);
  };
}

export const pick = <Item>(items: readonly Item[], dice: Dice) => getAt(items, dice(items.length));
export const digits = (length: number, dice: Dice) => Array.from({ length }, () => dice(10)).join('');
/** True in so many of a hundred cases. */
export const happens = (percent: number, dice: Dice) => dice(100) < percent;

/** Picks a row at random. The chance of a row is its weight, divided by the sum of all weights. */
export function pickWeighted<Row extends { weight: number }>(rows: readonly Row[], dice: Dice): Row {
  let left = dice(rows.reduce((sum, { weight }) => sum + weight, 0));
  for (const row of rows) {
    if (left < row.weight) return row;
    left -= row.weight;
  }
  throw new Error('a table of weights is empty');
}

export const dayIn = (year: number, dice: Dice) => {
  const [month, day] = [1 + dice(12), 1 + dice(28)].map((each) => String(each).padStart(2, '0'));
  return `${year}-${month}-${day}`;
};
