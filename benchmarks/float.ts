/**
 * `npm run bench:float`
 *
 * Counts the write units of a reservation, beside more and more open reservations of the asset. It counts those of its
 * raise, of its release and of a reading, too.
 */
import { floatUnits } from './float-units.ts';

const OPEN = [10, 100, 1000, 10_000];

const counted = [];
for (const open of OPEN) counted.push(await floatUnits(open));
console.table(counted);
