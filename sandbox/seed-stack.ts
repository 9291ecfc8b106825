/**
 * `npm run seed -- --outputs <file>` prepares a deployed sandbox for its first purchases: docs/operations.md,
 * "Deploying".
 */
import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { readTarget } from '../operations/outputs.ts';
import { misused } from '../operations/words.ts';
import { seed } from './seed.ts';

const SECRET_BYTES = 24;

const { values } = parseArgs({ options: { outputs: { type: 'string' } } });

async function main(path: string | undefined): Promise<void> {
  if (path === undefined) misused('Give --outputs <file>, of cdk deploy --outputs-file <file>.');
  const target = readTarget(path);
  if (target.stage !== 'sandbox') misused(`${target.name} is of the stage ${target.stage}, not a sandbox.`);
  const text = `sk_sandbox_demo_key1_${randomBytes(SECRET_BYTES).toString('hex')}`;
  await seed(target, {
    partners: [{ id: 'demo', name: 'Demo Exchange', status: 'ACTIVE', keys: [{ text, status: 'ACTIVE' }] }],
    webhookSecret: `whsec_${randomBytes(SECRET_BYTES).toString('base64')}`,
  });
  console.log(`ready ${target.outputs.ApiUrl} key ${text}`);
}

await main(values.outputs).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = error.name === 'Misused' ? 2 : 1;
});
