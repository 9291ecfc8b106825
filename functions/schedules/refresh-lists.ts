import { getDefined } from '../domain/get.ts';
import type { Needs } from '../domain/ports.ts';
import type { Current, NewEdition } from '../domain/screening/list-ports.ts';
import {
  changeBetween,
  type Edition,
  isListStale,
  isWorthNoting,
  type ListChange,
  type ListDownload,
  type ListInForce,
  ListRefused,
  mostOf,
  mostOfLate,
  objectionTo,
  type ReadList,
  versionAfter,
} from '../domain/screening/list-refresh.ts';
import { LIST_IDS, type ListId } from '../domain/screening/lists.ts';
import { isoInstant } from '../domain/time.ts';
import { raiseOrWarn } from '../domain/watching/raise-or-warn.ts';
import { schedule } from '../entry/schedule.ts';
import { GONE_NEEDS, markGoneEntries } from '../logic/kyc/gone-entries.ts';

export const needs = [...GONE_NEEDS, 'publishers', 'listArchive', 'evidence'] as const;
type Ports = Needs<typeof needs>;

/**
 * A list as it was just read from its publisher. `change` has its differences from the list in force, if
 * there are any. `isForced` is set if the rules refused the list and an operator accepted it.
 */
type Fresh = ReadList & Pick<ListInForce, 'fetchedAt' | 'most'> & { change?: ListChange; isForced?: true };

/**
 * Runs every two hours. It downloads the sanctions lists of all publishers and checks them against the rules
 * for new lists. It puts them in force with one index over all lists. A list that cannot be downloaded, or
 * that the rules refuse, stays as it was. An operator may send `{"force": [list]}`: docs/compliance.md,
 * "The lists".
 */
export async function refreshLists(ports: Ports, event?: unknown) {
  const { listArchive, clock } = ports;
  const forced = forcedIn(event);
  const current = await listArchive.findCurrent();
  // The run that published this edition may have died before it recorded the edition as evidence.
  if (current) await recordEdition(current, ports);
  const known = LIST_IDS.map((list) => {
    const inForce = current?.lists.find((each) => each.list === list);
    return { list, inForce, isForced: forced.includes(list) };
  });
  const served = await Promise.all(known.map(({ list }) => downloadList(list, ports)));
  const lists: Fresh[] = [];
  const notRefreshed: ListId[] = [];
  // The lists are read one by one, after all downloads. Reading a list blocks the process for seconds, and answers of
  // the archive would time out meanwhile.
  for (const [at, each] of known.entries()) {
    const fresh = await refresh(each, served[at], ports);
    if (!fresh) notRefreshed.push(each.list);
    const list = fresh ?? (each.inForce && (await keepList(each.inForce, ports)));
    if (list) lists.push(list);
  }
  // Without all lists no index is made, because callers assume that an index covers every list.
  const isWhole = lists.length === LIST_IDS.length;
  const inForce = isWhole ? await putInForce(lists, current, ports) : current;
  const isNew = inForce !== undefined && inForce.version !== current?.version;
  if (isNew) await recordEdition(inForce, ports);
  for (const list of inForce?.lists ?? []) {
    if (isListStale(list, clock.now())) reportStale(list, ports);
  }
  if (inForce && isWhole) await markGoneEntries({ version: inForce.version, lists }, ports);
  return { version: inForce?.version, changes: isNew ? inForce.changes : [], notRefreshed };
}

type ListToRefresh = { list: ListId; inForce: ListInForce | undefined; isForced: boolean };

type Served = { download: ListDownload; fetchedAt: string };

async function downloadList(list: ListId, { publishers, clock, log }: Ports): Promise<Served | undefined> {
  try {
    return { download: await publishers.download(list), fetchedAt: isoInstant(clock.now()) };
  } catch (error) {
    raiseOrWarn(log, 'ListRefused', { error, fields: { list } });
    return undefined;
  }
}

/**
 * Reads the list as its publisher has it now. After any error it returns undefined, so that the other lists
 * are still refreshed.
 */
async function refresh(
  known: ListToRefresh,
  served: Served | undefined,
  ports: Ports,
): Promise<Fresh | undefined> {
  const { list, inForce, isForced } = known;
  const { publishers, listArchive, clock, log } = ports;
  if (!served) return undefined;
  const { download, fetchedAt } = served;
  try {
    if (download.sha256 === inForce?.sha256) {
      // If the files have not changed, the list keeps its version. For files without a date, the version of
      // the download is only its day.
      const { version, most } = inForce;
      return { ...listArchive.read({ ...download, version }), fetchedAt, ...(most && { most }) };
    }
    const fresh = listArchive.read(download);
    const change = changeBetween(
      (inForce && (await readFormerEntries(inForce, ports))) ?? NONE,
      fresh.entries,
    );
    const former = inForce && formerOf(inForce, change, clock.now());
    const objection = objectionTo(fresh, former, publishers.fewest[list]);
    if (objection && !isForced) throw new ListRefused(objection);
    // `most` is the highest number of entries lately. If an operator accepted a list that the rules refused,
    // `most` begins again with this list.
    const most = mostOf(fresh.entries.size, objection ? undefined : former?.most, clock.now());
    return { ...fresh, fetchedAt, most, change, ...(objection && { isForced: true }) };
  } catch (error) {
    raiseOrWarn(log, 'ListRefused', { error, fields: { list } });
    return undefined;
  }
}

function formerOf(inForce: ListInForce, { removed }: ListChange, now: number) {
  return { ...inForce, most: mostOfLate(inForce.most, now), removed: removed.length };
}

async function keepList(inForce: ListInForce, { listArchive }: Ports): Promise<Fresh> {
  const files = await listArchive.findFiles(inForce);
  const { fetchedAt, most } = inForce;
  return { ...listArchive.read(files), fetchedAt, ...(most && { most }) };
}

/**
 * Returns the edition that is in force afterwards: the new one, or the present one if the lists have not
 * changed. Undefined if another run published an edition first.
 */
async function putInForce(
  lists: Fresh[],
  current: Current | undefined,
  ports: Ports,
): Promise<Edition | undefined> {
  const { listArchive, clock } = ports;
  if (current && (await isCurrentEdition(lists, current, ports))) {
    const isNews = current.lists.some((was) => isWorthNoting(was, fetchedAtOf(was.list, lists)));
    const seen = current.lists.map((was) => ({ ...was, fetchedAt: fetchedAtOf(was.list, lists) }));
    if (isNews) await listArchive.noteSeen(seen, current);
    return { ...current, lists: seen };
  }
  const version = versionAfter(current?.version, clock.now());
  const edition: NewEdition = { version, lists, changes: editionChangesOf(lists) };
  const published = await listArchive.publish(edition, current);
  if (published) reportChanges(edition, ports);
  else await recordOther(version, ports);
  return published;
}

/**
 * Records as evidence the edition that was published before this run could publish its own. It may be this
 * run's own: if the answer of S3 is lost, the SDK repeats the write, and the condition refuses it. The
 * archive takes evidence only for half an hour, so no later run may do this.
 */
async function recordOther(version: string, ports: Ports): Promise<void> {
  ports.log.info('lists published by another run', { version });
  const present = await ports.listArchive.findCurrent();
  if (present) await recordEdition(present, ports);
}

/**
 * Whether these lists would give the index that is in force. Newer code may make another index of the same
 * files, for example in another format.
 */
async function isCurrentEdition(
  lists: Fresh[],
  current: Current,
  { listArchive, log }: Ports,
): Promise<boolean> {
  if (lists.some(({ change }) => change)) return false;
  if (listArchive.digestOf(current.version, lists) !== current.digest) return false;
  if (await listArchive.hasIndex(current)) return true;
  // An index is named by its digest, and an existing object is never overwritten. Therefore a damaged index is replaced
  // under a new version, which has a new digest.
  const { version, digest } = current;
  log.raise('IndexDamaged', new Error('the index is built again'), { version, digest });
  return false;
}

const getFresh = (list: ListId, lists: Fresh[]) =>
  getDefined(
    lists.find((each) => each.list === list),
    `list ${list}`,
  );

const fetchedAtOf = (list: ListId, lists: Fresh[]) => getFresh(list, lists).fetchedAt;

const editionChangesOf = (lists: Fresh[]): NewEdition['changes'] =>
  lists.flatMap(({ list, change, isForced }) =>
    change ? [{ list, change, ...(isForced && { isForced }) }] : [],
  );

const NONE: ReadList['entries'] = new Map();

/**
 * Reads the entries of the list that is in force. If they cannot be read, all entries of the new list count
 * as new. A damaged former list must not keep the new one out.
 */
async function readFormerEntries(
  was: ListInForce,
  { listArchive, log }: Ports,
): Promise<ReadList['entries']> {
  try {
    return listArchive.read(await listArchive.findFiles(was)).entries;
  } catch (error) {
    log.raise('FormerListUnreadable', error, { list: was.list, version: was.version });
    return NONE;
  }
}

function reportChanges({ lists, changes }: NewEdition, { log }: Ports): void {
  for (const { list, change } of changes) {
    const { version, entries, skipped } = getFresh(list, lists);
    const { added, removed, changed } = change;
    const counts = { added: added.length, removed: removed.length, changed: changed.length };
    log.info('list changed', { list, version, entries: entries.size, skipped, ...counts });
  }
}

/** Records the edition in force as evidence. Each run may do this, because a version has only one record. */
async function recordEdition(
  { version, digest, lists, replaced, changes, details }: Edition,
  { evidence }: Ports,
) {
  await evidence.record({
    subject: version,
    kind: 'lists',
    at: Date.parse(version),
    decidedBy: 'RefreshLists',
    // The instant at which a list was last downloaded is left out. It changes, but a record must not.
    inputs: {
      lists: lists.map(({ fetchedAt: _, lastChange: __, ...list }) => list),
      ...(replaced && { replaced }),
    },
    findings: { changes, ...(details && { details }) },
    decision: { index: digest },
  });
}

function reportStale({ list, version, fetchedAt }: ListInForce, { log }: Ports): void {
  log.raise('ListOld', new Error('its publisher has not served it for days'), {
    list,
    version,
    fetchedAt,
  });
}

/** Reads `{"force": ["BR_CEIS"]}` from the event: these lists are accepted even if the rules refuse them. */
function forcedIn(event: unknown): ListId[] {
  const { force = [] } = Object(event) as { force?: unknown };
  const names = Array.isArray(force) ? force : [force];
  const wrong = names.find((name) => !LIST_IDS.some((list) => list === name));
  if (wrong !== undefined) throw new Error(`there is no list ${String(wrong)}`);
  return names as ListId[];
}

export const handler = schedule({ needs }, refreshLists);
