/** Calls the control paths of a sandbox's simulators, which the outputs of its stack name. */
import { GetSecretValueCommand, type SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { getDefined } from '../functions/domain/get.ts';

/** The URL of the simulators, and the key of their control calls. */
export type Simulators = { url: string; controlKey: string };

type Place = { outputs: Record<string, string> };

export async function findSimulators({ outputs }: Place, secrets: SecretsManagerClient): Promise<Simulators> {
  const SecretId = getDefined(outputs.ControlKeySecret, 'output ControlKeySecret');
  const { SecretString } = await secrets.send(new GetSecretValueCommand({ SecretId }));
  const url = getDefined(outputs.SimulatorsUrl, 'output SimulatorsUrl');
  return { url, controlKey: getDefined(SecretString, 'control key') };
}

/** Sends `body` to a control path. Without a body it takes back what an earlier call sent there. */
export async function tell({ url, controlKey }: Simulators, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${url}/control${path}`, {
    method: body ? 'PUT' : 'DELETE',
    headers: { 'x-control-key': controlKey },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok)
    throw new Error(`the simulators answered ${answer.status} to ${path}: ${await answer.text()}`);
}
