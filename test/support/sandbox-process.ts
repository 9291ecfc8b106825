/** The process of the sandbox that all tests of a run share: it tells where it is, and ends with who started it. */
import { startSandbox } from '../../sandbox/sandbox.ts';
import { controlKeyOf } from '../../sandbox/seed.ts';
import type { SharedSandbox } from './global-sandbox.ts';
import { HURRIED_MINUTE_MS } from './hurried.ts';

// Ctrl-C is for the runner, which lets go of us: ended at once, we would leave temporary files behind.
process.on('SIGINT', () => undefined);
process.once('disconnect', async () => {
  const started = await starting.catch(() => undefined);
  await started?.stop();
  process.exit();
});

const starting = startSandbox({ minuteSeconds: HURRIED_MINUTE_MS / 1000 });
const { url, rpcUrl, cloud } = await starting;
const shared: SharedSandbox = {
  ...{ url, rpcUrl, outputs: cloud.outputs, region: cloud.region, awsEndpoint: cloud.endpoint },
  simulatorsUrl: cloud.apis['onramp-simulators']!,
  controlKey: controlKeyOf(cloud),
  refs: Object.fromEntries(Object.entries(cloud.resources).map(([id, { ref }]) => [id, ref])),
};
process.send!(shared);
