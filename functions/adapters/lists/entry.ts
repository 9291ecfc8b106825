import type { ListId } from '../../domain/screening/lists.ts';
import type { Birth } from './birth.ts';

/** A name on a list. The publishers mark an alias as weak if it is too common to identify anyone. */
export type ListedName = { text: string; isWeak: boolean };

export function listedName(text: string, isWeak: boolean): ListedName {
  return { text: detached(text), isWeak };
}

/** Copies the text. V8 keeps the whole text in memory while a part of it is in use. */
export function detached(text: string): string {
  return Buffer.from(text).toString();
}

/** One person or company of a list, as published. */
export type ListEntry = {
  list: ListId;
  /**
   * Identifies the entry within its list. It is the publisher's own number. If there is none, it is a digest
   * that the parser computes. Rows with the same id become one entry.
   */
  id: string;
  /** Names of a person. */
  names: ListedName[];
  /**
   * Names of a company or another organisation. A search for a company uses only these names, and a search
   * for a person uses only `names`.
   */
  companyNames?: ListedName[];
  births: Birth[];
  /** CPFs (11 digits) and CNPJs (14 characters, possibly letters), without punctuation. */
  documents: string[];
  /**
   * Digits 4 to 9 of the CPF, if the publisher hides its other digits. A search finds the entry only if these
   * digits and the name match.
   */
  maskedCpf?: string;
  /** Digital currency addresses on EVM chains, in lower case. */
  wallets?: string[];
  /**
   * The sanctions programmes, or the category of the sanction, under which the publisher lists the entry. Only
   * reviewers read them, so a change of them does not change the version of the entry (`entryVersionOf`).
   */
  programmes?: string[];
  /**
   * The last day on which the entry is in force, ISO. Absent if the entry has no end, or if its end is
   * unreadable.
   */
  until?: string;
};
