import { createHash } from 'node:crypto';
import { startKms } from '../../sandbox/cloud/kms.ts';
import type { Template } from '../../sandbox/cloud/template.ts';
import { awsError, type Fields, isAwsError, text } from '../../sandbox/cloud/wire.ts';
import type { Outside, Request } from './crash-edge.ts';

/** STS's answer to whoever runs a command. */
const OPERATOR = '<Arn>arn:aws:sts::000000000000:assumed-role/Operators/operator</Arn>';

/** The number of treasury keys. Each purchase of a campaign uses its own. */
const KEYS = 40;

/** Step Functions as a process sees it: the executions started, the waits resumed and the executions running. */
export type Machine = {
  running: Set<string>;
  started: string[];
  resumed: { taskToken: string; transactionId: string; status: string }[];
};

type Backends = {
  /** The URL of the database with the tables. */
  database: string;
  /** The URL behind each first part of a path: the nodes of the chain, and the payment provider. */
  paths: Record<string, string>;
  /** The secret under an ARN. Its content depends on the address of the process that reads it. */
  secretOf(arn: string): object;
};

/**
 * All services outside of the processes of a campaign. The processes share them, so the effects of a dead process
 * stay.
 */
export function openCloud({ database, paths, secretOf }: Backends) {
  const machine: Machine = { running: new Set(), started: [], resumed: [] };
  const queued: Fields[] = [];
  const kms = startKms(templateOfKeys());
  const services: Record<string, (operation: string, input: Fields) => Fields | Promise<Fields>> = {
    TrentService: (operation, input) => kms.call(operation, input),
    AWSStepFunctions: (operation, input) => answerMachine(machine, operation, input),
    secretsmanager: (_, { SecretId }) => ({
      ARN: SecretId,
      SecretString: JSON.stringify(secretOf(text(SecretId))),
    }),
    AmazonSQS: (_, { MessageBody }) => {
      queued.push(JSON.parse(text(MessageBody)) as Fields);
      const MD5OfMessageBody = createHash('md5').update(text(MessageBody)).digest('hex');
      return { MessageId: String(queued.length), MD5OfMessageBody };
    },
  };

  const outside: Outside = async (request) => {
    const [service = '', operation = ''] = (request.headers['x-amz-target'] ?? '').split('.');
    if (service === 'DynamoDB_20120810') return forward(database, '/', request);
    if (service !== '')
      return answer(() => services[service]!(operation, JSON.parse(request.body) as Fields));
    if (request.body.startsWith('Action=GetCallerIdentity')) return { status: 200, body: OPERATOR };
    const [, place = '', rest = ''] = /^\/([^/]+)(.*)$/.exec(request.url) ?? [];
    return forward(paths[place]!, rest || '/', request);
  };
  return { outside, machine, queued };
}

async function forward(to: string, path: string, { method, headers, body }: Request) {
  const init = { method, headers, ...(body !== '' && { body }) };
  const response = await fetch(`${to}${path}`, init);
  return { status: response.status, body: await response.text() };
}

async function answer(work: () => Fields | Promise<Fields>) {
  try {
    return { status: 200, body: JSON.stringify(await work()) };
  } catch (error) {
    if (!isAwsError(error)) throw error;
    return { status: error.status, body: JSON.stringify({ __type: error.name, message: error.message }) };
  }
}

function answerMachine(machine: Machine, operation: string, input: Fields): Fields {
  if (operation === 'DescribeExecution') {
    const name = text(input.executionArn).split(':').at(-1)!;
    if (!machine.running.has(name)) throw awsError('ExecutionDoesNotExist', name);
    return { status: 'RUNNING' };
  }
  if (operation === 'StartExecution') {
    machine.started.push(text(input.name));
    machine.running.add(text(input.name));
    return { executionArn: text(input.name), startDate: 1 };
  }
  const { taskToken, output } = input as { taskToken: string; output: string };
  machine.resumed.push({ taskToken, ...(JSON.parse(output) as { transactionId: string; status: string }) });
  return {};
}

/** A key id has this length, because the ciphertexts of the KMS stand-in begin with the id. */
export const keyId = (index: number) => `treasury-${index}`.padEnd(36, '-');
/** The vault's key. */
export const DATA_KEY = 'data'.padEnd(36, '-');

function templateOfKeys(): Template {
  const treasuries = Array.from({ length: KEYS }, (_, index) => ({ logicalId: keyId(index) }));
  const keys = [...treasuries, { logicalId: DATA_KEY }];
  const signing = { KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' };
  return {
    ofType: (type: string) => (type === 'AWS::KMS::Key' ? keys : []),
    properties: (logicalId: string) => (logicalId === DATA_KEY ? {} : signing),
    ref: (logicalId: string) => logicalId,
    attribute: (logicalId: string) => `arn:aws:kms:sa-east-1:000000000000:key/${logicalId}`,
  } as unknown as Template;
}
