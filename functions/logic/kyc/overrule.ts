import { getDefined } from '../../domain/get.ts';
import type { Client } from '../../domain/kyc/client.ts';
import {
  hasExpired,
  higherTier,
  isOverruled,
  type KeyedInputs,
  KYC_LIFE_MS,
  type KycRecord,
  nextCheckOf,
} from '../../domain/kyc/kyc.ts';
import { nextSequenceOf, outcomeEvent } from '../../domain/kyc/kyc-answer.ts';
import { decideKyc } from '../../domain/kyc/kyc-decision.ts';
import { overruledFacts } from '../../domain/kyc/rescreening.ts';
import { instantOf, type Needs } from '../../domain/ports.ts';
import { getKycRecord } from '../rows.ts';
import { outcomeEventIdOf } from './client-id.ts';
import { type KycDecided, kycEvidence } from './know-client.ts';

export const OVERRULE_NEEDS = [
  'overrulings',
  'kycRecords:read',
  'rescreenings',
  'clients',
  'lookup',
  // Grants write access to the evidence table, because evidence is written in one transaction with the KYC
  // record.
  'evidence',
  'clock',
  'log',
] as const;
type Ports = Needs<typeof OVERRULE_NEEDS>;

/**
 * The least number of visits to a refused client, over some minutes. One visit could miss a KYC token. The
 * index of tokens may lag, and a submission that read the client before the refusal may write its token
 * later.
 */
const LOOKS = 5;
const AT_ONCE = 10;

/**
 * Refuses the KYC tokens that a refused client got before the refusal, unless they have expired. The partner gets an
 * event for each: docs/decisions.md, "Screening again".
 */
export async function overruleTokens(clientId: string, ports: Ports): Promise<void> {
  const { clients, clock, overrulings } = ports;
  const client = await clients.findClient(clientId);
  if (client?.nextCheckAt === undefined || client.rejectedAt === undefined) return;
  // The next visit is planned before this one begins. Otherwise a client whose visit always fails would be
  // due first in every run, and other clients would wait.
  const checks = client.checks + 1;
  await overrulings.postpone(client, nextCheckOf(checks, instantOf(clock)), checks);
  const since = { from: clock.now() - KYC_LIFE_MS, until: client.rejectedAt };
  const isDone = await overruleAll(await overrulings.listIssued(clientId, since), client, ports);
  if (isDone && checks >= LOOKS) await overrulings.finish(client);
}

/**
 * Refuses all given KYC tokens. If one fails, the others are still refused, and its error is thrown at the
 * end. False if a token's record was changed by another function before this write.
 */
async function overruleAll(tokens: string[], client: Client, ports: Ports): Promise<boolean> {
  const ends: PromiseSettledResult<boolean>[] = [];
  for (let from = 0; from < tokens.length; from += AT_ONCE) {
    const some = tokens.slice(from, from + AT_ONCE);
    ends.push(...(await Promise.allSettled(some.map((token) => overrule(token, client, ports)))));
  }
  const failed = ends.find(({ status }) => status === 'rejected');
  if (failed) throw (failed as PromiseRejectedResult).reason;
  return ends.every((end) => end.status === 'fulfilled' && end.value);
}

/**
 * Refuses one KYC token. True also if the token is already refused, has expired, or was issued after the
 * refusal. False if another function changed the record before this write. The client's next visit then tries
 * again.
 */
async function overrule(token: string, client: Client, ports: Ports): Promise<boolean> {
  const record = await getKycRecord(ports.kycRecords, token);
  const isOver = record.status === 'REJECTED' || hasExpired(record, client, ports.clock.now());
  if (isOver || !isOverruled(record, client)) return true;
  const last = getDefined(await ports.rescreenings.findFacts(record), 'evidence of a KYC record');
  const facts = overruledFacts(last.facts, client);
  const decided = { facts, decision: decideKyc(facts) };
  const keyed = last.inputs;
  return refuseRecord(record, { decided, client, keyed }, ports);
}

type RefusedDecision = { decided: KycDecided; client: Client; keyed: KeyedInputs };

async function refuseRecord(
  record: KycRecord,
  { decided, client, keyed }: RefusedDecision,
  { rescreenings, lookup, clock, log }: Ports,
): Promise<boolean> {
  const { token, clientId, model } = record;
  const now = clock.now();
  const riskTier = higherTier(record.riskTier, decided.decision.riskTier);
  const outcome = { ...decided.decision, status: 'REJECTED', riskTier } as const;
  const id = await outcomeEventIdOf({ token, sequence: nextSequenceOf(record) }, lookup);
  const inputs = { clientId, ...keyed, model };
  const isDone = await rescreenings.revise({
    record,
    set: { status: outcome.status, reason: outcome.reason, riskTier },
    evidence: kycEvidence(
      { subject: token, clientId, at: now, decidedBy: 'ReviewPendingKyc', inputs },
      decided,
    ),
    event: outcomeEvent(record, outcome, { id, now, verdict: client }),
    cases: [],
  });
  if (isDone) log.info('KYC overruled', { eventId: id });
  return isDone;
}
