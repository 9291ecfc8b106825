import type { ListId } from '../../domain/screening/lists.ts';
import type { Birth } from './birth.ts';

/** A name on a list. The publishers mark an alias as weak if it is too common to identify anyone. */
export type ListedName = { text: string; isWeak: boolean };

export function listedName(text: string, isWeak: boolean): ListedName {
  return { text: detached(text), isWeak };
}

/** Copies the text. In V8 a part of a text keeps the whole text in memory. */
export function detached(text: string): string {
  return Buffer.from(text).toString();
}

/** One person or company of a list, as published. */
export type Entry = {
  list: ListId;
  /**
   * Identifies the entry within its list. It is the publisher's own number, or a digest that the parser
   * computes if there is none. Rows with the same id become one entry.
   */
  id: string;
  /** Names of a person. */
  names: ListedName[];
  /** Names of a company or another organisation. A search for a company uses only these. */
  companyNames?: ListedName[];
  births: Birth[];
  /** CPFs (11 digits) and CNPJs (14 characters), without punctuation. */
  documents: string[];
  /**
   * Digits 4 to 9 of the CPF, if the publisher masks the other digits. They find the entry only together with the name.
   */
  maskedCpf?: string;
  /** Digital currency addresses on EVM chains, in lower case. */
  wallets?: string[];
  /**
   * The programmes of sanctions under which the publisher lists the entry. Only reviewers read them, so they are no
   * part of its version.
   */
  programmes?: string[];
  /** The last day in force, ISO. Absent if the entry has no end, or an unreadable one. */
  until?: string;
};
