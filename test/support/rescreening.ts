import type { ListId } from '../../functions/domain/screening/lists.ts';
import type { ReviewCase } from '../../functions/domain/screening/review-case.ts';
import type { Candidate, IndexInUse } from '../../functions/domain/screening/screening.ts';
import { reviewCaseStore } from '../../operations/stores/cases.ts';
import { openPorts, type TestPorts } from './ports.ts';
import { aRequest, partnerOf, reviewIs } from './submissions.ts';
import type { Tables } from './tables.ts';

export const onList = (list: ListId, score = 1, changes: Partial<Candidate> = {}): Candidate => ({
  list,
  entryId: '4711',
  entryVersion: 'ab12',
  listed: 'TESTE, MARIA',
  score,
  threshold: 0.9,
  explanation: 'name exact',
  ...changes,
});

/** The index of one day's lists. A greater day is later. */
export function indexOf(day: number, source: IndexInUse['source'] = 'PUBLISHED'): IndexInUse {
  const version = `2098-01-${String(day).padStart(2, '0')}T00:00:00.000Z`;
  return { version, digest: `${day}`.padStart(64, '0'), source };
}

/** Ports whose lists give the candidates that the test sets for each CPF. */
export function openWorld(tables: Tables) {
  const ports = openPorts(tables);
  const listed = new Map<string, Candidate[]>();
  const { sanctions } = ports;
  sanctions.search = async (identity) => {
    sanctions.searched.push(identity);
    await sanctions.findIndex();
    return { index: sanctions.index, lists: [], candidates: listed.get(identity.cpf) ?? [] };
  };
  const cases = reviewCaseStore(tables.client, tables.names, ports);
  return {
    ports,
    cases,
    /** Publishes new lists. */
    publish(day: number, entries: Record<string, Candidate[]> = {}, source?: IndexInUse['source']) {
      sanctions.index = indexOf(day, source);
      for (const [cpf, candidates] of Object.entries(entries)) listed.set(cpf, candidates);
      sanctions.searched.length = 0;
    },
    /** Decides the case as a reviewer does. */
    decide: ({ id }: Pick<ReviewCase, 'id'>, status: 'CLEARED' | 'CONFIRMED') =>
      cases.decide(id, { status, decidedBy: 'ana', decidedAt: ports.clock.now(), reason: 'looked at' }),
  };
}
export type World = ReturnType<typeof openWorld>;

/** A client whose first submission was approved. `again` repeats the submission. */
export async function approvedClient({ ports }: World, changes: Parameters<typeof aRequest>[0] = {}) {
  const { partner, submit } = partnerOf(ports);
  const request = aRequest(changes);
  const { cpf } = request;
  const clientId = await reviewIs(ports, { partnerId: partner.id, cpf }, 'APPROVED');
  const answer = await submit(request);
  return { ...answer, partner, cpf, clientId, again: () => submit(request) };
}

export const recordOf = async (ports: TestPorts, { token }: { token: string }) =>
  (await ports.kycRecords.findRecord(token))!;

/** All events that are not delivered yet. */
export async function events(ports: TestPorts) {
  const ids = await ports.events.listUndelivered(Number.MAX_SAFE_INTEGER, 1000);
  const found = await Promise.all(ids.map(async (id) => (await ports.events.findEvent(id))!));
  return found.sort((a, b) => a.sequence - b.sequence);
}
