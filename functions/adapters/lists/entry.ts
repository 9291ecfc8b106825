import type { ListId } from '../../domain/screening/lists.ts';
import type { Birth } from './birth.ts';

/** Weak aliases are too common to mean anything alone: the publishers say so, and mark them. */
export type ListedName = { text: string; isWeak: boolean };

export function listedName(text: string, isWeak: boolean): ListedName {
  return { text: detached(text), isWeak };
}

/** A part of a text keeps the whole of it in memory. This is the part alone, so that what was parsed can go. */
export function detached(text: string): string {
  return Buffer.from(text).toString();
}

/** One person or company of any list, as the list publishes them. */
export type Entry = {
  list: ListId;
  /** Stable within the version of the list: the publisher's own number where there is one. */
  id: string;
  /** A person's. */
  names: ListedName[];
  /** A company's or another organisation's, which companies are searched for by. */
  companyNames?: ListedName[];
  births: Birth[];
  /** CPFs (11 digits) and CNPJs (14 characters), bare. */
  documents: string[];
  /** Digits 4 to 9, where the publisher masks the rest. They find the entry together with the name. */
  maskedCpf?: string;
  /** Addresses of digital currencies on EVM chains, in lower case. */
  wallets?: string[];
  /** Last day in force, ISO. Absent: without end, or with one that we could not read. */
  until?: string;
};
