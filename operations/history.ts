import { dayAfter, dayBefore } from '../functions/domain/books/manifest.ts';
import { executionKeys, executionName } from '../functions/domain/purchase/execution.ts';
import { endOfDayInBrasilia } from '../functions/domain/time.ts';
import { type Command, type Given, textOf, wordsOf } from './command.ts';
import { dayOf } from './dates.ts';
import type { Desk } from './desk.ts';
import { type Chain, changeOf, type Fault, walkChain } from './history-chain.ts';
import { faultsOfDay, faultsOfPurchases, faultsOfSlices } from './history-objects.ts';
import { writeNew } from './new-file.ts';
import { wholeId } from './purchase-search.ts';
import type { Shown } from './shown.ts';
import { misused, refused } from './words.ts';

export const historyCommands: Command[] = [
  {
    name: 'history verify',
    takes: '[--since <day>] [--until <day>]',
    about:
      'whether the archive has all histories, evidence and acts unchanged; exit code 1 if not, and where',
    options: ['since', 'until'],
    run: verify,
  },
  {
    name: 'history show',
    takes: '<purchase> [--out <file>]',
    about: 'the archived page of a purchase, as HTML, after a check of its digest',
    options: ['out'],
    run: show,
  },
];

type Days = { from: string; to: string };

async function verify(given: Given, desk: Desk): Promise<Shown> {
  wordsOf(given);
  const progress = await desk.archiveRegister.findProgress();
  if (!progress?.manifest) refused('No day is closed yet: a day is closed two hours after its end.');
  const { since, until } = askedOf(given, desk.clock.now());
  if (until !== undefined && until > progress.day)
    misused(`${until} is not closed: the last day is ${progress.day}.`);
  const chain = await walkChain(progress.manifest, since, desk);
  const to = until ?? progress.day;
  const manifests = chain.manifests.filter(({ day }) => day <= to);
  const from = manifests[0]?.day ?? since ?? to;
  const faults = [...chain.faults, ...(await faultsIn({ from, to }, { ...chain, manifests }, desk))];
  if (faults.length > 0) refused(wordsOfFaults(faults).join('\n'));
  return { sheet: summaryOf({ from, to }, manifests, progress.manifest.sha256) };
}

function askedOf({ flags: { since, until } }: Given, now: number): { since?: string; until?: string } {
  const asked = {
    since: typeof since === 'string' ? dayOf(since, now) : undefined,
    until: typeof until === 'string' ? dayOf(until, now) : undefined,
  };
  if (asked.since && asked.until && asked.since > asked.until) misused('--since is after --until.');
  return asked;
}

async function faultsIn({ from, to }: Days, { manifests }: Chain, desk: Desk): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const manifest of manifests) faults.push(...(await faultsOfDay(manifest, desk)));
  const period = { from: endOfDayInBrasilia(dayBefore(from)), to: endOfDayInBrasilia(to) };
  return [
    ...faults,
    ...(await faultsOfPurchases({ from, to }, desk)),
    ...(await faultsOfSlices(period, desk)),
  ];
}

const MOST_FAULTS = 20;

/** The faults in the order of their days, as far as they fit on a screen. */
function wordsOfFaults(faults: readonly Fault[]): string[] {
  const sorted = faults.toSorted((one, other) => (one.day < other.day ? -1 : one.day > other.day ? 1 : 0));
  const lines = sorted
    .slice(0, MOST_FAULTS)
    .map(({ day, object, differs }) => `${day}  ${object}: ${differs}.`);
  const left = faults.length - lines.length;
  const title = `${faults.length === 1 ? 'One fault' : `${faults.length} faults`}, the earliest day first:`;
  return [title, ...lines, ...(left > 0 ? [`… and ${left} more.`] : [])];
}

function summaryOf({ from, to }: Days, manifests: Chain['manifests'], digest: string) {
  return [
    ['verified', `${from} to ${to}: nothing is missing or changed`],
    ['days', manifests.length],
    ['objects', manifests.reduce((sum, { objects }) => sum + objects.length, 0)],
    ['next day', dayAfter(to)],
    ['digest of the chain', digest],
  ] as const;
}

async function show(given: Given, desk: Desk): Promise<Shown> {
  const [words] = wordsOf(given, 'the purchase');
  const id = await wholeId(words, desk);
  const purchase = await desk.transactions.findTransaction(id);
  if (!purchase) refused(`There is no purchase ${words}.`);
  const { page: key } = executionKeys(executionName(id, purchase.executions), purchase);
  const archived = await desk.archiveRegister.findObject(key);
  if (!archived) refused(`The history of ${id} is not archived yet. tx show has its story.`);
  const stored = await desk.archiveReader.findStored(key, archived.versionId);
  if (!stored) refused(`${key} is missing in the archive. Run history verify.`);
  const change = changeOf(stored.sha256, archived.sha256);
  if (change) refused(`${key}: ${change}. Run history verify.`);
  return [
    given.flags.out === undefined ? stored.text.trimEnd() : writeNew(textOf(given, 'out'), stored.text),
  ];
}
