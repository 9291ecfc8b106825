import { Unavailable } from '../../domain/errors.ts';
import { getDefined } from '../../domain/get.ts';
import type { Client } from '../../domain/kyc/client.ts';
import {
  type ClientVerdict,
  hasExpired,
  higherTier,
  isOverruled,
  type KeyedInputs,
  type KycOutcome,
  type KycRecord,
  nextCheckOf,
  type Screened,
  verdictOf,
} from '../../domain/kyc/kyc.ts';
import { nextSequenceOf, outcomeEvent, pendingEvent } from '../../domain/kyc/kyc-answer.ts';
import { decideKyc } from '../../domain/kyc/kyc-decision.ts';
import type { KycRevision } from '../../domain/kyc/kyc-ports.ts';
import { factsWith, type RecordChange, recordChangeOf } from '../../domain/kyc/rescreening.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';
import type { IndexInUse } from '../../domain/screening/screening.ts';
import { getClient } from '../rows.ts';
import { outcomeEventIdOf } from './client-id.ts';
import { type KycDecided, kycEvidence, searchLists } from './know-client.ts';
import { openPairsOf, reportHits, reviewCasesOf } from './review-cases.ts';

export const RESCREEN_NEEDS = [
  'sanctions',
  'listEffects',
  'vault',
  'lookup',
  'clients',
  'rescreenings',
  // Grants write access to the evidence table, because evidence is written in one transaction with the KYC
  // record.
  'evidence',
  'clock',
  'log',
] as const;
type Ports = Needs<typeof RESCREEN_NEEDS>;

type ListSearch = Awaited<ReturnType<typeof searchLists>>;
/**
 * The clients that one run has read, and the searches that it has made. They are remembered, because one
 * client may have many records.
 */
export type RescreenVisit = {
  clients: Map<string, Promise<Client>>;
  searches: Map<string, Promise<ListSearch>>;
};
export const newRescreenVisit = (): RescreenVisit => ({ clients: new Map(), searches: new Map() });

/** The most clients, and the most searches, that one run remembers, because memory is limited. */
const REMEMBERED = 5_000;

type Rescreened = KycDecided & { index: IndexInUse; openPairs: string[]; change: RecordChange };

/**
 * Searches the lists' index in force for a record's client, and applies the result: docs/decisions.md,
 * "Screening again". It writes in this order: evidence about a waiting purchase, the decision about the
 * client, the record. If the function dies before the last write, a refused client's tokens are already
 * unusable. Undefined if another run changed the record first. The record then stays as that run wrote it.
 */
export async function rescreen(
  record: KycRecord,
  { decidedBy, visit, purchase }: { decidedBy: string; visit: RescreenVisit; purchase?: Concerned },
  ports: Ports,
): Promise<Rescreened | undefined> {
  const { screening, ...hashes } = await searchFor(record, visit, ports);
  const last = getDefined(await ports.rescreenings.findFacts(record), 'evidence of a KYC record');
  const index = getDefined(screening.index, 'index that a search names');
  // A Lambda instance may use the older index that came with the deployment. Its result must not replace the
  // result of a newer index.
  if (record.screenedWith !== undefined && index.version < record.screenedWith)
    throw new Unavailable('the index that saw the client last');
  const facts = factsWith(last.facts, { screening, ...hashes, effects: ports.listEffects });
  const decided = { facts, decision: decideKyc(facts) };
  const openPairs = openPairsOf(facts);
  if (purchase) await recordAbout(purchase, { record, decided, decidedBy }, ports);
  const change = recordChangeOf(record, { decision: decided.decision, openPairs });
  const keyed = last.inputs;
  const rescreened = { ...decided, index, openPairs, change };
  const isDone =
    change === 'NONE'
      ? await ports.rescreenings.keep(record, index.version)
      : await reviseRecord(record, { rescreened, decidedBy, keyed }, ports);
  return isDone ? rescreened : undefined;
}

/** The encrypted identity for which the lists were searched. */
function getIdentity({ identityCipher }: KycRecord): string {
  return getDefined(identityCipher, 'identity in a KYC record that was screened');
}

async function searchFor(record: KycRecord, visit: RescreenVisit, ports: Ports): Promise<ListSearch> {
  const { clientId } = record;
  const [client, text] = await Promise.all([
    rememberedOf(visit.clients, clientId, () => getClient(ports.clients, clientId)),
    ports.vault.decrypt(getIdentity(record), clientId),
  ]);
  return rememberedOf(visit.searches, `${clientId} ${text}`, async () => {
    const cpf = await ports.vault.decrypt(client.cpfCipher, clientId);
    return searchLists({ ...(JSON.parse(text) as Screened), cpf }, client, ports);
  });
}

function rememberedOf<Value>(known: Map<string, Promise<Value>>, key: string, ask: () => Promise<Value>) {
  const there = known.get(key);
  if (there) return there;
  if (known.size >= REMEMBERED) known.clear();
  const asked = ask();
  known.set(key, asked);
  // A failed call is forgotten, because a later call may succeed for the client's next record.
  asked.catch(() => known.delete(key));
  return asked;
}

type Revised = { rescreened: Rescreened; decidedBy: string; keyed: KeyedInputs };

async function reviseRecord(
  record: KycRecord,
  { rescreened, decidedBy, keyed }: Revised,
  ports: Ports,
): Promise<boolean> {
  const { decision, facts, index } = rescreened;
  const { token, clientId, model } = record;
  const now = ports.clock.now();
  const verdict = verdictOf(decision, now);
  if (verdict) await ports.clients.noteVerdict(clientId, verdict);
  const inputs = { clientId, ...keyed, model, searchedBefore: record.screenedWith };
  const evidence = kycEvidence({ subject: token, clientId, at: now, decidedBy, inputs }, { facts, decision });
  const event = await rescreenEvent(record, rescreened, ports);
  const revision: KycRevision = {
    record,
    evidence,
    event,
    set: { ...(await revisionSetOf(record, { rescreened, keyed }, ports)), screenedWith: index.version },
    cases: await reviewCasesOf(record, rescreened, ports),
  };
  const isDone = await ports.rescreenings.revise(revision);
  if (isDone) reportRevision(rescreened, revision, ports);
  return isDone;
}

/**
 * The event for the partner, if the record was rejected, or if an approved record must wait for a reviewer
 * again. An expired token gets none, because the partner already sees it as `EXPIRED`.
 */
async function rescreenEvent(
  record: KycRecord,
  { decision, change }: Rescreened,
  { lookup, clients, clock }: Ports,
): Promise<KycRevision['event']> {
  const now = clock.now();
  const waitsAgain = change === 'HELD' && record.status === 'APPROVED';
  if (change !== 'REJECTED' && !waitsAgain) return undefined;
  const verdict = await getClient(clients, record.clientId);
  if (hasExpired(record, verdict, now)) return undefined;
  const riskTier = higherTier(record.riskTier, decision.riskTier);
  const id = await outcomeEventIdOf({ token: record.token, sequence: nextSequenceOf(record) }, lookup);
  if (decision.status !== 'REJECTED')
    // A later decision about the client overrules this record. `overruleTokens` refuses the record and sends
    // `kyc.rejected`.
    return isOverruled(record, verdict)
      ? undefined
      : pendingEvent({ ...record, riskTier }, { id, now, verdict });
  const outcome = { ...decision, riskTier, status: decision.status } satisfies KycOutcome;
  return outcomeEvent(record, outcome, { id, now, verdict });
}

async function revisionSetOf(
  record: KycRecord,
  { rescreened, keyed }: Pick<Revised, 'rescreened' | 'keyed'>,
  { vault, clock }: Ports,
): Promise<KycRevision['set']> {
  const { decision, openPairs, change } = rescreened;
  const riskTier = higherTier(record.riskTier, decision.riskTier);
  if (change === 'REJECTED') return { status: 'REJECTED', reason: decision.reason, riskTier };
  if (change === 'RAISED') return { riskTier };
  // The schedule visits the record at once. A reviewer may have decided meanwhile, or the entry may have left
  // the lists. The record can then be approved.
  if (record.status === 'PENDING')
    return { status: 'PENDING', openPairs, riskTier, nextCheckAt: clock.now() };
  const { clientId } = record;
  const { cnpj } = JSON.parse(await vault.decrypt(getIdentity(record), clientId)) as Screened;
  return {
    status: 'PENDING',
    openPairs,
    riskTier,
    ...keyed,
    unanswered: [],
    nextCheckAt: nextCheckOf(0, instantOf(clock)),
    checks: 0,
    cnpjCipher: cnpj && (await vault.encrypt(cnpj, clientId)),
  };
}

/**
 * Logs the change of a record. A refused client raises an alarm, because a person must look at the case. A
 * client who waits for a reviewer raises none, because the list of cases shows the client.
 */
function reportRevision(
  { change, index }: Rescreened,
  { event, cases = [] }: KycRevision,
  { log }: Ports,
): void {
  reportHits(cases, log);
  const fields = { listsVersion: index.version, change, ...(event && { eventId: event.id }) };
  if (change === 'REJECTED') log.raise('ClientListed', new Error('SANCTIONS_HIT'), fields);
  else log.info('KYC record screened again', fields);
}

/**
 * A purchase that waits for the decision about a KYC record. `overruledBy` is a later decision about the
 * client that overrules this record, if there is one.
 */
type Concerned = { id: string; overruledBy?: ClientVerdict };
type AboutRecord = { record: KycRecord; decided: KycDecided; decidedBy: string };

/**
 * Records the facts of a decision about the client, as evidence of the purchase that waits for this decision.
 */
export async function recordAbout(
  { id, overruledBy }: Concerned,
  { record, decided, decidedBy }: AboutRecord,
  { evidence, clock }: Pick<Ports, 'evidence' | 'clock'>,
): Promise<void> {
  const { clientId, model, token } = record;
  const inputs = { clientId, model, kycToken: token, overruledBy };
  const about = { subject: id, clientId, at: clock.now(), decidedBy, inputs };
  await evidence.record(kycEvidence(about, decided));
}
