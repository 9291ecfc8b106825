/** The sandbox, and the product's functions as bundles that a new process can import. */
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { getDefined } from '../functions/domain/get.ts';
import { ROUTES } from '../functions/routes.ts';
import { bundle } from '../infra/bundle.ts';
import { readSources } from '../infra/sources.ts';
import type { Cloud } from '../sandbox/cloud/boot.ts';
import { LOCAL_ENVIRONMENT, startSandbox } from '../sandbox/sandbox.ts';

const ROOT = new URL('../functions/', import.meta.url).pathname;
const PROCESS = { path: 'process', file: new URL('./cold-process.ts', import.meta.url).pathname };
const FLOOR = { path: 'floor', file: new URL('./cold-floor.ts', import.meta.url).pathname };
const run = promisify(execFile);

export type Endpoint = (typeof ROUTES)[number]['function'];
/**
 * The cost of one cold start. `cpuMs` is the CPU time of all threads of the process, without the start of
 * Node itself.
 */
export type Cold = { cpuMs: number; wallMs: number; data: Record<string, string> };
export type ColdWorld = {
  /** The DynamoDB client alone reads one row. */
  floor(): Promise<Cold>;
  /** Lets a new instance of an endpoint answer one request. Throws if the answer is not a success. */
  request(name: Endpoint, parameters?: Record<string, string>, body?: object): Promise<Cold>;
  stop(): Promise<void>;
};

export async function startColdWorld(): Promise<ColdWorld> {
  const sources = await readSources(ROOT);
  const { directory } = await bundle(ROOT, sources);
  const floor = await bundle(ROOT, [FLOOR]);
  // Node strips the types of a `.ts` file with a compiler of its own, which works on during the measurement.
  const measuring = join((await bundle(ROOT, [PROCESS])).directory, 'process.mjs');
  const { cloud, apiKey, stop } = await startSandbox();

  async function start(file: string, name: string, event: object): Promise<Cold> {
    const env = { ...environmentOf(cloud, name), LAMBDA_TASK_ROOT: directory };
    const { stdout, stderr } = await run(process.execPath, [measuring, file, JSON.stringify(event)], { env });
    const { answer, ...cost } = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Answered;
    if (answer.statusCode !== 200) throw new Error(`${name}: ${answer.body} ${stderr}`);
    return { ...cost, data: (JSON.parse(answer.body) as Cold).data };
  }

  return {
    floor: () => {
      const event = { table: cloud.physical('TablesPartners'), id: 'demo' };
      return start(join(floor.directory, 'floor.mjs'), 'GetPartner', event);
    },
    request(name, parameters = {}, body = {}) {
      const { path } = getDefined(
        sources.find(({ id }) => id === name),
        name,
      );
      const event = {
        httpMethod: ROUTES.find((route) => route.function === name)?.method,
        headers: { 'X-Service-API-Key': apiKey },
        pathParameters: parameters,
        requestContext: { requestId: 'cold', identity: { sourceIp: '127.0.0.1' } },
        body: JSON.stringify(body),
      };
      return start(join(directory, `${path}.mjs`), name, event);
    },
    stop,
  };
}

type Answered = Cold & { answer: { statusCode: number; body: string } };

/**
 * Returns the environment variables of an instance: those of the template, and the sandbox's region, endpoint
 * and credentials.
 */
function environmentOf(cloud: Cloud, name: string): Record<string, string> {
  const isOf = (id: string) => new RegExp(`^${name}[0-9A-F]{8}$`).test(id);
  const id = getDefined(Object.keys(cloud.resources).find(isOf), name);
  const { properties } = getDefined(cloud.resources[id], name);
  const { Environment } = properties as { Environment: { Variables: Record<string, string> } };
  return {
    ...Environment.Variables,
    ...LOCAL_ENVIRONMENT,
    AWS_REGION: cloud.region,
    AWS_ENDPOINT_URL: cloud.endpoint,
    AWS_ACCESS_KEY_ID: `ASIA${id}`,
    AWS_SECRET_ACCESS_KEY: 'local',
    PATH: process.env.PATH ?? '',
  };
}
