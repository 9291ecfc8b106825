import type { Vault } from '../functions/domain/ports.ts';
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
  /** Whether CPF, CNPJ, birth date and the names of person and company are in it in clear. */
  personal: boolean;
  /** What was looked for and not found, in words; empty where the bundle is whole. */
  missing: string[];
};

export type Bundle = { header: Header } & Record<Part, unknown[]>;

/** Ciphertexts, signed bytes, task tokens and biometric hashes that are not keyed, whatever they lie in. */
const SECRET = /cipher$|secret|^raw$|^taskToken$|^wait$|^biometricHash$/i;
/** What only the tables’ indexes need. */
const KEYS = ['sweep', 'due', 'lookAt', 'parkedFor', 'pendingClientId', 'live', 'open'];

/**
 * The bundle as documented in docs/operations.md, "Evidence for an authority". What is secret is left out by its name
 * wherever it lies; names of each object are in alphabetical order, so that two exports compare line by line.
 */
export function bundleOf({ missing: _, ...parts }: Collected, header: Header): Bundle {
  const cleaned = PARTS.map((part) => [part, parts[part].map((row) => clean(row))] as const);
  return { header, ...(Object.fromEntries(cleaned) as Record<Part, unknown[]>) };
}

function clean(value: unknown): unknown {
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

/** For ten minutes it opens the page where the client shows its face. */
function withoutLink(liveness: unknown): unknown {
  const { url: _, ...rest } = liveness as Row;
  return rest;
}

/** Opens what identifies the client: CPF, and whom each KYC record was screened as. */
export async function withIdentity(
  collected: Collected,
  clientId: string,
  vault: Pick<Vault, 'decrypt'>,
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
