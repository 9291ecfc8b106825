import { payKey } from '../functions/adapters/dynamodb/settlement-rows.ts';
import type { HoldBegun as EventOwners } from '../functions/domain/kyc/litigation-hold-ports.ts';
import { deliveryId } from '../functions/domain/partners/deliveries.ts';
import { executionNames } from '../functions/domain/purchase/execution.ts';
import { RETENTION, retentionEndOf } from '../functions/domain/retention.ts';
import { eventIdsOf } from '../functions/logic/money/held-rows.ts';
import type { Desk } from './desk.ts';
import type { DossierRow } from './stores/dossier.ts';

/** The purchase that an export is about, with its client. Without `transactionId`, the client with all purchases. */
export type DossierScope = { transactionId: string; clientId: string } | { clientId: string };

/** The stored rows of each part of an export. `missing` says in words which rows were not found. */
export type Collected = Record<DossierPart, DossierRow[]> & { missing: string[] };
export const PARTS = [
  ...(['clients', 'kycRecords', 'transactions', 'settlements', 'events', 'deliveries'] as const),
  ...([
    'evidence',
    'cases',
    'executions',
    'callbacks',
    'lists',
    'unmatchedPayments',
    'moneyCases',
    'ledger',
  ] as const),
] as const;
export type DossierPart = (typeof PARTS)[number];

type Sources = Pick<Desk, 'dossier' | 'executions' | 'lookup' | 'clock'>;
type PurchasesAndRecords = Pick<Collected, 'transactions' | 'kycRecords'>;
type Purchased = EventOwners['purchases'][number];
type Submitted = EventOwners['records'][number];

/**
 * Collects everything that is kept about a purchase, or about a client with all purchases. Each part is always in the
 * same order.
 */
export async function collect(scope: DossierScope, sources: Sources): Promise<Collected> {
  const missing: string[] = [];
  const begun = await readPurchases(scope, sources, missing);
  const clients = await sources.dossier.listRows('clients', [scope.clientId]);
  if (clients.length === 0) missing.push('the client’s row: it has expired, or never existed');
  const events = await eventsOfPurchases(begun, sources);
  const evidence = await evidenceOfScope(scope, begun, sources);
  for (const { token } of begun.kycRecords)
    if (!evidence.some(({ subject }) => subject === token))
      missing.push(`evidence of the KYC record ${token}`);
  return {
    ...begun,
    clients,
    events,
    evidence,
    missing,
    settlements: await settlementsOf(begun, sources),
    deliveries: await deliveriesOf(events, sources),
    cases: byInstant(await sources.dossier.listBy('cases', 'ofClient', scope.clientId), 'openedAt'),
    moneyCases: byInstant(await moneyCasesOf(scope, sources), 'openedAt'),
    executions: await executionsOf(begun, sources, missing),
    callbacks: await callbacksOf(scope, begun, { ...sources, missing }),
    lists: await listsOf(evidence, sources, missing),
    unmatchedPayments: await rowsOfPurchases(['unmatchedPayments', 'foundAt'], begun, sources),
    ledger: await rowsOfPurchases(['ledger', 'at'], begun, sources),
  };
}

async function readPurchases(
  scope: DossierScope,
  { dossier }: Sources,
  missing: string[],
): Promise<PurchasesAndRecords> {
  if (!('transactionId' in scope)) {
    const { clientId } = scope;
    const transactions = byInstant(await dossier.listBy('transactions', 'ofClient', clientId), 'createdAt');
    return {
      transactions,
      kycRecords: byInstant(await dossier.listBy('kycRecords', 'ofClient', clientId), 'issuedAt'),
    };
  }
  const transactions = await dossier.listRows('transactions', [scope.transactionId]);
  const token = String(transactions[0]?.kycToken);
  const kycRecords = await dossier.listRows('kycRecords', [token]);
  if (kycRecords.length === 0) missing.push(`the KYC record ${token}: it has expired`);
  return { transactions, kycRecords };
}

async function eventsOfPurchases(
  { transactions, kycRecords }: PurchasesAndRecords,
  { dossier, lookup }: Sources,
): Promise<DossierRow[]> {
  const begun = { purchases: transactions as Purchased[], records: kycRecords as Submitted[] };
  return byInstant(await dossier.listRows('events', await eventIdsOf(begun, lookup)), 'at');
}

function deliveriesOf(events: DossierRow[], { dossier }: Sources): Promise<DossierRow[]> {
  const ids = events.flatMap(({ id, endpointIds = [] }) =>
    (endpointIds as string[]).map((endpointId) => deliveryId(String(id), endpointId)),
  );
  return dossier.listRows('deliveries', ids);
}

/**
 * Finds evidence both by client and by subject, because the oldest records name no client. For a purchase it is the
 * evidence of the purchase and of its KYC record. Operators' commands about the client are included.
 */
async function evidenceOfScope(
  scope: DossierScope,
  begun: PurchasesAndRecords,
  { dossier }: Sources,
): Promise<DossierRow[]> {
  const subjects = [...begun.transactions.map(({ id }) => id), ...begun.kycRecords.map(({ token }) => token)];
  const bySubject = await Promise.all(
    subjects.map((subject) => dossier.listBy('evidence', 'subject', String(subject))),
  );
  const ofClient = await dossier.listBy('evidence', 'client', scope.clientId);
  const wanted = ofClient.filter(
    ({ subject, kind }) => !('transactionId' in scope) || kind === 'operation' || subjects.includes(subject),
  );
  const all = new Map([...bySubject.flat(), ...wanted].map((row) => [row.id, row]));
  return byInstant([...all.values()], 'at');
}

/**
 * The rows of the settlements. If a try to send the stablecoin has failed, the whole table is also read to
 * find the nonces that the settlement owned.
 */
async function settlementsOf(
  { transactions }: PurchasesAndRecords,
  { dossier }: Sources,
): Promise<DossierRow[]> {
  const ids = transactions.map(({ id }) => String(id));
  const payments = await dossier.listRows('settlements', ids.map(payKey));
  const hadFailed = payments.filter(({ tries }) => Array.isArray(tries) && tries.length > 0);
  if (hadFailed.length === 0) return payments;
  const failed = new Set(hadFailed.map(({ transactionId }) => transactionId));
  const isSlot = ({ id, transactionId }: DossierRow) =>
    String(id).startsWith('SLOT#') && failed.has(transactionId);
  return [...payments, ...byInstant(await dossier.listWhere('settlements', isSlot), 'id')];
}

async function executionsOf(
  { transactions }: PurchasesAndRecords,
  { executions }: Sources,
  missing: string[],
): Promise<DossierRow[]> {
  const found: DossierRow[] = [];
  for (const { id, executions: restarts } of transactions) {
    for (const name of executionNames({ id: String(id), executions: Number(restarts ?? 0) })) {
      const execution = await executions.findExecution(name);
      if (execution) found.push(execution);
      else
        missing.push(
          `the history of the execution ${name}: it is kept ${RETENTION.executions.life.days} days`,
        );
    }
  }
  return found;
}

/** Finds callbacks. They have no index, so the whole table is read. */
async function callbacksOf(
  { clientId, ...rest }: DossierScope,
  { transactions, kycRecords }: PurchasesAndRecords,
  { dossier, clock, missing }: Sources & { missing: string[] },
): Promise<DossierRow[]> {
  const from = Math.min(
    ...[...transactions, ...kycRecords].map((row) => Number(row.createdAt ?? row.issuedAt)),
  );
  if (retentionEndOf(RETENTION.callbacks.life, from) < clock.now())
    missing.push(`callbacks older than ${RETENTION.callbacks.life.days} days: they are not kept`);
  const payments = transactions.map(
    ({ payment }) => (payment as { endToEndId?: string } | undefined)?.endToEndId,
  );
  const ids = new Set([...transactions.map(({ id }) => id), ...payments.filter(Boolean)]);
  const names = (hint: DossierRow) =>
    ids.has(hint.txid) ||
    ids.has(hint.endToEndId) ||
    ids.has(String(hint.livenessId).slice(0, ID_CHARACTERS)) ||
    (hint.clientId === clientId && !('transactionId' in rest));
  return byInstant(
    await dossier.listWhere('callbacks', ({ hints }) => (hints as DossierRow[]).some(names)),
    'at',
  );
}

/** The rows of one table that are about these purchases. The table's index `ofTransaction` finds them. */
async function rowsOfPurchases(
  [table, instant]: ['unmatchedPayments', 'foundAt'] | ['ledger', 'at'],
  { transactions }: PurchasesAndRecords,
  { dossier }: Sources,
): Promise<DossierRow[]> {
  const found = await Promise.all(
    transactions.map(({ id }) => dossier.listBy(table, 'ofTransaction', String(id))),
  );
  return byInstant(found.flat(), instant);
}

/** The client's money cases. For an export of one purchase, only the cases about that purchase. */
async function moneyCasesOf(scope: DossierScope, { dossier }: Sources): Promise<DossierRow[]> {
  const found = await dossier.listBy('moneyCases', 'ofClient', scope.clientId);
  return found.filter((row) => !('transactionId' in scope) || row.transactionId === scope.transactionId);
}

const ID_CHARACTERS = 26;

type Cited = { version: string; digest: string };

/** The indexes of the sanctions lists that the evidence names, each with the record of its publication. */
async function listsOf(
  evidence: DossierRow[],
  { dossier }: Sources,
  missing: string[],
): Promise<DossierRow[]> {
  const cited = new Map(
    evidence.flatMap((row) => indexesIn(row.findings)).map((each) => [each.digest, each]),
  );
  const found: DossierRow[] = [];
  for (const index of [...cited.values()].sort((a, b) => compareValues(a.version, b.version))) {
    const publications = await dossier.listBy('evidence', 'subject', index.version);
    // Records of later searches have the same subject, the version of the index. Only the record by
    // `RefreshLists` is about the publication.
    const publication = publications.find(({ decidedBy }) => decidedBy === 'RefreshLists');
    if (!publication) missing.push(`the record of the publication ${index.version}`);
    const { version, digest } = index;
    found.push({
      version,
      digest,
      object: `lists/indexes/${digest}.idx`,
      ...(publication && { publication }),
    });
  }
  return found;
}

/** Finds the indexes in the findings: every object with a version and a digest is one. */
function indexesIn(value: unknown): Cited[] {
  if (typeof value !== 'object' || value === null) return [];
  const { version, digest } = value as Partial<Cited>;
  const own = typeof version === 'string' && typeof digest === 'string' ? [{ version, digest }] : [];
  return [...own, ...Object.values(value).flatMap(indexesIn)];
}

function byInstant(rows: DossierRow[], instant: string): DossierRow[] {
  return [...rows].sort((a, b) => compareValues(a[instant], b[instant]) || compareValues(a.id, b.id));
}

function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return String(a) < String(b) ? -1 : String(a) > String(b) ? 1 : 0;
}
