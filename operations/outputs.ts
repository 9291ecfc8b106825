import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { misused } from './words.ts';

/** The file that `npm start` of this clone writes while its sandbox runs. */
export const SANDBOX_OUTPUTS = fileURLToPath(new URL('../.cache/sandbox-outputs.json', import.meta.url));

/** The stack on which the command works. */
export type Target = {
  name: string;
  stage: string;
  region: string;
  /** The URL at which a sandbox on this machine emulates AWS. Absent for AWS itself. */
  endpoint?: string;
  outputs: Record<string, string>;
};

export type Local = { endpoint: string; region: string; pid: number };

/**
 * The file that `cdk deploy --outputs-file` writes. A sandbox also writes the URL of its local cloud into it,
 * as `local`.
 */
export type OutputsFile = { local?: Local } & { [stack: string]: Record<string, string> | Local | undefined };

/**
 * Reads the outputs of the service's stack, from the given file or from the sandbox on this machine. They have
 * everything that the command needs. The stack with the state has only exports.
 */
export function readTarget(path: string | undefined): Target {
  const { local, ...stacks } = parseOutputs(path);
  const all = Object.entries(stacks as Record<string, Record<string, string>>);
  const [found, ...others] = all.filter(([, { Stage }]) => Stage !== undefined);
  if (!found || others.length > 0)
    misused('The file of outputs must be of one deployed service: npx cdk deploy --all --outputs-file.');
  const [name, outputs] = found;
  const { Stage: stage, LookupSecret } = outputs;
  if (!stage || !LookupSecret)
    misused(`${name} is no stack of this service, or an older one: deploy it first.`);
  // The region comes from the secret's ARN, not from the environment: arn:aws:secretsmanager:<region>:…
  const [, , , secretRegion] = LookupSecret.split(':');
  const region = local?.region ?? secretRegion ?? misused(`${LookupSecret} is no ARN.`);
  return { name, stage, region, outputs, ...(local && { endpoint: local.endpoint }) };
}

function parseOutputs(path: string | undefined): OutputsFile {
  try {
    return JSON.parse(readFileSync(path ?? SANDBOX_OUTPUTS, 'utf8')) as OutputsFile;
  } catch (error) {
    if (path !== undefined) misused(`${path}: ${(error as Error).message}`);
    return misused(
      'No sandbox runs here (npm start). For AWS give --outputs <file>, of cdk deploy --outputs-file <file>.',
    );
  }
}

export const findOutput = ({ outputs }: Target, key: string): string | undefined => outputs[key];

export function requireOutput({ name, outputs }: Target, key: string): string {
  return outputs[key] ?? misused(`${name} has no output ${key}: deploy it first.`);
}
