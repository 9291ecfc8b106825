/**
 * `npm run bench:float`
 *
 * Counts the write units of a reservation, of its increase, of its release, and of a reading of the treasury
 * (`floatUnits`). It repeats this with more and more other open reservations of the asset.
 */
import { floatUnits } from './float-units.ts';

const OPEN = [10, 100, 1000, 10_000];

const counted = [];
for (const open of OPEN) counted.push(await floatUnits(open));
console.table(counted);
