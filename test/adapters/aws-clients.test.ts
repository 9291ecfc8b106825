import { ListStateMachinesCommand } from '@aws-sdk/client-sfn';
import { afterEach, expect, it, vi } from 'vitest';
import { assemble, load } from '../../functions/adapters/live/assemble.ts';
import { AWS_MAKERS } from '../../functions/adapters/live/aws.ts';
import { lambda } from '../../functions/adapters/live/environment.ts';
import { startStub } from '../support/stub-server.ts';

afterEach(() => void vi.unstubAllEnvs());

/** The time-outs of a client. They are known after its first call. */
async function limitsOf(patience: number) {
  const stub = await startStub(() => ({ body: {} }));
  vi.stubEnv('AWS_ENDPOINT_URL', stub.url);
  vi.stubEnv('AWS_REGION', 'sa-east-1');
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'test');
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'test');
  vi.stubEnv('PATIENCE', String(patience));
  const parts = assemble(AWS_MAKERS, lambda);
  await load(AWS_MAKERS, ['sfn']);
  const client = await parts.get('sfn')();
  await client.send(new ListStateMachinesCommand({}));
  await stub.close();
  const handler = client.config.requestHandler as { httpHandlerConfigs?(): object };
  return handler.httpHandlerConfigs?.();
}

it('an AWS client gives up a connection after one second and an answer after two', async () => {
  expect(await limitsOf(1)).toMatchObject({ connectionTimeout: 1000, requestTimeout: 2000 });
});

it('an AWS client can be told to wait a multiple of that', async () => {
  expect(await limitsOf(5)).toMatchObject({
    connectionTimeout: 5000,
    requestTimeout: 10_000,
    throwOnRequestTimeout: true,
  });
});
