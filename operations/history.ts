import { dayAfter, dayBefore, lastDueDay, manifestKey } from '../functions/domain/books/manifest.ts';
import { executionKeys, executionName } from '../functions/domain/purchase/execution.ts';
import { endOfDayInBrasilia } from '../functions/domain/time.ts';
import { type Command, type Given, requireText, requireWords } from './command.ts';
import { requireDay } from './dates.ts';
import type { Desk } from './desk.ts';
import { type Fault, hashDifference, type ManifestChain, NO_CHAIN, walkChain } from './history-chain.ts';
import { faultsOfDay, faultsOfObject, faultsOfPurchases, faultsOfSlices } from './history-objects.ts';
import { type Days, faultsOfBucket, faultsOfEnds } from './history-witnesses.ts';
import { writeNew } from './new-file.ts';
import { wholeId } from './purchase-search.ts';
import type { Cell, Shown } from './shown.ts';
import { instant, misused, refuseOrder } from './words.ts';

export const historyCommands: Command[] = [
  {
    name: 'history verify',
    takes: '[--since <day>] [--until <day>]',
    about:
      'whether the archive has all histories, evidence and acts unchanged; exit code 1 if not, and where',
    options: ['since', 'until'],
    run: verifyHistory,
  },
  {
    name: 'history show',
    takes: '<purchase> [--out <file>]',
    about: 'the archived page of a purchase, as HTML, after a check of its digest',
    options: ['out'],
    run: showHistory,
  },
];

async function verifyHistory(given: Given, desk: Desk): Promise<Shown> {
  requireWords(given);
  const progress = await desk.archiveRegister.findProgress();
  const now = desk.clock.now();
  const { since, until } = askedOf(given, now);
  const due = lastDueDay(now);
  const last = progress?.day;
  if (until !== undefined && until > maxOf(due, last))
    misused(`${until} is not closed: the last day is ${last ?? due}.`);
  const walked = progress?.manifest ? await walkChain(progress.manifest, since, desk) : NO_CHAIN;
  const ends = await faultsOfEnds(walked, { last, due: until ?? due, from: since }, desk);
  if (!progress?.manifest && ends.length === 0) return NOTHING_CLOSED;
  const to = until ?? last ?? due;
  const chain = upTo(to, walked);
  const days = { from: since ?? firstDayOf(chain), to };
  const faults = [...chain.faults, ...ends, ...(await faultsIn(days, chain, desk))];
  if (faults.length > 0) refuseOrder(wordsOfFaults(faults).join('\n'));
  return { sheet: historySummary(to, chain, progress?.manifest?.sha256) };
}

/**
 * The answer while no manifest exists. If a day that should be closed had no manifest, `faultsOfEnds` would have found
 * that fault.
 */
const NOTHING_CLOSED: Shown = {
  lines: ['No day is closed yet: a day is closed two hours after its end.'],
  json: { verified: null, days: 0, objects: 0 },
};

const maxOf = (one: string, other = ''): string => (one > other ? one : other);

const upTo = (to: string, { manifests, links, faults, late }: ManifestChain): ManifestChain => ({
  manifests: manifests.filter(({ day }) => day <= to),
  links: links.filter(({ day }) => day <= to),
  faults,
  late: late.filter(({ day }) => day <= to),
});

/**
 * The first day that is proven. Undefined if that is the first of the whole chain. Then nothing in tables and bucket
 * may be older than the chain.
 */
const firstDayOf = ({ manifests: [first] }: ManifestChain): string | undefined => first?.former && first.day;

function askedOf({ flags: { since, until } }: Given, now: number): { since?: string; until?: string } {
  const asked = {
    since: typeof since === 'string' ? requireDay(since, now) : undefined,
    until: typeof until === 'string' ? requireDay(until, now) : undefined,
  };
  if (asked.since && asked.until && asked.since > asked.until) misused('--since is after --until.');
  return asked;
}

async function faultsIn({ from, to }: Days, chain: ManifestChain, desk: Desk): Promise<Fault[]> {
  const faults: Fault[] = [];
  for (const manifest of chain.manifests) faults.push(...(await faultsOfDay(manifest, desk)));
  for (const link of chain.links)
    faults.push(...(await faultsOfObject(link.day, { key: manifestKey(link.day), ...link }, desk)));
  const period = {
    from: from === undefined ? 0 : endOfDayInBrasilia(dayBefore(from)),
    to: endOfDayInBrasilia(to),
  };
  return [
    ...faults,
    ...(await faultsOfBucket(chain, { from, to }, desk)),
    ...(await faultsOfPurchases({ from: from ?? '', to }, desk)),
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

function historySummary(
  to: string,
  { manifests, late }: ManifestChain,
  digest: string | undefined,
): Cell[][] {
  return [
    ['verified', `${manifests[0]?.day ?? to} to ${to}: nothing is missing or changed`],
    ['days', manifests.length],
    ['objects', manifests.reduce((sum, { objects }) => sum + objects.length, 0)],
    ...late.map(({ day, at }) => ['closed late', `${day}, at ${instant(at)}`]),
    ['next day', dayAfter(to)],
    ['digest of the chain', digest],
  ];
}

async function showHistory(given: Given, desk: Desk): Promise<Shown> {
  const [words] = requireWords(given, 'the purchase');
  const id = await wholeId(words, desk);
  const purchase = await desk.transactions.findTransaction(id);
  if (!purchase) refuseOrder(`There is no purchase ${words}.`);
  const { page: key } = executionKeys(executionName(id, purchase.executions), purchase);
  const archived = await desk.archiveRegister.findObject(key);
  if (!archived) refuseOrder(`The history of ${id} is not archived yet. tx show has its story.`);
  const stored = await desk.archiveReader.findStored(key, archived.versionId);
  if (!stored) refuseOrder(`${key} is missing in the archive. Run history verify.`);
  const change = hashDifference(stored.sha256, archived.sha256);
  if (change) refuseOrder(`${key}: ${change}. Run history verify.`);
  const page = stored.text.trimEnd();
  if (given.flags.out === undefined) return { lines: [page], json: { purchase: id, page } };
  const file = writeNew(requireText(given, 'out'), stored.text);
  return { lines: [file], json: { purchase: id, file } };
}
