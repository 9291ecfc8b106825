import type { ListId } from '../../domain/screening/lists.ts';
import type { Birth } from './birth.ts';

/** A weak alias is too common to identify anybody. The publishers mark them. */
export type ListedName = { text: string; isWeak: boolean };

export function listedName(text: string, isWeak: boolean): ListedName {
  return { text: detached(text), isWeak };
}

/** A copy of the text. A part of a text would keep the whole text in memory. */
export function detached(text: string): string {
  return Buffer.from(text).toString();
}

/** One person or company of a list, as published. */
export type Entry = {
  list: ListId;
  /** The publisher's own number if there is one. It is stable within a version of the list. */
  id: string;
  /** Names of a person. */
  names: ListedName[];
  /** Names of a company or another organisation. Companies are searched for in them. */
  companyNames?: ListedName[];
  births: Birth[];
  /** CPFs (11 digits) and CNPJs (14 characters), without punctuation. */
  documents: string[];
  /** Digits 4 to 9 of the CPF, if the publisher masks the others. They find the entry together with the name. */
  maskedCpf?: string;
  /** Addresses of digital currencies on EVM chains, in lower case. */
  wallets?: string[];
  /** The last day in force, ISO. Absent if there is no end, or if it could not be read. */
  until?: string;
};
