import type { ListName } from '../../domain/screening.ts';
import type { Birth } from './birth.ts';

/** Weak aliases are too common to mean anything alone: the publishers say so, and mark them. */
export type ListedName = { text: string; isWeak: boolean };

/** One person (or, by document only, company) of any list, as the list publishes them. */
export type Entry = {
  list: ListName;
  /** Stable within the version of the list: the publisher's own number where there is one. */
  id: string;
  names: ListedName[];
  births: Birth[];
  /** CPFs (11 digits) and CNPJs (14 characters), bare. */
  documents: string[];
  /** Digits 4 to 9, where the publisher masks the rest. They find the entry together with the name. */
  maskedCpf?: string;
  /** Last day in force, ISO. Absent: without end, or with one that we could not read. */
  until?: string;
};
