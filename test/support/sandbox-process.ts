/**
 * The process of the sandbox that all tests of a run share. It sends its addresses to its parent. It ends when the
 * parent disconnects.
 */
import { once } from 'node:events';
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { controlKeyOf } from '../../sandbox/seed.ts';
import { collectDecisions } from './decisions.ts';
import type { SharedSandbox } from './global-sandbox.ts';
import { HURRIED_MINUTE_MS } from './hurried.ts';

// Ctrl-C reaches this process too, but only the runner reacts. It disconnects, and this process then removes its
// temporary files.
process.on('SIGINT', () => undefined);
once(process, 'disconnect').then(async () => {
  const started = await starting.catch(() => undefined);
  await started?.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit();
});

const folder = mkdtempSync(join(tmpdir(), 'shared-sandbox-'));
const metricLines = join(folder, 'metric-lines.jsonl');
const chain = process.argv[2] === 'simulated' ? 'simulated' : 'anvil';
const starting = startSandbox({
  minuteSeconds: HURRIED_MINUTE_MS / 1000,
  chain,
  onLog: ({ line }) => line.includes('"_aws"') && appendFileSync(metricLines, `${line}\n`),
  onDecision: collectDecisions(chain),
});
const { url, rpcUrl, cloud, certificates } = await starting;
const shared: SharedSandbox = {
  url,
  callbacksUrl: cloud.apis['onramp-callbacks-sandbox']!,
  pspCertificate: certificates.provider,
  rpcUrl,
  outputs: cloud.outputs,
  region: cloud.region,
  awsEndpoint: cloud.endpoint,
  simulatorsUrl: cloud.apis['onramp-simulators']!,
  controlKey: controlKeyOf(cloud),
  metricLines,
  refs: Object.fromEntries(Object.entries(cloud.resources).map(([id, { ref }]) => [id, ref])),
};
process.send!(shared);
