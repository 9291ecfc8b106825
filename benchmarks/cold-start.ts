/**
 * Measures the cold start of endpoints. A new process imports the function and answers its first request
 * against the sandbox, with all adapters that the request reaches. The floor is the least possible cold
 * start. There, a function in the same kind of bundle makes the plain DynamoDB client and reads one row.
 *
 * The figure is CPU time, because a cold start waits for its CPU. `purchase-cost.ts` counts the calls that
 * follow one another.
 */
import { loadavg } from 'node:os';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import { generateSync } from 'otplib';
import { getAt } from '../functions/domain/get.ts';
import { type Cold, type ColdWorld, type Endpoint, startColdWorld } from './cold-world.ts';

const RUNS = 9;
const AIM = 1.5;
const BIOMETRIC_HASH = `sha256:${'ab'.repeat(32)}`;
const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';

/**
 * Makes one cold start of each measured endpoint: first those of one purchase, which is canceled, then those
 * of the partner's account.
 */
async function requestEach({ request }: ColdWorld, note: (name: Endpoint, cold: Cold) => void) {
  const measure = async (...[name, ...rest]: Parameters<ColdWorld['request']>) => {
    const cold = await request(name, ...rest);
    note(name, cold);
    return cold.data;
  };
  const { token = '' } = await measure(
    'SubmitKyc',
    {},
    { cpf: generateCpf(), biometricHash: BIOMETRIC_HASH },
  );
  await measure('GetKycStatus', { kycToken: token });
  const order = { kycToken: token, amountBrl: 250, asset: 'USDC', walletAddress: WALLET };
  const started = (await measure('InitiateTransaction', {}, order)) as unknown as Started;
  const id = started.transactionId;
  const secret = new URL(started.authChallenge.enrollment.otpauthUri).searchParams.get('secret') ?? '';
  await measure('ConfirmMfa', { id }, { totpCode: generateSync({ secret }) });
  await measure('GetTransactionStatus', { id });
  await measure('CancelTransaction', { id });
  await measure('GetPartner');
  const { id: endpointId = '' } = await measure(
    'AddWebhookEndpoint',
    {},
    { url: 'https://example.com/hooks' },
  );
  await measure('RotateWebhookSecret', { endpointId });
  await measure('RemoveWebhookEndpoint', { endpointId });
}
type Started = { transactionId: string; authChallenge: { enrollment: { otpauthUri: string } } };

const median = (values: number[]) =>
  getAt(
    values.toSorted((a, b) => a - b),
    Math.floor(values.length / 2),
  );

const world = await startColdWorld();
try {
  const floors: Cold[] = [];
  const taken = new Map<Endpoint, Cold[]>();
  // The measurements are interleaved, so that a busy moment of the machine affects all of them.
  for (let run = 0; run < RUNS; run++) {
    floors.push(await world.floor());
    await requestEach(world, (name, cold) => taken.set(name, [...(taken.get(name) ?? []), cold]));
  }
  const cpuOf = (colds: Cold[]) => median(colds.map(({ cpuMs }) => cpuMs));
  const wallOf = (colds: Cold[]) => median(colds.map(({ wallMs }) => wallMs));
  const floor = cpuOf(floors);
  const show = (name: string, colds: Cold[]) =>
    `${name.padEnd(24)} ${cpuOf(colds).toFixed(0).padStart(4)} ms of CPU, ${wallOf(colds).toFixed(0).padStart(4)} ms`;
  console.log(`Cold starts with the first request, median of ${RUNS}, load ${loadavg()[0]?.toFixed(1)}`);
  console.log(show('DynamoDB client alone', floors));
  for (const [name, colds] of taken) {
    const times = cpuOf(colds) / floor;
    console.log(`${show(name, colds)}: ${times.toFixed(2)} × (aim ${AIM})${times > AIM ? '  MISSED' : ''}`);
  }
} finally {
  await world.stop();
}
