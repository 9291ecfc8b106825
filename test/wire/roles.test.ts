import { DecryptCommand, GenerateDataKeyCommand, KMSClient } from '@aws-sdk/client-kms';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, test } from 'vitest';
import { readSources } from '../../infra/sources.ts';
import { accessKeyOf } from '../../sandbox/cloud/function-config.ts';
import { awsOptions, kms, physical, sandbox } from '../support/sandbox.ts';

/** docs/security.md, "Least privilege" */
const sources = await readSources(new URL('../../functions/', import.meta.url).pathname);
const names = sources.map(({ id }) => id);
/** A resource's logical id is its name with eight digits. */
function idOf(name: string): string {
  const id = Object.keys(sandbox().refs).find((each) => each.slice(0, -8) === name);
  if (id === undefined) throw new Error(`the sandbox has no ${name}`);
  return id;
}

/** Calls AWS with the role of a function. */
const as = (name: string) => ({
  ...awsOptions(),
  credentials: { accessKeyId: accessKeyOf(idOf(name)), secretAccessKey: 'role' },
});

/** The functions whose role is allowed the call. Any failure but a denial is an error of the test. */
async function allowed(call: (name: string) => Promise<unknown>): Promise<string[]> {
  const answers = await Promise.all(
    names.map(async (name) => {
      const denied = await call(name).then(
        () => false,
        (error: Error) => {
          if (error.name !== 'AccessDeniedException') throw error;
          return true;
        },
      );
      return denied ? [] : [name];
    }),
  );
  return answers.flat();
}

async function openersOf(context: Record<string, string>): Promise<string[]> {
  const KeyId = physical('KeysData');
  const drawn = await kms().send(
    new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext: context }),
  );
  const command = new DecryptCommand({
    KeyId,
    CiphertextBlob: drawn.CiphertextBlob,
    EncryptionContext: context,
  });
  return allowed((name) => new KMSClient(as(name)).send(command));
}

/** The functions whose role may make a data key of this context. */
function sealersOf(context: Record<string, string>): Promise<string[]> {
  const KeyId = physical('KeysData');
  const command = new GenerateDataKeyCommand({ KeyId, KeySpec: 'AES_256', EncryptionContext: context });
  return allowed((name) => new KMSClient(as(name)).send(command));
}

// docs/decisions.md, "A sealed payout"
describe('the terms of a payout', () => {
  test.each([
    ['destination', ['InitiateTransaction']],
    // ExpireTransaction finds a liveness check that was passed in time and reported late.
    ['units', ['ConfirmMfa', 'ExpireTransaction', 'ProcessCallback']],
  ])('are sealed for the purpose %s by these roles alone: %j', async (purpose, expected) => {
    expect((await sealersOf({ purpose })).sort()).toEqual(expected);
  });

  test.each(['destination', 'units'])(
    'are opened for the purpose %s by settlement alone',
    async (purpose) => {
      expect(await openersOf({ purpose })).toEqual(['SettleStablecoin']);
    },
  );
});

describe('a key of the vault', () => {
  test.each([
    [{ purpose: 'totp' }, ['ConfirmMfa', 'InitiateTransaction']],
    [{ purpose: 'webhook' }, ['DeliverWebhook']],
    [{ purpose: 'answer', answersOf: 'AddWebhookEndpoint' }, ['AddWebhookEndpoint']],
    [{ purpose: 'answer', answersOf: 'InitiateTransaction' }, ['InitiateTransaction']],
    [{ purpose: 'another' }, []],
  ])('of %j opens for these roles alone: %j', async (context, expected) => {
    expect((await openersOf(context)).sort()).toEqual(expected);
  });

  test('of personal data opens only for the roles that read a client’s CPF or metadata', async () => {
    expect((await openersOf({ purpose: 'client' })).sort()).toEqual([
      // The CPF is searched on lists that have changed since the KYC check.
      'CheckWalletRisk',
      'ConfirmMfa',
      // The payer must have the client's CPF.
      'ConfirmPixPayment',
      'ExpireTransaction',
      // GetTransaction shows the metadata of the purchase.
      'GetTransaction',
      'InitiateTransaction',
      'ProcessCallback',
      'RescreenClients',
      'ReviewPendingKyc',
      'SubmitKyc',
    ]);
  });
});

// docs/security.md, "Providers calling us"
test('the function that receives callbacks reads its token, and not our credentials at the provider', async () => {
  const readersOf = (secret: string) =>
    allowed((name) =>
      new SecretsManagerClient(as(name)).send(
        new GetSecretValueCommand({ SecretId: sandbox().refs[idOf(secret)] }),
      ),
    );

  expect(await readersOf('SecretsPixCallback')).toContain('PixReceived');
  expect(await readersOf('SecretsPix')).not.toContain('PixReceived');
});
