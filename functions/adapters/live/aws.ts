/** Makes the services of AWS: clients, secrets, the vault, the log, the state machine and the queues. */
import type { Retries } from '../../domain/ports.ts';
import type { Purpose } from '../aws/vault.ts';
import { once } from '../once.ts';
import { type Parts, part } from './parts.ts';

const ANSWER_MS = 2000;
/**
 * The time-out of `slowS3` in milliseconds. It is for many large writes at once, when no client waits for the
 * result.
 */
const SLOW_ANSWER_MS = 30_000;

export const AWS_MAKERS = {
  dynamo: part(['awsOptions'], async () => {
    const { makeClient } = await import('../aws/clients/dynamodb.ts');
    return ({ awsOptions }) => makeClient(awsOptions(ANSWER_MS));
  }),
  kms: client(async (options) => (await import('../aws/clients/kms.ts')).makeClient(options)),
  s3: client(async (options) => (await import('../aws/clients/s3.ts')).makeClient(options)),
  slowS3: client(
    async (options) => (await import('../aws/clients/s3.ts')).makeClient(options),
    SLOW_ANSWER_MS,
  ),
  sfn: client(async (options) => (await import('../aws/clients/sfn.ts')).makeClient(options)),
  sqs: client(async (options) => (await import('../aws/clients/sqs.ts')).makeClient(options)),
  secretsManager: client(async (options) =>
    (await import('../aws/clients/secrets-manager.ts')).makeClient(options),
  ),
  secrets: part(['secretsManager', 'clock'], async () => {
    const { secretLoader } = await import('../aws/secrets.ts');
    return ({ secretsManager, clock }) => secretLoader(secretsManager, clock);
  }),
  secret: part(['secrets', 'settings'], async () => ({ secrets, settings }): Parts['secret'] => {
    return (name) => secrets.json(settings.require(name));
  }),
  vault: cipher(() => ({ purpose: 'client' })),
  totpCipher: cipher(() => ({ purpose: 'totp' })),
  webhookCipher: cipher(() => ({ purpose: 'webhook' })),
  destinationCipher: cipher(() => ({ purpose: 'destination' })),
  unitsCipher: cipher(() => ({ purpose: 'units' })),
  answerCipher: cipher((settings) => ({ purpose: 'answer', answersOf: settings.require('answersOf') })),
  lookup: part(['secrets', 'settings'], async () => {
    const { lookup } = await import('../aws/lookup.ts');
    return ({ secrets, settings }) => lookup(() => secrets.text(settings.require('lookupSecret')));
  }),
  totpSealer: part(['totpCipher'], async () => (parts) => parts.totpCipher),
  totpOpener: part(['totpCipher'], async () => (parts) => parts.totpCipher),
  webhookSealer: part(['webhookCipher'], async () => (parts) => parts.webhookCipher),
  webhookOpener: part(['webhookCipher'], async () => (parts) => parts.webhookCipher),
  log: part(['stage', 'clock'], async () => {
    const { log } = await import('../aws/log.ts');
    return ({ stage, clock }) => log(stage, clock);
  }),
  machine: part(['sfn', 'settings'], async () => {
    const { machine } = await import('../aws/machine.ts');
    return ({ sfn, settings }) => machine(sfn, settings.require('stateMachineArn'));
  }),
  executions: part(['sfn', 'settings'], async () => {
    const { executionHistories } = await import('../aws/execution-history.ts');
    return ({ sfn, settings }) => executionHistories(sfn, settings.require('stateMachineArn'));
  }),
  archiveBucket: part(['slowS3', 'settings'], async () => {
    const { archiveBucket } = await import('../aws/archive-bucket.ts');
    return ({ slowS3, settings }) => archiveBucket(slowS3, settings.require('historyBucket'));
  }),
  webhookQueue: queue('webhookQueueUrl'),
  callbackQueue: queue('callbackQueueUrl'),
  // The code that calls SQS is loaded after the first failure, so that a cold start does not wait for it.
  retries: part(
    ['sqs'],
    async () =>
      ({ sqs }): Retries => ({
        async retryIn(receipt, seconds) {
          const { retryIn } = await import('../aws/retries.ts');
          await retryIn(await sqs(), receipt, seconds);
        },
      }),
  ),
};

function client<Client>(
  open: (options: ReturnType<Parts['awsOptions']>) => Promise<Client>,
  answerMs = ANSWER_MS,
) {
  return part(
    ['awsOptions'],
    async () =>
      ({ awsOptions }) =>
        once(() => open(awsOptions(answerMs))),
  );
}

function cipher(purposeOf: (settings: Parts['settings']) => Purpose) {
  return part(['kms', 'settings', 'random', 'clock'], async () => {
    const { envelope } = await import('../aws/vault.ts');
    return ({ kms, settings, random, clock }) =>
      envelope({
        load: kms,
        dataKeyId: settings.require('dataKeyId'),
        purpose: purposeOf(settings),
        random,
        clock,
      });
  });
}

function queue(setting: 'webhookQueueUrl' | 'callbackQueueUrl') {
  return part(['sqs', 'settings'], async () => {
    const { queue } = await import('../aws/queue.ts');
    return ({ sqs, settings }) => queue(sqs, settings.require(setting));
  });
}
