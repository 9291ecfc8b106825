import type { Opener } from '../functions/domain/ports.ts';
import { type Collected, PARTS, type Part, type Scope } from './dossier.ts';
import type { Row } from './stores/dossier.ts';

export const FORMAT = 'onramp-evidence/1';

export type Header = {
  format: typeof FORMAT;
  exportedAt: string;
  by: string;
  reason: string;
  stage: string;
  subject: Scope;
  /** Whether CPF, CNPJ, birth date and the names of person and company are included in clear. */
  personal: boolean;
  /** In words, what was not found. Empty if nothing is missing. */
  missing: string[];
};

export type Bundle = { header: Header } & Record<Part, unknown[]>;

/**
 * The names of fields that are never exported: ciphertexts, signed bytes, task tokens, and biometric hashes that are
 * not keyed.
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
 * Makes the bundle that docs/operations.md, "Evidence for an authority", describes. Secret fields are left out by their
 * names, however deep they are. The fields of each object are sorted, so that two exports can be compared line by line.
 */
export function bundleOf({ missing: _, ...parts }: Collected, header: Header): Bundle {
  const cleaned = PARTS.map((part) => [part, parts[part].map((row) => clean(row))] as const);
  return { header, ...(Object.fromEntries(cleaned) as Record<Part, unknown[]>) };
}

export function clean(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
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

/** Removes the link to the page where the client shows their face, because anybody could open it within ten minutes. */
function withoutLink(liveness: unknown): unknown {
  const { url: _, ...rest } = liveness as Row;
  return rest;
}

/**
 * Adds personal data in clear: the CPF to the client's row, the CNPJ and the searched identity to each KYC
 * record.
 */
export async function withIdentity(
  collected: Collected,
  clientId: string,
  vault: Opener,
): Promise<Collected> {
  const open = async (cipher: unknown) =>
    typeof cipher === 'string' ? vault.decrypt(cipher, clientId) : undefined;
  const clients = collected.clients.map(async (row) => ({ ...row, cpf: await open(row.cpfCipher) }));
  const kycRecords = collected.kycRecords.map(async (row) => {
    const identity = await open(row.identityCipher);
    return { ...row, cnpj: await open(row.cnpjCipher), identity: identity && JSON.parse(identity) };
  });
  return { ...collected, clients: await Promise.all(clients), kycRecords: await Promise.all(kycRecords) };
}
