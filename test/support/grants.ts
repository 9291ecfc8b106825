/** Prints the grants that the last runs of the shared sandboxes did not use, with the reasons. */
import { reportGrants } from './grant-report.ts';

const { decisions, differing, explained, unexplained, uncalled } = await reportGrants(['anvil', 'simulated']);
console.log(
  `${decisions} decisions; ${differing.length} of them are judged otherwise by the second evaluator.`,
);
for (const decision of differing) console.log(JSON.stringify(decision));
console.log(`\n${uncalled.length} functions that no test called, so that their grants are not judged:`);
console.log(`  ${uncalled.join(', ')}`);
console.log(`\n${unexplained.length} unused grants without a reason:`);
for (const line of unexplained) console.log(`  ${line}`);
console.log(`\n${explained.length} unused grants with a reason:`);
for (const [line, reason] of explained) console.log(`  ${line}: ${reason}`);
