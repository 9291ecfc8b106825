/**
 * Counts the cost of a purchase on AWS. It counts the calls of each function, how many calls wait for each other, and
 * the state transitions of Step Functions. The figures are counted on the booted template, not estimated.
 */

import { GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn';
import { generateSync } from 'otplib';
import { createOnrampClient } from '../client/onramp-client.ts';
import { getAt } from '../functions/domain/get.ts';
import { startSandbox } from '../sandbox/sandbox.ts';

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const BIOMETRIC_HASH = `sha256:${'ab'.repeat(32)}`;
/** Every call is delayed by this time, so that calls that wait for each other start clearly apart. */
const HOLD_MS = 40;

type Call = { functionName: string; operation: string; startedAt: number };
/** These functions run by the clock. They and the other callers below are no part of a purchase. */
const CLOCK = [
  'SweepStuckTransactions',
  'ReconcilePix',
  'ReturnUnmatchedPayments',
  'ReadTreasuryFloat',
  'ReconcileBooks',
];
const OTHERS = ['operator', 'SimulatorsFunction', 'PayTransaction', ...CLOCK];
const calls: Call[] = [];
/** True while the benchmark polls for the end, because its reads are no part of the purchase. */
let isWaiting = false;

const sandbox = await startSandbox({
  onLog: ({ line }) => /"level":"ERROR"/.test(line) && console.error(line),
  faults: {
    before: async ({ functionName, service, operation }) => {
      if (isWaiting && functionName?.includes('GetTransactionStatus')) return;
      calls.push({
        functionName: functionName?.replace(/^OnrampSandbox-(.*?)[0-9A-F]{8}$/, '$1') ?? 'operator',
        operation: `${service}:${operation}`,
        startedAt: performance.now(),
      });
      await new Promise((resolve) => setTimeout(resolve, HOLD_MS));
    },
  },
});
const client = createOnrampClient({ apiKey: sandbox.apiKey, baseUrl: sandbox.url });

/** Buys once. The first purchase warms up every function; only the second is counted. */
async function buy(cpf: string): Promise<string> {
  const { token } = await client.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH });
  await client.getKycStatus(token);
  const { transactionId, authChallenge } = await client.initiateTransaction({
    kycToken: token,
    amountBrl: 250,
    asset: 'USDC',
    walletAddress: WALLET,
  });
  const { otpauthUri } = (authChallenge as { enrollment: { otpauthUri: string } }).enrollment;
  const secret = new URL(otpauthUri).searchParams.get('secret') ?? '';
  await client.confirmMfa({ transactionId, totpCode: generateSync({ secret }) });
  await client.getTransactionStatus(transactionId);
  await client.sandbox.pay(transactionId);
  isWaiting = true;
  await client.waitForStatus(transactionId, ['COMPLETED'], { intervalMs: 2000 });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  isWaiting = false;
  return transactionId;
}

/** The number of round trips that follow each other. Calls that start together count as one. */
function depthOf(own: Call[]): number {
  const starts = own.map((call) => call.startedAt).sort((a, b) => a - b);
  return starts.filter((start, index) => index === 0 || start - getAt(starts, index - 1) > HOLD_MS / 2)
    .length;
}

function report(): void {
  const names = [...new Set(calls.map((call) => call.functionName))].filter((name) => !OTHERS.includes(name));
  for (const name of names.sort()) {
    const own = calls.filter((call) => call.functionName === name);
    const counted = own.map((call) => call.operation.replace('dynamodb:', ''));
    console.log(
      `${name.padEnd(22)} ${String(own.length).padStart(3)} calls, depth ${depthOf(own)}: ${counted.join(' ')}`,
    );
  }
}

async function transitionsOf(transactionId: string): Promise<void> {
  const { endpoint, region } = sandbox.cloud;
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const sfn = new SFNClient({ endpoint, region, credentials });
  const machine = sandbox.cloud.physical('MachineOnramp');
  const executionArn = `${machine.replace(':stateMachine:', ':execution:')}:${transactionId}`;
  const history = await sfn.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }));
  const entered = (history.events ?? []).filter((event) => event.type?.endsWith('StateEntered'));
  const names = entered.map((event) => event.stateEnteredEventDetails?.name);
  const failed = (history.events ?? []).filter((event) => event.type === 'LambdaFunctionFailed').length;
  const parts = `start, ${names.length} states, ${failed} retries`;
  console.log(`\nState transitions of a purchase: ${names.length + failed + 1} (${parts})`);
  console.log(names.join(' → '));
}

try {
  await buy('529.982.247-25');
  calls.length = 0;
  const transactionId = await buy('390.533.447-05');
  report();
  await transitionsOf(transactionId);
} finally {
  await sandbox.stop();
}
