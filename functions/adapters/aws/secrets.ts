import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { Unavailable } from '../../domain/errors.ts';
import { parsedJson } from '../../domain/json.ts';
import type { Clock } from '../../domain/ports.ts';

export type Secrets = {
  /** Reads a secret's text by its ARN. */
  text(arn: string): Promise<string>;
  /** Reads a secret as a JSON object. Its fields are not checked. */
  json<Fields>(arn: string): Promise<Fields>;
};

/** How long a secret is cached. A changed secret is read after this time at the latest. */
const KEPT_MS = 5 * 60_000;

type Kept = { until: number; text: Promise<string> };

export function secretLoader(load: () => Promise<SecretsManagerClient>, clock: Clock): Secrets {
  const kept = new Map<string, Kept>();

  async function text(arn: string): Promise<string> {
    const known = kept.get(arn);
    if (known && clock.now() < known.until) return known.text;
    const next = { until: clock.now() + KEPT_MS, text: readSecret(load, arn) };
    kept.set(arn, next);
    // A failure is not cached, so that the next caller tries again.
    next.text.catch(() => kept.get(arn) === next && kept.delete(arn));
    return next.text;
  }

  return { text, json: async <Fields>(arn: string) => parseFields(await text(arn), arn) as Fields };
}

async function readSecret(load: () => Promise<SecretsManagerClient>, arn: string): Promise<string> {
  const client = await load();
  const { SecretString } = await client.send(new GetSecretValueCommand({ SecretId: arn })).catch((cause) => {
    throw new Unavailable('Secrets Manager', { cause });
  });
  if (!SecretString) throw new Error(`the secret ${arn} is empty`);
  return SecretString;
}

/** The error names the secret, and never contains its text. */
function parseFields(text: string, arn: string): object {
  const fields = parsedJson(text);
  if (typeof fields === 'object' && fields !== null) return fields;
  throw new Error(`the secret ${arn} is not a JSON object`);
}
