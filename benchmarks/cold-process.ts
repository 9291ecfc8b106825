/**
 * Measures one cold start in a process of its own: the import of the handler, and its first event. It prints
 * the milliseconds and the answer as one line of JSON.
 */
import { pathToFileURL } from 'node:url';

const [file = '', event = '{}'] = process.argv.slice(2);
const LIMIT_MS = 25_000;
const context = { getRemainingTimeInMillis: () => LIMIT_MS, awsRequestId: 'cold' };

const startedAt = performance.now();
const cpuBefore = process.cpuUsage();
const { handler } = (await import(pathToFileURL(file).href)) as {
  handler: (event: unknown, context: unknown) => Promise<unknown>;
};
const answer = await handler(JSON.parse(event), context);
const { user, system } = process.cpuUsage(cpuBefore);
const wallMs = performance.now() - startedAt;
process.stdout.write(`${JSON.stringify({ wallMs, cpuMs: (user + system) / 1000, answer })}\n`);
process.exit(0);
