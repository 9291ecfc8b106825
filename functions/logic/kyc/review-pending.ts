import { Unavailable } from '../../domain/errors.ts';
import type { Client } from '../../domain/kyc/client.ts';
import type { IdentityReview } from '../../domain/kyc/identity.ts';
import {
  hasExpired,
  hasOpenSources,
  isOverruled,
  isVouchWithdrawn,
  type KycDecision,
  type KycOutcome,
  type KycRecord,
  nextCheckOf,
  type PendingRecord,
  verdictOf,
} from '../../domain/kyc/kyc.ts';
import { lacksCnpj, nextSequenceOf, outcomeEvent } from '../../domain/kyc/kyc-answer.ts';
import type { Findings } from '../../domain/kyc/kyc-facts.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';
import { REVIEW_HOURS } from '../../domain/review-hours.ts';
import {
  type DecidedPairs,
  hasUndecidedPair,
  type OpenReviewCase,
} from '../../domain/screening/review-case.ts';
import { getClient, getPartner } from '../rows.ts';
import { outcomeEventIdOf } from './client-id.ts';
import {
  decideOnFindings,
  findOut,
  type KycDecided,
  type KycSubject,
  kycEvidence,
  SOURCE_NEEDS,
  screenedOf,
} from './know-client.ts';
import { countedRegistries, OWED_NEEDS } from './registry-quota.ts';
import { openPairsOf, reportHits, reviewCasesOf } from './review-cases.ts';

/** The ports for a visit to the KYC records of one client. */
export const KYC_REVIEW_NEEDS = [
  ...SOURCE_NEEDS,
  ...OWED_NEEDS,
  'kycRecords:read',
  'kycReviews',
  'clients',
  'vault',
  'lookup',
  // Grants write access to the evidence table, because an outcome and its evidence are written in one
  // transaction.
  'evidence',
] as const;

type Ports = Needs<typeof KYC_REVIEW_NEEDS>;

/**
 * A callback about a client causes visits to at most this many of the client's newest records. The schedule
 * visits the older ones.
 */
const NEWEST = 20;

/**
 * The answers and decisions of one run, shared by all records of a client. Providers charge for each answer, and a
 * client may have many records. `refused` are the clients of whom this run has noted that their documents are rejected.
 */
type Visit = {
  documents: Map<string, Promise<Documents>>;
  decisions: Map<string, Promise<DecidedClient>>;
  refused: Set<string>;
};
type Documents = IdentityReview | 'NONE' | 'UNKNOWN';
type DecidedClient = KycDecided & { findings: Findings; client: Client };
export const newReviewVisit = (): Visit => ({
  documents: new Map(),
  decisions: new Map(),
  refused: new Set(),
});

/**
 * Decides a client's newest PENDING records at once, because the identity provider has reported a change. If
 * the provider has rejected the documents for good, the client's older tokens are refused too:
 * docs/decisions.md, "Screening again".
 */
export async function reviewClient(clientId: string, ports: Ports): Promise<void> {
  const { clients, clock, identity, kycReviews } = ports;
  const visit = newReviewVisit();
  // A token that is issued after this instant is not refused for this review, because its own submission
  // reads the review.
  const rejectedAt = clock.now();
  const review = await identity.findReview(clientId);
  const refused = review?.status === 'REJECTED' ? await clients.findClient(clientId) : undefined;
  if (refused) {
    // Repeated news of the same review must not refuse a token that was issued since.
    if (!isRejectionNoted(refused, review))
      await clients.noteVerdict(clientId, { rejectedAt, rejectedFor: 'DOCUMENT_REJECTED' });
    visit.refused.add(clientId);
  }
  visit.documents.set(clientId, Promise.resolve(review ?? 'NONE'));
  for (const token of await kycReviews.listOfClient(clientId, NEWEST))
    await reviewRecord(token, visit, ports);
}

function isRejectionNoted({ rejectedAt = 0, rejectedFor }: Client, review?: IdentityReview): boolean {
  const { reviewedAt = Infinity } = review ?? {};
  return rejectedFor === 'DOCUMENT_REJECTED' && rejectedAt >= reviewedAt;
}

export async function reviewRecord(token: string, visit: Visit, ports: Ports): Promise<void> {
  const record = await ports.kycRecords.findRecord(token);
  if (record?.status !== 'PENDING' || record.nextCheckAt === undefined) return;
  const now = ports.clock.now();
  if (hasExpired(record, {}, now)) return ports.kycReviews.abandon(token);
  // The next visit is planned before this one begins. Otherwise records whose visits always fail would be due
  // first in every run, and newer records would wait.
  const checks = record.checks + 1;
  await ports.kycReviews.postpone(token, nextCheckOf(checks, instantOf(ports.clock)), checks);
  const [client, partner] = await Promise.all([
    getClient(ports.clients, record.clientId),
    record.vendorKid === undefined ? undefined : getPartner(ports.partners, record.partnerId),
  ]);
  // A correction, or the end of the vendor's key, may have ended the token before its day was over.
  const isOver = hasExpired(record, client, now) || isVouchWithdrawn(record, partner ?? {});
  if (isOver) return ports.kycReviews.abandon(token);
  if (await waitsForCnpj(record, visit)) return;
  if (await waitsForReviewer({ record, client }, visit, ports)) return;
  if (await waitsForDocuments(record, visit, ports)) return;
  await decideAnew(record, visit, ports);
}

/**
 * Whether the record waits only for a new submission with the CNPJ. False if the record can be decided without it: the
 * documents are already rejected, or a source has not answered yet.
 */
async function waitsForCnpj(record: PendingRecord, visit: Visit): Promise<boolean> {
  if (!lacksCnpj(record) || hasOpenSources(record)) return false;
  return !(await isKnownRejected(record, visit));
}

/**
 * Whether the record waits only for a reviewer. The visit then asks no source again, because no answer could
 * approve the client, and the registry charges for each answer. False if the documents are already rejected,
 * or if a source has not answered yet.
 */
async function waitsForReviewer(
  { record, client }: { record: PendingRecord; client: Client },
  visit: Visit,
  ports: Ports,
): Promise<boolean> {
  const { openPairs } = record;
  if (openPairs.length === 0 || hasOpenSources(record)) return false;
  if (await isKnownRejected(record, visit)) return false;
  if (!hasUndecidedPair(openPairs, client)) return false;
  reportIfOverdue(record, ports);
  return true;
}

/** A record that waits longer than this for a reviewer raises an alarm. */
const OVERDUE_AFTER_MINUTES = REVIEW_HOURS.PENDING * 60;

function reportIfOverdue({ issuedAt }: KycRecord, { clock, log }: Ports): void {
  if (clock.now() - issuedAt < OVERDUE_AFTER_MINUTES * clock.minuteMs) return;
  log.raise('ReviewOverdue', new Error('a client waits for a reviewer'));
}

async function isKnownRejected({ clientId }: KycRecord, visit: Visit): Promise<boolean> {
  const documents = await visit.documents.get(clientId);
  return typeof documents === 'object' && documents.status === 'REJECTED';
}

/**
 * Whether the record waits only for the identity provider's result about the documents. The visit then asks
 * no source again, because registry and lists have already answered, and each answer costs money. False if
 * another source has not answered yet, because it may still reject the client.
 */
async function waitsForDocuments(record: PendingRecord, visit: Visit, ports: Ports): Promise<boolean> {
  const { model, clientId } = record;
  if (model === 2 || hasOpenSources(record)) return false;
  const documents = await remembered(visit.documents, clientId, () => readDocuments(clientId, ports));
  return documents === 'UNKNOWN' || (documents !== 'NONE' && documents.status === 'PENDING');
}

async function readDocuments(clientId: string, { identity, log }: Ports): Promise<Documents> {
  try {
    return (await identity.findReview(clientId)) ?? 'NONE';
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    log.raise('ScreeningSilent', error, { source: 'IDENTITY_PROVIDER' });
    return 'UNKNOWN';
  }
}

function remembered<Value>(known: Map<string, Promise<Value>>, key: string, ask: () => Promise<Value>) {
  const value = known.get(key) ?? ask();
  known.set(key, value);
  return value;
}

async function decideAnew(record: PendingRecord, visit: Visit, ports: Ports): Promise<void> {
  const { token, clientId, model, personType, cnpjCipher, keyedBiometric, keyedCollected } = record;
  const cnpj = cnpjCipher && (await ports.vault.decrypt(cnpjCipher, clientId));
  const subject = { clientId, model, personType, cnpj, keyedBiometric, keyedCollected };
  const known = await remembered(visit.decisions, JSON.stringify(subject), () =>
    decideClient(subject, visit, ports),
  );
  const { findings, facts, decision, client } = known;
  // A refused client's token must not be approved. `overruleTokens` refuses it and tells the partner.
  if (decision.status === 'APPROVED' && isOverruled(record, client)) return;
  const cases = await reviewCasesOf(record, known, ports);
  if (isOutcome(decision)) return settleRecord(record, { ...known, decision, cnpj, cases }, ports);
  const openPairs = openPairsOf(facts);
  // A reviewer needs the identity that was searched, and evidence about each new pair of client and list
  // entry.
  const isRaised = openPairs.some((pair) => !record.openPairs.includes(pair));
  const screened = await screenedOf({ clientId, cnpj }, findings, ports);
  const evidence = isRaised ? evidenceOfReview(record, known, ports.clock.now()) : undefined;
  const unanswered = findings.unavailable;
  await ports.kycReviews.saveOpen(token, { unanswered, openPairs, screened, evidence }, cases);
  if (isRaised) reportHits(cases, ports.log);
}

function evidenceOfReview(
  { token, clientId, model, keyedBiometric, keyedCollected }: KycRecord,
  decided: KycDecided,
  now: number,
) {
  const inputs = { clientId, keyedBiometric, keyedCollected, model };
  const { facts, decision } = decided;
  return kycEvidence(
    { subject: token, clientId, at: now, decidedBy: 'ReviewPendingKyc', inputs },
    { facts, decision },
  );
}

async function decideClient(
  { clientId, ...subject }: Omit<KycSubject, 'cpf' | 'wallets' | keyof DecidedPairs>,
  { refused }: Visit,
  ports: Ports,
): Promise<DecidedClient> {
  const client = await getClient(ports.clients, clientId);
  const { wallets, clearedPairs, confirmedPairs } = client;
  const cpf = await ports.vault.decrypt(client.cpfCipher, clientId);
  const known = { cpf, wallets, clearedPairs, confirmedPairs };
  const sources = { ...ports, ...countedRegistries(client.partnerId, ports) };
  const findings = await findOut({ ...subject, clientId, ...known }, sources);
  const decided = decideOnFindings(findings, ports);
  const verdict = verdictOf(decided.decision, ports.clock.now());
  // The client may submit again as soon as the rejection is noted. Noted twice, it would also refuse that submission.
  const isNoted = refused.has(clientId) && verdict?.rejectedFor === 'DOCUMENT_REJECTED';
  if (verdict && !isNoted) await ports.clients.noteVerdict(clientId, verdict);
  return { findings, client, ...decided };
}

type ReviewOutcome = { decision: KycOutcome; cnpj?: string; cases: OpenReviewCase[] };

async function settleRecord(
  record: KycRecord,
  { findings, client, facts, decision, cnpj, cases }: DecidedClient & ReviewOutcome,
  ports: Ports,
): Promise<void> {
  const { token, clientId } = record;
  const now = ports.clock.now();
  const evidence = evidenceOfReview(record, { facts, decision }, now);
  const screened = await screenedOf({ clientId, cnpj }, findings, ports);
  const eventId = await outcomeEventIdOf({ token, sequence: nextSequenceOf(record) }, ports.lookup);
  const event = outcomeEvent(record, decision, { id: eventId, now, verdict: client });
  const isSettled = await ports.kycReviews.settle({
    token,
    outcome: decision,
    evidence,
    event,
    cases,
    screened,
  });
  if (!isSettled) return;
  ports.log.info('KYC decided', { eventId, status: decision.status });
  reportHits(cases, ports.log);
}

const isOutcome = (decision: KycDecision): decision is KycOutcome => decision.status !== 'PENDING';
