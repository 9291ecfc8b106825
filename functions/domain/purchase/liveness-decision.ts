import type { DocumentHolder } from '../kyc/identity.ts';
import type { ClosedEntry, RegistryEntry } from '../kyc/kyc.ts';
import { isOfPerson } from '../kyc/person-name.ts';

/**
 * The facts about the document with which the face was compared. `registry` is the client's situation in the
 * CPF registry. `holder` tells whether the document belongs to the person in the registry. `UNREAD`: the
 * document's data could not be read. The facts are kept as evidence, so they contain no personal data.
 */
export type HolderFacts = {
  registry: { situation: RegistryEntry['situation'] | 'MINOR' | 'UNKNOWN' };
  holder: 'SAME' | 'OTHER' | 'UNREAD';
};

export type HolderDecision = { status: 'PASSED' } | { status: 'FAILED'; reason: 'IDENTITY_MISMATCH' };

export function holderFacts(
  holder: DocumentHolder | undefined,
  entry: RegistryEntry | ClosedEntry | undefined,
): HolderFacts {
  const isSame = holder && entry && entry.situation !== 'MINOR' && isOfPerson(holder, entry);
  return {
    registry: { situation: entry?.situation ?? 'UNKNOWN' },
    holder: holder ? (isSame ? 'SAME' : 'OTHER') : 'UNREAD',
  };
}

/** Decides whether the document belongs to the client: docs/decisions.md, "The liveness check". */
export function decideHolder({ registry, holder }: HolderFacts): HolderDecision {
  const isClient = registry.situation === 'REGULAR' && holder === 'SAME';
  return isClient ? { status: 'PASSED' } : { status: 'FAILED', reason: 'IDENTITY_MISMATCH' };
}
