/** Review cases, as `SubmitKyc` writes them, and the lists in force beside them. */
import type { ListEntry } from '../../functions/adapters/lists/entry.ts';
import { type OpenReviewCase, pairOf } from '../../functions/domain/screening/review-case.ts';
import { aClient, aKycRecord, anEvidence } from './builders.ts';
import { newId, START_AT, type TestPorts } from './ports.ts';

export const CANDIDATE = {
  list: 'OFAC_SDN',
  entryId: '9001',
  entryVersion: '2e7047584874c49c',
  listed: 'a listed one',
  score: 0.8,
  threshold: 0.9,
  zone: 'REVIEW',
  explanation: 'name equal, birth date differs',
} as const;

const INDEX = { version: '2026-11-20T00:00:00.000Z', digest: 'ab'.repeat(32), source: 'PUBLISHED' } as const;

type Changes = Partial<OpenReviewCase> & { cpf?: string };

/** A client who waits for a review. */
export async function openCase(
  { clients, kycRecords, vault }: Pick<TestPorts, 'clients' | 'kycRecords' | 'vault'>,
  { cpf = '52998224725', ...changes }: Changes = {},
): Promise<OpenReviewCase> {
  const { clientId = newId(), candidate = CANDIDATE, partnerId = 'demo' } = changes;
  const pair = pairOf({ personHash: clientId.padEnd(32, '0') }, candidate);
  const cpfCipher = await vault.encrypt(cpf, clientId);
  await clients.create(aClient({ id: clientId, partnerId, cpfCipher }));
  const screened = JSON.stringify({ name: 'ANA DE SOUZA', birthDate: '1990-02-03' });
  const record = aKycRecord({
    token: `kyc_${newId()}`,
    clientId,
    partnerId,
    status: 'PENDING',
    nextCheckAt: 1,
    openPairs: [pair],
    identityCipher: await vault.encrypt(screened, clientId),
  });
  const { token } = record;
  const fixed = { id: newId(), pair, clientId, partnerId, token, candidate, index: INDEX } as const;
  const found: OpenReviewCase = {
    ...fixed,
    opened: 'PENDING',
    status: 'OPEN',
    openedAt: START_AT,
    ...changes,
  };
  const evidence = anEvidence('kyc', { subject: token, at: record.issuedAt });
  await kycRecords.create(record, evidence, { cases: [found] });
  return found;
}

/** Lists in force whose only entries are these. */
export function archiveOf(content: ListEntry[]) {
  const lastChange = { at: '2098-12-30T00:00:00.000Z', added: 3, removed: 2, changed: 1 };
  const seen = { version: '2098-12-31', entries: 1, fetchedAt: '2098-12-01T00:00:00Z' };
  const lists = [{ list: 'OFAC_SDN', ...seen, lastChange }];
  return {
    findCurrent: async () => ({ version: '2098-12-31T00:00:00.000Z', lists, changes: [] }),
    findFiles: async () => ({}),
    read: async () => ({ content, entries: new Map(content.map(({ id }) => [id, ''])) }),
  };
}

export const anEntry = (changes: Partial<ListEntry> = {}): ListEntry => ({
  list: 'OFAC_SDN',
  id: CANDIDATE.entryId,
  names: [{ text: 'SOUZA, Ana', isWeak: false }],
  births: [],
  documents: [],
  ...changes,
});
