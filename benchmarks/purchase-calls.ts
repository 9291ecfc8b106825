/**
 * Counts the calls of each function during one purchase in the sandbox, and the state transitions of Step
 * Functions. The sandbox runs the real template, so the figures are not estimates. They are counts, so a busy
 * machine does not change them.
 */
import { GetExecutionHistoryCommand, SFNClient } from '@aws-sdk/client-sfn';
import { generateCpf } from '@brazilian-utils/brazilian-utils';
import { PATIENCE, type Sandbox, type SandboxOptions, startSandbox } from '../sandbox/sandbox.ts';
import { buyerOf } from './buy.ts';
import { CALL_MARK, type Call, depthOf } from './traced-call.ts';

const PRELOAD = new URL('./trace-calls.ts', import.meta.url).pathname;
/** DeliverWebhook ends soon after the purchase. */
const AFTERWARDS_MS = 2000;

export type Visit = { functionName: string; calls: Call[]; startedAt: number };
/**
 * `visits` has the invocations of all functions, the earliest first. `states` has the states in the order in
 * which the purchase entered them.
 */
export type Purchase = { visits: Visit[]; states: string[]; retries: number };

/** Makes one purchase with warm functions, and returns all calls that the functions made during it. */
export async function measurePurchase(options: SandboxOptions = {}): Promise<Purchase> {
  let visits = new Map<string, Visit>();
  const sandbox = await startSandbox({
    ...options,
    preload: PRELOAD,
    onLog: ({ functionName, line }) => {
      if (/"level":"ERROR"/.test(line)) console.error(line);
      if (line.startsWith(CALL_MARK)) add(visits, shortNameOf(functionName), line);
    },
  });
  try {
    const { submit, buy } = buyerOf({
      apiKey: sandbox.apiKey,
      baseUrl: sandbox.url,
      timeoutMs: 30_000 * PATIENCE,
    });
    await buy(generateCpf());
    // Two submissions at the same time need a second instance of `SubmitKyc`. It has a data key of its own,
    // and answers the next submission. The other functions do not know that data key, so they decrypt it with
    // KMS. In production they mostly must do so, too.
    await Promise.all([submit(generateCpf()), submit(generateCpf())]);
    visits = new Map();
    const transactionId = await buy(generateCpf());
    await new Promise((resolve) => setTimeout(resolve, AFTERWARDS_MS));
    const sorted = [...visits.values()].sort((one, other) => one.startedAt - other.startedAt);
    return { visits: sorted, ...(await readStates(sandbox, transactionId)) };
  } finally {
    await sandbox.stop();
  }
}

/** The sandbox's own functions. Their calls are no part of a purchase. */
const OTHERS = ['SimulatorsFunction', 'PayTransaction'];
const shortNameOf = (functionName: string) => functionName.replace(/^OnrampSandbox-(.*?)[0-9A-F]{8}$/, '$1');

function add(visits: Map<string, Visit>, functionName: string, line: string): void {
  if (OTHERS.includes(functionName)) return;
  const call = JSON.parse(line.slice(CALL_MARK.length)) as Call;
  const visit = visits.get(call.invocation) ?? { functionName, calls: [], startedAt: call.startedAt };
  visit.calls.push(call);
  visit.startedAt = Math.min(visit.startedAt, call.startedAt);
  visits.set(call.invocation, visit);
}

async function readStates({ cloud }: Sandbox, transactionId: string) {
  const { endpoint, region } = cloud;
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const sfn = new SFNClient({ endpoint, region, credentials });
  const machine = cloud.physical('MachineOnramp');
  const executionArn = `${machine.replace(':stateMachine:', ':execution:')}:${transactionId}`;
  const { events = [] } = await sfn.send(new GetExecutionHistoryCommand({ executionArn, maxResults: 1000 }));
  const states = events.flatMap(({ stateEnteredEventDetails }) => stateEnteredEventDetails?.name ?? []);
  return { states, retries: events.filter(({ type }) => type === 'LambdaFunctionFailed').length };
}

/** The deepest visit of each function. */
export function deepestOf({ visits }: Pick<Purchase, 'visits'>): Map<string, Visit> {
  const deepest = new Map<string, Visit>();
  for (const visit of visits) {
    const known = deepest.get(visit.functionName);
    if (!known || depthOf(visit.calls) > depthOf(known.calls)) deepest.set(visit.functionName, visit);
  }
  return deepest;
}

/** The state transitions that Step Functions bills: the start, each entered state, and each retry. */
export const transitionsOf = ({ states, retries }: Pick<Purchase, 'states' | 'retries'>) =>
  1 + states.length + retries;

/** The functions that run between the provider's callback and the broadcast of the transfer. */
const PAID_TO_SENT = [
  'PixReceived',
  'ProcessCallback',
  'CheckWalletRisk',
  'ConfirmPixPayment',
  'SettleStablecoin',
];
const SEND = 'chain:eth_sendRawTransaction';

/**
 * Returns the calls from the provider's callback to the broadcast of the transfer, by function. The broadcast
 * itself is left out.
 */
export function paidToSent({ visits }: Pick<Purchase, 'visits'>): Visit[] {
  const sentAt = Math.min(
    ...visits.flatMap(({ calls }) => calls.filter(({ name }) => name === SEND).map((call) => call.startedAt)),
  );
  return visits
    .filter(({ functionName }) => PAID_TO_SENT.includes(functionName))
    .map((visit) => ({ ...visit, calls: visit.calls.filter(({ endedAt }) => endedAt <= sentAt) }))
    .filter(({ calls }) => calls.length > 0);
}
