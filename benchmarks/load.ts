/**
 * `npm run load`: makes many purchases at once in a sandbox of its own. It fails if one purchase, ledger
 * posting or webhook is lost, or if a purchase fails that should not. `-- --purchases 30 --at-once 8` changes
 * the load.
 */
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { runLoad } from './load-run.ts';
import { lineOf, stateLines } from './load-times.ts';
import { usageOf } from './process-tree.ts';

const { values } = parseArgs({
  options: { purchases: { type: 'string', default: '500' }, 'at-once': { type: 'string', default: '24' } },
});
const load = () =>
  loadavg()
    .map((each) => each.toFixed(1))
    .join(' ');

const startedAt = Date.now();
console.log(`Load of this machine before: ${load()}`);
const report = await runLoad({
  purchases: Number(values.purchases),
  atOnce: Number(values['at-once']),
  say: (line) => console.log(line),
});

console.log(`\nEnds: ${JSON.stringify(report.ends)}`);
for (const line of report.failures) console.log(`Failed: ${line}`);
console.log(`Webhooks: ${report.webhooks.received} received of ${report.webhooks.events} events`);
console.log(`Executions that the sweep started: ${report.restarted}`);
console.log(`\n${'Requests'.padEnd(22)}  calls    p50 s    p95 s`);
for (const [endpoint, times] of report.answered) console.log(lineOf(endpoint, times));
console.log(lineOf('paid to end', report.paidToEnd));
console.log(`\n${'States'.padEnd(22)}  calls    p50 s    p95 s wait p50 wait p95`);
for (const line of stateLines(report.stays)) console.log(line);
const { cpuSeconds } = usageOf(process.pid);
const wallSeconds = (Date.now() - startedAt) / 1000;
console.log(`\n${Math.round(wallSeconds)} s, ${Math.round(cpuSeconds)} s of CPU, load ${load()}`);
console.log(
  report.findings.length === 0 ? 'Nothing is lost: purchases, chain, ledger and webhooks agree.' : '',
);
for (const finding of report.findings) console.error(finding);
process.exitCode = report.findings.length === 0 ? 0 : 1;
