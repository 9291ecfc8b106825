/**
 * Prints the cost of a purchase on AWS beside the aims (`AIMS`). The cost is given in calls, in calls that
 * follow one another, and in state transitions.
 */
import { loadavg } from 'node:os';
import { AIMS } from './purchase-aims.ts';
import { deepestOf, measurePurchase, paidToSent, transitionsOf } from './purchase-calls.ts';
import { type Call, depthOf } from './traced-call.ts';

const inOrder = (calls: readonly Call[]) =>
  [...calls]
    .sort((one, other) => one.startedAt - other.startedAt)
    .map(({ name }) => name.replace(/^dynamodb:/, ''))
    .join(' ');

function print(name: string, calls: readonly Call[], aim?: number): void {
  const figures = `${String(calls.length).padStart(3)} calls, depth ${String(depthOf(calls)).padStart(2)}`;
  console.log(`${name.padEnd(22)} ${figures}${aim === undefined ? '' : ` (aim ${aim})`}: ${inOrder(calls)}`);
}

console.log(
  `Calls of each function in a purchase, providers and the chain included, load ${loadavg()[0]?.toFixed(1)}`,
);
const purchase = await measurePurchase();
const aims: Partial<Record<string, number>> = AIMS.depth;
for (const [name, { calls }] of [...deepestOf(purchase)].sort()) print(name, calls, aims[name]);

console.log('\nFrom the callback of the payment to the broadcast of the transfer');
const way = paidToSent(purchase);
for (const { functionName, calls } of way) print(functionName, calls);
const inARow = way.reduce((sum, { calls }) => sum + depthOf(calls), 0);
console.log(`${inARow} calls in a row (aim ${AIMS.paidToSent})`);

const { states, retries } = purchase;
const parts = `start, ${states.length} states, ${retries} retries`;
console.log(`\nState transitions: ${transitionsOf(purchase)} (aim ${AIMS.transitions}; ${parts})`);
console.log(states.join(' → '));
