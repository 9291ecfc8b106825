import { randomInt, randomUUID } from 'node:crypto';
import type { Need } from './access.ts';
import { keyArn } from './kms.ts';
import type { Template } from './template.ts';
import { awsError, type Fields, fields, REGION, text } from './wire.ts';

export type Secrets = {
  call(operation: string, input: Fields): Promise<Fields>;
  needs(operation: string, input: Fields): Need[];
};

type Value = { versionId: string; createdAt: number; string?: string; binary?: string };
type Secret = { arn: string; name: string; kmsKeyArn?: string; current?: Value; previous?: Value };

export function startSecrets(template: Template): Secrets {
  const secrets = new Map<string, Secret>();
  for (const { logicalId } of template.ofType('AWS::SecretsManager::Secret')) {
    const properties = template.properties(logicalId);
    const arn = template.ref(logicalId);
    const name = arn.split(':secret:')[1]?.replace(/-[^-]{6}$/, '') ?? '';
    const string = initialValue(properties);
    const kmsKeyId = text(properties.KmsKeyId);
    secrets.set(arn, {
      arn,
      name,
      ...(kmsKeyId ? { kmsKeyArn: keyArn(kmsKeyId) } : {}),
      ...(string === undefined ? {} : { current: version({ string }) }),
    });
  }
  template.rewrite((value) => (value.includes('{{resolve:') ? dynamic(value) : value));

  function dynamic(value: string): string {
    const filled = value.replace(DYNAMIC, (...found) => resolved(found));
    if (/\{\{resolve:[^}]*\}\}/.test(filled)) throw new Error(`Cannot resolve ${value}`);
    return filled;
  }

  function resolved([, id, key]: unknown[]): string {
    const value = find(id).current?.string ?? '';
    return key ? String(fields(JSON.parse(value))[String(key)]) : value;
  }

  function find(id: unknown): Secret {
    const wanted = text(id);
    const found = [...secrets.values()].find(
      ({ arn, name }) => arn === wanted || name === wanted || arn.replace(/-[^-]{6}$/, '') === wanted,
    );
    if (found) return found;
    throw awsError('ResourceNotFoundException', "Secrets Manager can't find the specified secret.");
  }

  const operations = operationsOn(find);
  return {
    async call(operation, input) {
      const handle = operations[operation];
      if (!handle) throw awsError('InvalidRequestException', `Secrets Manager ${operation} is not simulated`);
      return handle(input);
    },
    needs(operation, input) {
      const secret = find(input.SecretId);
      const own = { action: `secretsmanager:${operation}`, resource: secret.arn };
      if (!secret.kmsKeyArn || operation === 'DescribeSecret') return [own];
      const action = operation === 'PutSecretValue' ? 'kms:GenerateDataKey' : 'kms:Decrypt';
      const context = { 'kms:ViaService': `secretsmanager.${REGION}.amazonaws.com` };
      return [own, { action, resource: secret.kmsKeyArn, context }];
    },
  };
}

const operationsOn = (find: (id: unknown) => Secret): Record<string, (input: Fields) => Fields> => ({
  GetSecretValue(input) {
    const secret = find(input.SecretId);
    const stage = text(input.VersionStage) || 'AWSCURRENT';
    const value = stage === 'AWSPREVIOUS' ? secret.previous : secret.current;
    if (!value || (input.VersionId && input.VersionId !== value.versionId)) {
      const message = `Secrets Manager can't find the specified secret value for staging label: ${stage}`;
      throw awsError('ResourceNotFoundException', message);
    }
    return {
      ARN: secret.arn,
      Name: secret.name,
      VersionId: value.versionId,
      VersionStages: [stage],
      CreatedDate: value.createdAt,
      ...(value.string === undefined ? {} : { SecretString: value.string }),
      ...(value.binary === undefined ? {} : { SecretBinary: value.binary }),
    };
  },
  PutSecretValue(input) {
    const secret = find(input.SecretId);
    secret.previous = secret.current;
    secret.current = version({
      ...(input.SecretString === undefined ? {} : { string: text(input.SecretString) }),
      ...(input.SecretBinary === undefined ? {} : { binary: text(input.SecretBinary) }),
    });
    if (input.ClientRequestToken) secret.current.versionId = text(input.ClientRequestToken);
    return {
      ARN: secret.arn,
      Name: secret.name,
      VersionId: secret.current.versionId,
      VersionStages: ['AWSCURRENT'],
    };
  },
  DescribeSecret(input) {
    const { arn, name } = find(input.SecretId);
    return { ARN: arn, Name: name };
  },
});

const DYNAMIC =
  /\{\{resolve:secretsmanager:(arn:[^:]+(?::[^:}]+){5}|[^:}]+)(?::SecretString:([^:}]*))?[^}]*\}\}/g;

function version(value: Pick<Value, 'string' | 'binary'>): Value {
  return { versionId: randomUUID(), createdAt: Date.now() / 1000, ...value };
}

function initialValue({ SecretString, GenerateSecretString }: Fields): string | undefined {
  if (SecretString !== undefined) return text(SecretString);
  // A secret with neither property has no value until a caller stores one with PutSecretValue.
  if (GenerateSecretString === undefined) return undefined;
  const rules = fields(GenerateSecretString);
  const password = generatePassword(rules);
  if (!rules.SecretStringTemplate) return password;
  const start = fields(JSON.parse(text(rules.SecretStringTemplate)));
  return JSON.stringify({ ...start, [text(rules.GenerateStringKey)]: password });
}

function generatePassword(rules: Fields): string {
  const excluded = new Set(text(rules.ExcludeCharacters));
  const alphabet = [
    rules.ExcludeLowercase ? '' : 'abcdefghijklmnopqrstuvwxyz',
    rules.ExcludeUppercase ? '' : 'ABCDEFGHIJKLMNOPQRSTUVWXYZ',
    rules.ExcludeNumbers ? '' : '0123456789',
    rules.ExcludePunctuation ? '' : '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~',
    rules.IncludeSpace ? ' ' : '',
  ]
    .join('')
    .split('')
    .filter((character) => !excluded.has(character));
  const length = Number(rules.PasswordLength ?? 32);
  return Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
}
