/**
 * `npm run rehearse` changes a sanctions list of a sandbox, puts the changed list in force, and searches the
 * clients in it again. See `sandbox/providers/README.md`.
 */
import { parseArgs } from 'node:util';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { LIST_IDS, type ListId } from '../functions/domain/screening/lists.ts';
import { openDesk } from '../operations/desk.ts';
import { readTarget, requireOutput, type Target } from '../operations/outputs.ts';
import { misused } from '../operations/words.ts';
import { findSimulators, tell } from './tell-simulators.ts';

const USAGE =
  'npm run rehearse -- <list> <entry> (--name <name> --born <YYYY-MM-DD> | --off) [--outputs <file>]';

/** Without a person the entry leaves the list. */
type Change = { list: ListId; entry: string; person?: { name: string; birthDate: string } };

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parseArgs({ args, options: OPTIONS, allowPositionals: true });
  const [listId, entry] = positionals;
  const list = LIST_IDS.find((each) => each === listId);
  const { name, born: birthDate, off, outputs } = values;
  const isWhole = off ? !name && !birthDate : name && birthDate;
  if (!list || !entry || positionals.length > 2 || !isWhole)
    misused(`${USAGE}\nLists: ${LIST_IDS.join(', ')}`);
  const target = readTarget(outputs);
  if (target.stage !== 'sandbox') misused(`${target.name} is of the stage ${target.stage}, not a sandbox.`);
  const person = name && birthDate ? { name, birthDate } : undefined;
  await rehearse({ list, entry, person }, target);
}

const OPTIONS = {
  name: { type: 'string' },
  born: { type: 'string' },
  off: { type: 'boolean' },
  outputs: { type: 'string' },
} as const;

async function rehearse({ list, entry, person }: Change, target: Target): Promise<void> {
  const clients = clientsOf(target);
  const { listArchive } = openDesk(target);
  const entriesNow = async () =>
    (await listArchive.findCurrent())?.lists.find((each) => each.list === list)?.entries ?? 0;
  const before = await entriesNow();
  const simulators = await findSimulators(target, clients.secrets);
  await tell(simulators, `/lists/people/${list}/${encodeURIComponent(entry)}`, person);
  const { notRefreshed } = await invoke('RefreshListsFunction', target, clients);
  console.log(`${list}: ${await entriesNow()} entries, ${before} before`);
  if (Array.isArray(notRefreshed) && notRefreshed.length > 0)
    console.log(`Refused: ${notRefreshed.join(', ')}`);
  const counts = Object.entries(await invoke('RescreenClientsFunction', target, clients));
  console.log(`Clients searched again: ${counts.map(([what, count]) => `${count} ${what}`).join(', ')}`);
  console.log('A function that has searched before reads the new list within five minutes.');
}

type Clients = ReturnType<typeof clientsOf>;

function clientsOf({ endpoint, region }: Target) {
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  const options = { region, ...(endpoint && { endpoint, credentials }) };
  return { lambda: new LambdaClient(options), secrets: new SecretsManagerClient(options) };
}

async function invoke(output: string, target: Target, { lambda }: Clients): Promise<Record<string, unknown>> {
  const command = new InvokeCommand({ FunctionName: requireOutput(target, output), Payload: '{}' });
  const { FunctionError, Payload } = await lambda.send(command);
  const text = Payload ? Buffer.from(Payload).toString() : '{}';
  if (FunctionError) throw new Error(`${output} failed: ${text}`);
  return JSON.parse(text) as Record<string, unknown>;
}

await main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = error.name === 'Misused' ? 2 : 1;
});
