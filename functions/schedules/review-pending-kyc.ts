import {
  hasExpired,
  type KycDecision,
  type KycOutcome,
  type KycRecord,
  nextCheckOf,
  outcomeEvent,
  verdictOf,
} from '../domain/kyc.ts';
import { instantOf, type Needs } from '../domain/ports.ts';
import { decide, evidenceOf, findOut, SOURCE_NEEDS } from '../edge/know-client.ts';
import { schedule } from '../edge/schedule.ts';

/** What looking at one client's records takes. */
export const KYC_REVIEW_NEEDS = [
  ...SOURCE_NEEDS,
  'kycRecords:read',
  'kycReviews',
  'clients',
  'vault',
  // Grants the table: the evidence is written together with the outcome.
  'evidence',
] as const;
export const needs = KYC_REVIEW_NEEDS;
type Ports = Needs<typeof KYC_REVIEW_NEEDS>;

const BATCH = 50;
const AT_ONCE = 10;
/** Real time, well below the function's: providers that hang must not cut a record's look short. */
const BUSY_MS = 20_000;

/**
 * Each minute: PENDING records that are due are decided anew, until their time is over: docs/decisions.md,
 * "A PENDING record's later outcome".
 */
export async function reviewPendingKyc(ports: Ports) {
  const until = ports.clock.now() + BUSY_MS;
  const seen = new Set<string>();
  while (ports.clock.now() < until) {
    // The index may be stale: what was looked at in this run may still be in it.
    const due = (await ports.kycReviews.listDue(ports.clock.now(), BATCH)).filter(
      (token) => !seen.has(token),
    );
    if (due.length === 0) break;
    for (let from = 0; from < due.length; from += AT_ONCE) {
      await Promise.all(due.slice(from, from + AT_ONCE).map((token) => visit(token, ports)));
    }
    for (const token of due) seen.add(token);
  }
  return { looked: seen.size };
}

/** What the provider's news of an applicant leads to: the client's PENDING records are decided anew at once. */
export async function reviewClient(clientId: string, ports: Ports): Promise<void> {
  for (const token of await ports.kycReviews.listOfClient(clientId)) await reviewRecord(token, ports);
}

async function visit(token: string, ports: Ports): Promise<void> {
  try {
    await reviewRecord(token, ports);
  } catch (error) {
    // One record that cannot be decided must not keep the others waiting. Its token is none of the log's business.
    ports.log.error('review of a KYC record failed', error);
  }
}

async function reviewRecord(token: string, ports: Ports): Promise<void> {
  const record = await ports.kycRecords.findRecord(token);
  if (record?.status !== 'PENDING' || record.nextCheckAt === undefined) return;
  if (hasExpired(record, ports.clock.now())) return ports.kycReviews.abandon(token);
  // Planned first: a batch of records that fail would keep all younger ones from ever being looked at.
  const checks = (record.checks ?? 0) + 1;
  await ports.kycReviews.postpone(token, nextCheckOf(checks, instantOf(ports.clock)), checks);
  if (await waitsForDocuments(record, ports)) return;
  await decideAnew(record, ports);
}

/** Then registry and lists could not approve anybody, and the registry charges for each answer. */
async function waitsForDocuments({ model, clientId }: KycRecord, { identity }: Ports): Promise<boolean> {
  return model !== 2 && (await identity.findReview(clientId))?.status === 'PENDING';
}

async function decideAnew(record: KycRecord, ports: Ports): Promise<void> {
  const { token, clientId, model, cnpjCipher } = record;
  const { cpfCipher, wallets } = (await ports.clients.findClient(clientId))!;
  const cpf = await ports.vault.decrypt(cpfCipher, clientId);
  const cnpj = cnpjCipher && (await ports.vault.decrypt(cnpjCipher, clientId));
  const findings = await findOut({ clientId, model, cpf, cnpj, wallets }, ports);
  const decision = decide(findings, ports);
  if (!isOutcome(decision)) return;
  const verdict = verdictOf(decision, ports.clock.now());
  if (verdict) await ports.clients.noteVerdict(clientId, verdict);

  const now = ports.clock.now();
  const inputs = { clientId, model };
  const evidence = evidenceOf(
    { subject: token, at: now, decidedBy: 'ReviewPendingKyc', inputs },
    findings,
    decision,
  );
  // Ids of events are logged and go to the partner as `webhook-id`: a hash, not the token.
  const eventId = `kyc_${(await ports.vault.fingerprint(`outcome of ${token}`)).slice(0, 32)}`;
  const event = outcomeEvent(record, decision, { id: eventId, now });
  const isSettled = await ports.kycReviews.settle({ token, outcome: decision, evidence, event });
  if (isSettled) ports.log.info('KYC decided', { eventId, status: decision.status });
}

const isOutcome = (decision: KycDecision): decision is KycOutcome => decision.status !== 'PENDING';

export const handler = schedule({ needs }, reviewPendingKyc);
