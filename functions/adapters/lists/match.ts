import { nameKey } from '../../domain/person-name.ts';
import type { Candidate, Identity } from '../../domain/screening.ts';
import { type BirthMatch, matchBirth } from './birth.ts';
import type { Entry } from './entry.ts';

export const THRESHOLD = 0.9;

/** A name alone never reaches the threshold; a weak alias reaches it with the very day of birth only. */
const NAME_SCORES: Record<'name' | 'weak alias', Partial<Record<BirthMatch, number>>> = {
  name: { day: 1, span: 0.95, unknown: 0.8, differs: 0.5 },
  'weak alias': { day: 0.9, span: 0.7 },
};
const BIRTH_WORDS: Record<BirthMatch, string> = {
  day: 'birth date equal',
  span: 'birth date within the listed period',
  unknown: 'birth date unknown',
  differs: 'birth date differs',
};
const DOCUMENT_SCORE = 1;
const MASKED_SCORE = 0.95;

type Named = { entry: Entry; isWeak: boolean };
export type Index = {
  byDocument: Map<string, Entry[]>;
  byName: Map<string, Named[]>;
  byMaskedCpf: Map<string, Entry[]>;
};

export function buildIndex(entries: Entry[]): Index {
  const index: Index = { byDocument: new Map(), byName: new Map(), byMaskedCpf: new Map() };
  for (const entry of entries) {
    for (const document of entry.documents) add(index.byDocument, document, entry);
    for (const { text, isWeak } of entry.names) {
      const key = nameKey(text);
      if (entry.maskedCpf) add(index.byMaskedCpf, `${entry.maskedCpf} ${key}`, entry);
      else if (key) add(index.byName, key, { entry, isWeak });
    }
  }
  return index;
}

function add<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  const values = map.get(key);
  if (values) values.push(value);
  else map.set(key, [value]);
}

/** The entries in force on `today` (ISO) that look like the person, each by its best evidence. */
export function candidatesFor(identity: Identity, index: Index, today: string): Candidate[] {
  const key = nameKey(identity.name);
  const found = [
    ...byDocument(index, identity.cpf, 'CPF equal'),
    ...byDocument(index, identity.cnpj, 'CNPJ equal'),
    ...byMaskedCpf(index, identity.cpf, key),
    ...byName(index, identity.birthDate, key),
  ];
  return best(found.filter(({ entry }) => entry.until === undefined || today <= entry.until));
}

type Found = { entry: Entry; score: number; explanation: string };

function byDocument(index: Index, document: string | undefined, explanation: string): Found[] {
  const entries = document === undefined ? undefined : index.byDocument.get(document);
  return (entries ?? []).map((entry) => ({ entry, score: DOCUMENT_SCORE, explanation }));
}

function byMaskedCpf(index: Index, cpf: string, key: string): Found[] {
  const entries = (key && index.byMaskedCpf.get(`${cpf.slice(3, 9)} ${key}`)) || [];
  return entries.map((entry) => ({
    entry,
    score: MASKED_SCORE,
    explanation: 'CPF digits 4 to 9 equal, name equal',
  }));
}

function byName(index: Index, birthDate: string, key: string): Found[] {
  return (index.byName.get(key) ?? []).flatMap(({ entry, isWeak }) => {
    const kind = isWeak ? 'weak alias' : 'name';
    const birth = matchBirth(entry.births, birthDate);
    const score = NAME_SCORES[kind][birth];
    return score === undefined ? [] : { entry, score, explanation: `${kind} equal, ${BIRTH_WORDS[birth]}` };
  });
}

function best(found: Found[]): Candidate[] {
  const perEntry = new Map<Entry, Found>();
  for (const each of found) {
    if (each.score > (perEntry.get(each.entry)?.score ?? 0)) perEntry.set(each.entry, each);
  }
  return [...perEntry.values()].map(({ entry, score, explanation }) => ({
    list: entry.list,
    entryId: entry.id,
    score,
    threshold: THRESHOLD,
    explanation,
  }));
}
