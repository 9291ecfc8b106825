/** Prints the grants that the last run of the shared sandbox's tests did not use, with the reasons. */
import { reportGrants } from './grant-report.ts';
import { reasonOf } from './unused-grants.ts';

const { decisions, differing, unused, unexplained } = await reportGrants(['anvil', 'simulated']);
console.log(
  `${decisions} decisions; ${differing.length} of them are judged otherwise by the second evaluator.`,
);
for (const decision of differing) console.log(JSON.stringify(decision));
console.log(`\n${unexplained.length} unused grants without a reason:`);
for (const line of unexplained) console.log(`  ${line}`);
console.log(`\n${unused.length - unexplained.length} unused grants with a reason:`);
for (const line of unused) if (reasonOf(line)) console.log(`  ${line}: ${reasonOf(line)}`);
