/**
 * Observes the calls of one function instance: each request of `node:http` and `node:https`, to AWS, the
 * providers or the chain. The sandbox imports this file into each instance before its handler (`preload`).
 *
 * Each answer is held for the same number of turns of the event loop. Calls that start together therefore
 * overlap, even if each is very quick. A busy machine makes the turns longer, but there are not fewer of
 * them.
 */
import http from 'node:http';
import https from 'node:https';
import { syncBuiltinESMExports } from 'node:module';
import { CALL_MARK, type Call } from './traced-call.ts';

const HOLD_TURNS = 20;
const TURN_MS = 2;

async function hold(): Promise<void> {
  for (let turn = 0; turn < HOLD_TURNS; turn++) {
    await new Promise((resolve) => setTimeout(resolve, TURN_MS));
  }
}
const now = () => performance.timeOrigin + performance.now();
/** The id of the invocation. The local cloud sets this variable anew for each invocation. */
const invocation = () => process.env._X_AMZN_TRACE_ID ?? '';

function note(call: Call): void {
  process.stdout.write(`${CALL_MARK}${JSON.stringify(call)}\n`);
}

type Options = http.RequestOptions;
const SERVICES: Record<string, string> = {
  TrentService: 'kms',
  AWSStepFunctions: 'states',
  AmazonSQS: 'sqs',
};

/**
 * Names a call of AWS after its service and operation, and any other call after its HTTP method and path. For
 * a call of the chain, `traced` replaces the name by that of the JSON-RPC method.
 */
function nameOf(request: http.ClientRequest): string {
  const [service = '', operation] = String(request.getHeader('x-amz-target') ?? '').split('.');
  if (operation === undefined) return `${request.method} ${request.path.split('?')[0]?.replace(IDS, '…')}`;
  return `${SERVICES[service] ?? service.replace(/_.*/, '').toLowerCase()}:${operation}`;
}
const IDS = /[0-9a-zA-Z-;=]{20,}|\d{11}/g;

const chainNameOf = (body: unknown) => {
  const [, method] = /^\{"jsonrpc":.*?"method":"(\w+)"/.exec(String(body)) ?? [];
  return method && `chain:${method}`;
};

function traced<Module extends typeof http | typeof https>(module: Module): void {
  const requestAtOnce = module.request as (...args: unknown[]) => http.ClientRequest;
  module.request = ((...args: [URL | Options, Options, ((answer: http.IncomingMessage) => void)?]) => {
    const request = requestAtOnce(...args);
    const call = { invocation: invocation(), name: nameOf(request), startedAt: now() };
    const end = request.end.bind(request) as (...body: unknown[]) => http.ClientRequest;
    request.end = (...body: unknown[]) => {
      call.name = chainNameOf(body[0]) ?? call.name;
      return end(...body);
    };
    const emit = request.emit.bind(request) as (...event: unknown[]) => boolean;
    request.emit = (event: string | symbol, ...values: unknown[]) => {
      if (event !== 'response') return emit(event, ...values);
      void hold().then(() => {
        note({ ...call, endedAt: now() });
        emit(event, ...values);
      });
      return true;
    };
    return request;
  }) as Module['request'];
}
// A provider answers in the time of one call, however often its simulator reads its own table.
if (!process.env.AWS_LAMBDA_FUNCTION_NAME?.includes('Simulators')) {
  traced(http);
  traced(https);
  syncBuiltinESMExports();
}
