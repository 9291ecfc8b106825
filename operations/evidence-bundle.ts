import type { Opener } from '../functions/domain/ports.ts';
import { type Collected, type DossierPart, type DossierScope, PARTS } from './dossier.ts';
import type { DossierRow } from './stores/dossier.ts';

export const FORMAT = 'onramp-evidence/1';

export type Header = {
  format: typeof FORMAT;
  exportedAt: string;
  by: string;
  reason: string;
  stage: string;
  subject: DossierScope;
  /** Whether CPF, CNPJ, birth date and the names of person and company are included in clear. */
  personal: boolean;
  /** In words, what was not found. Empty if nothing is missing. */
  missing: string[];
};

export type EvidenceBundle = { header: Header } & Record<DossierPart, unknown[]>;

/**
 * The names of fields that are never exported: ciphertexts, the bytes of signed transfers, task tokens, and
 * biometric hashes that are not keyed.
 */
export const SECRET = /cipher$|secret|^raw$|^taskToken$|^wait$|^biometricHash$/i;
/** The names of fields that only the tables' indexes need. */
const KEYS = [
  'sweep',
  'due',
  'lookAt',
  'parkedFor',
  'pendingClientId',
  'live',
  'open',
  'statusKey',
  'dayKey',
];

/**
 * Makes the bundle that docs/operations.md, "Evidence for an authority", describes. Fields with secrets are
 * left out by their names, at any depth. KYC tokens are shortened. The fields of each object are sorted, so
 * that two exports can be compared line by line.
 */
export function bundleOf({ missing: _, ...parts }: Collected, header: Header): EvidenceBundle {
  const cleaned = PARTS.map((part) => [part, parts[part].map((row) => clean(row))] as const);
  const shown = { ...header, missing: header.missing.map(withoutTokens) };
  return { header: shown, ...(Object.fromEntries(cleaned) as Record<DossierPart, unknown[]>) };
}

export function clean(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  if (typeof value === 'string') return withoutTokens(value);
  if (value instanceof Set) return [...value].sort();
  if (Array.isArray(value)) return value.map(clean);
  if (typeof value !== 'object' || value === null) return value;
  const kept = Object.entries(value).filter(([name]) => !SECRET.test(name) && !KEYS.includes(name));
  return Object.fromEntries(
    kept
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, each]) => (name === 'liveness' ? [name, clean(withoutLink(each))] : [name, clean(each)])),
  );
}

const TOKEN = /\bkyc_[0-9A-Z]*([0-9A-Z]{6})\b/g;

/** The text with only the end of each KYC token, because a whole token opens purchases for a day. */
export const withoutTokens = (text: string): string => text.replace(TOKEN, 'kyc_…$1');

/** Removes the link to the page where the client shows their face, because anybody could open it within ten minutes. */
function withoutLink(liveness: unknown): unknown {
  const { url: _, ...rest } = liveness as DossierRow;
  return rest;
}

/**
 * Adds personal data in clear: the CPF to the client's row, the CNPJ and the searched identity to each KYC
 * record.
 */
export async function withIdentity(collected: Collected, vault: Opener): Promise<Collected> {
  const clients = collected.clients.map((row) => withCpf(row, vault));
  const kycRecords = collected.kycRecords.map((row) => withNames(row, vault));
  return { ...collected, clients: await Promise.all(clients), kycRecords: await Promise.all(kycRecords) };
}

/** The row of a client, with the CPF in clear. */
export async function withCpf(row: DossierRow, vault: Opener): Promise<DossierRow> {
  return { ...row, cpf: await openedCipher(row.cpfCipher, String(row.id), vault) };
}

/** A KYC record, with the CNPJ and the searched identity in clear. */
export async function withNames(row: DossierRow, vault: Opener): Promise<DossierRow> {
  const clientId = String(row.clientId);
  const identity = await openedCipher(row.identityCipher, clientId, vault);
  return {
    ...row,
    cnpj: await openedCipher(row.cnpjCipher, clientId, vault),
    identity: identity && JSON.parse(identity),
  };
}

const openedCipher = async (cipher: unknown, context: string, vault: Opener) =>
  typeof cipher === 'string' ? vault.decrypt(cipher, context) : undefined;
