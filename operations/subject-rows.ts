/** Finds every row about one person: docs/operations.md, "A client's rights". */
import { holdRowId } from '../functions/adapters/dynamodb/litigation-holds.ts';
import { openMedsId } from '../functions/adapters/dynamodb/person-blocks.ts';
import { referenceId } from '../functions/adapters/dynamodb/references.ts';
import { usageIdsOf } from '../functions/adapters/dynamodb/usages.ts';
import { SLICED, type Sliced, sliceKey, sliceOf } from '../functions/domain/books/evidence-slice.ts';
import type { Client } from '../functions/domain/kyc/client.ts';
import { correctionsAfter } from '../functions/domain/kyc/correction.ts';
import type { KycRecord } from '../functions/domain/kyc/kyc.ts';
import { executionKeys, executionNames } from '../functions/domain/purchase/execution.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import type { DataSubject } from './data-subject.ts';
import type { Desk } from './desk.ts';
import { type Collected, collect, type DossierPart, PARTS } from './dossier.ts';
import { withCpf, withNames } from './evidence-bundle.ts';
import type { DossierRow } from './stores/dossier.ts';
import type { SubjectKind } from './subject-fields.ts';
import { instant } from './words.ts';

/** The rows about a person, by kind. `missing` says in words what was not found. */
export type SubjectRows = { rows: Record<SubjectKind, DossierRow[]>; missing: string[] };

/** The client ids for which a partner has a client's row, a KYC record or a purchase. */
export async function knownClientsOf({ clientIds }: DataSubject, { dossier }: Desk): Promise<string[]> {
  const rows = new Set((await dossier.listRows('clients', clientIds)).map(({ id }) => String(id)));
  const others = clientIds.filter((id) => !rows.has(id));
  const found = await Promise.all(
    others.map(async (id) => {
      const records = await dossier.listBy('kycRecords', 'ofClient', id);
      return records.length > 0 || (await dossier.listBy('transactions', 'ofClient', id)).length > 0;
    }),
  );
  return [...rows, ...others.filter((_, at) => found[at])];
}

/** Collects the rows of each client, and then those that name the person, or that other rows lead to. */
export async function readSubjectRows(subject: DataSubject, desk: Desk): Promise<SubjectRows> {
  const clientIds = await knownClientsOf(subject, desk);
  const parts = await Promise.all(clientIds.map((clientId) => collect({ clientId }, desk)));
  const { executions: _, lists: __, ...own } = mergedRows(parts);
  const { transactions, evidence, cases, moneyCases } = own;
  const purchases = transactions as unknown as Transaction[];
  const named = [...transactions, ...cases, ...moneyCases].map(({ id }) => String(id));
  const acts = await actsOf([subject.personId, ...clientIds, ...named], desk);
  const rows = {
    ...own,
    ...(await ofPerson(subject, desk)),
    ...(await rowsOfTransactions({ ...subject, clientIds }, purchases, desk)),
    archive: await desk.dossier.listRows('archive', archiveKeysOf(purchases, { evidence, acts })),
    acts,
  };
  return { rows, missing: parts.flatMap(({ missing }) => missing) };
}

const mergedRows = (parts: readonly Collected[]) =>
  Object.fromEntries(PARTS.map((name) => [name, parts.flatMap((part) => part[name])])) as Record<
    DossierPart,
    DossierRow[]
  >;

/** False if only acts were found, because an operator's own question about a CPF leaves an act. */
export function hasRows({ rows }: SubjectRows): boolean {
  return Object.entries(rows).some(([kind, found]) => kind !== 'acts' && found.length > 0);
}

/** Opens CPF, CNPJ, the searched identity and the partner's notes. Adds the wrong fields to each KYC record. */
export async function openedRows({ rows, missing }: SubjectRows, desk: Desk): Promise<SubjectRows> {
  const { vault } = desk;
  const [clients, kycRecords, transactions] = await Promise.all([
    Promise.all(rows.clients.map((row) => withCpf(row, vault))),
    Promise.all(
      rows.kycRecords.map(async (row) => ({ ...(await withNames(row, vault)), ...wrongIn(row, rows) })),
    ),
    Promise.all(rows.transactions.map(async (row) => ({ ...row, ...(await notesOf(row, desk)) }))),
  ]);
  return { rows: { ...rows, clients, kycRecords, transactions }, missing };
}

function wrongIn(row: DossierRow, { clients }: SubjectRows['rows']): DossierRow {
  const record = row as unknown as KycRecord;
  const client = clients.find(({ id }) => id === record.clientId) as Partial<Client> | undefined;
  const wrong = correctionsAfter(record, client ?? {}).map(
    ({ field, at }) => `${field}, since ${instant(at)}`,
  );
  return wrong.length === 0 ? {} : { wrong };
}

async function notesOf({ id, metadataCipher }: DossierRow, { vault }: Desk): Promise<DossierRow> {
  if (typeof metadataCipher !== 'string') return {};
  return { metadata: JSON.parse(await vault.decrypt(metadataCipher, String(id))) };
}

async function ofPerson({ personId }: DataSubject, { dossier }: Desk) {
  return {
    personBlocks: await dossier.listRows('personBlocks', [personId]),
    openMeds: await dossier.listRows('personBlocks', [openMedsId(personId)]),
    litigationHolds: await dossier.listRows('personBlocks', [holdRowId(personId)]),
  };
}

async function rowsOfTransactions(
  { personId, clientIds }: DataSubject,
  purchases: readonly Transaction[],
  { dossier }: Desk,
) {
  const days = new Set(purchases.flatMap(({ claim }) => claim?.day ?? []));
  const owners = [personId, ...clientIds];
  const usages = owners.flatMap((owner) => [...days].flatMap((day) => usageIdsOf(owner, day)));
  const references = purchases.flatMap(({ partnerId, externalId }) =>
    externalId === undefined ? [] : [referenceId(partnerId, externalId)],
  );
  return {
    usages: await dossier.listRows('usages', usages),
    references: await dossier.listRows('transactions', references),
  };
}

/** The objects of the archive that have the purchases' histories, the decisions, and the acts of operators. */
function archiveKeysOf(
  purchases: readonly Transaction[],
  sliced: Record<Sliced, readonly DossierRow[]>,
): string[] {
  const histories = purchases.flatMap((purchase) =>
    executionNames(purchase).flatMap((name) => Object.values(executionKeys(name, purchase))),
  );
  const slices = SLICED.flatMap((table) =>
    sliced[table].map(({ at }) => sliceKey(table, sliceOf(Number(at)))),
  );
  return [...histories, ...new Set(slices)];
}

async function actsOf(subjects: readonly string[], { dossier }: Desk): Promise<DossierRow[]> {
  const found = await Promise.all(
    [...new Set(subjects)].map((subject) => dossier.listBy('acts', 'ofSubject', subject)),
  );
  return found.flat();
}
