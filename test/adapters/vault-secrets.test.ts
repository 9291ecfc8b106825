import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { describe, expect, it } from 'vitest';
import { secretLoader } from '../../functions/adapters/aws/secrets.ts';
import { Unavailable } from '../../functions/domain/errors.ts';

const ARN = 'arn:aws:secretsmanager:sa-east-1:000000000000:secret:psp';

function open(answers: (string | undefined | Error)[]) {
  const asked: string[] = [];
  const time = { now: 0 };
  const client = {
    async send(command: { input: { SecretId: string } }) {
      asked.push(command.input.SecretId);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      if (answer instanceof Error) throw answer;
      return { SecretString: answer };
    },
  };
  const load = async () => client as unknown as SecretsManagerClient;
  return { asked, time, secrets: secretLoader(load, { now: () => time.now, minuteMs: 60_000 }) };
}

describe('a secret', () => {
  it('is read once in five minutes, however many ask', async () => {
    const { asked, time, secrets } = open(['{"pepper":"one"}', '{"pepper":"two"}']);

    expect(await Promise.all([secrets.json(ARN), secrets.text(ARN)])).toEqual([
      { pepper: 'one' },
      '{"pepper":"one"}',
    ]);
    time.now = 5 * 60_000 - 1;
    expect(await secrets.json(ARN)).toEqual({ pepper: 'one' });
    expect(asked).toEqual([ARN]);

    time.now = 5 * 60_000;
    expect(await secrets.json(ARN)).toEqual({ pepper: 'two' });
  });

  it('is separate from other secrets', async () => {
    const { asked, secrets } = open(['{}']);
    await secrets.text(ARN);
    await secrets.text(`${ARN}-2`);

    expect(asked).toEqual([ARN, `${ARN}-2`]);
  });

  it('is unavailable during an outage, and read again afterwards', async () => {
    const { secrets } = open([new Error('ECONNREFUSED'), 'pepper']);

    await expect(secrets.text(ARN)).rejects.toThrow(Unavailable);
    expect(await secrets.text(ARN)).toBe('pepper');
  });

  it.each(['', undefined])('is refused if it is empty', async (text) => {
    await expect(open([text]).secrets.text(ARN)).rejects.toThrow(`the secret ${ARN} is empty`);
  });

  it.each(['hunter2', '"hunter2"', 'null', '{"password":"hunter2"'])(
    'is refused as JSON if it is %j, and is not shown',
    async (text) => {
      const asked = open([text]).secrets.json(ARN);
      const failure = (await asked.catch((thrown: unknown) => thrown)) as Error;

      expect(failure.message).toBe(`the secret ${ARN} is not a JSON object`);
      expect(String(failure.stack)).not.toContain('hunter2');
    },
  );
});
