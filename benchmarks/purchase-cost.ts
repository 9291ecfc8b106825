/**
 * What a purchase costs on AWS: the calls of each function, how deep they follow each other, and the state
 * transitions that Step Functions charges. Counted on the booted template, not estimated.
 */
import { GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn';
import { generateSync } from 'otplib';
import { createOnrampClient } from '../client/onramp-client.ts';
import { startSandbox } from '../sandbox/sandbox.ts';

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const BIOMETRIC_HASH = `sha256:${'ab'.repeat(32)}`;
/** Every call is held this long, so that calls which wait for each other start clearly apart. */
const HOLD_MS = 40;

type Call = { functionName: string; operation: string; startedAt: number };
/** Not of the purchase: the set-up, the simulated providers, and what runs by the clock. */
const CLOCK = [
  'SweepStuckTransactions',
  'ReconcilePix',
  'ReturnUnmatchedPayments',
  'ReadTreasuryFloat',
  'ReconcileBooks',
];
const OTHERS = ['operator', 'SimulatorsFunction', 'PayTransaction', ...CLOCK];
const calls: Call[] = [];
/** Asking for the end again and again is ours, not the purchase's. */
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

/** Two purchases: the first warms every function up, the second is counted. */
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
  const secret = new URL(otpauthUri).searchParams.get('secret')!;
  await client.confirmMfa({ transactionId, totpCode: generateSync({ secret }) });
  await client.getTransactionStatus(transactionId);
  await client.sandbox.pay(transactionId);
  isWaiting = true;
  await client.waitForStatus(transactionId, ['COMPLETED'], { intervalMs: 2000 });
  await new Promise((resolve) => setTimeout(resolve, 1000));
  isWaiting = false;
  return transactionId;
}

/** Calls that start together count one level: how many round trips a caller waits for, one after the other. */
function depthOf(own: Call[]): number {
  const starts = own.map((call) => call.startedAt).sort((a, b) => a - b);
  return starts.filter((start, index) => index === 0 || start - starts[index - 1]! > HOLD_MS / 2).length;
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
  console.log(
    `\nState transitions of a purchase: ${names.length + failed + 1} (start, ${names.length} states, ${failed} retries)`,
  );
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
