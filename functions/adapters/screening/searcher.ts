import { getAt } from '../../domain/get.ts';
import { LISTS, type ListId } from '../../domain/screening/lists.ts';
import type { Candidate, Identity } from '../../domain/screening/screening.ts';
import { REJECT_POINT, zoneOf } from '../../domain/screening/screening.ts';
import { alignNames } from './align-names.ts';
import { dayNumber } from './birth-evidence.ts';
import { companyWordsOf, tellingWordsOf } from './company-words.ts';
import { wordFrom } from './compare-words.ts';
import { explainCompany, explainMasked, explainName } from './explain.ts';
import { findDocuments, findMasked } from './find-documents.ts';
import { type NameMatch, nameFinder } from './find-names.ts';
import {
  companyNamesIn,
  INDEX_SHAPE,
  type IndexArrays,
  type IndexMeta,
  type NameArrays,
  type StoredMeta,
} from './index-shape.ts';
import { unpack } from './layout.ts';
import { firstListedName, listedNameText, storedVersion } from './listed.ts';
import { int32At, uint8At } from './numbers.ts';
import { scoreCompany, scoreMasked, scoreName } from './score.ts';
import { sortedWordsOf } from './words.ts';

/** An open index. `digest` is the SHA-256 of all bytes after the digest itself, hexadecimal. */
export type Searcher = {
  meta: IndexMeta;
  digest: string;
  /**
   * Finds the entries that resemble the person or the company and are in force on `today` (ISO). The function
   * `best` limits their number. Each entry comes once, with its best match, and the entry with the highest
   * score comes first.
   */
  search: (identity: Identity, today: string) => Candidate[];
};

/**
 * An entry that the search has found. `explain` and `listed` are called only for entries that the search
 * returns.
 */
type FoundEntry = {
  entry: number;
  score: number;
  of?: 'COMPANY';
  explain: () => string;
  listed: () => string | undefined;
};

/**
 * The lowest score that is kept. With a lower score the entry resembles the person too little for a review.
 */
const WORTH_NOTING = 0.05;
const CANDIDATES = 25;
/**
 * The most candidates from each list that is searched by CPF or CNPJ. A person with dozens of sanctions must
 * not hide the entries of another list.
 */
const CANDIDATES_BY_DOCUMENT = 5;

/**
 * Opens an index. Throws if the bytes are damaged or are no index. The bytes are used in place, so the caller must not
 * change them.
 */
export function openIndex(bytes: Uint8Array): Searcher {
  const { arrays, meta, digest } = unpack(INDEX_SHAPE, bytes);
  const { listNames, ...rest } = meta as StoredMeta;
  const births = { offsets: arrays.birthOffsets, from: arrays.birthFrom, to: arrays.birthTo };
  const findNames = nameFinder(arrays, births);
  const companies = companyNamesIn(arrays);
  // Made at the first search for a company, because its working memory would otherwise be used without need.
  let findCompanies: ReturnType<typeof nameFinder> | undefined;

  function search(identity: Identity, today: string): Candidate[] {
    const words = sortedWordsOf(identity.name);
    const day = dayNumber(today);
    const found: FoundEntry[] = [
      ...entriesWithDocument(arrays, companies, identity),
      ...companiesOf(identity),
      ...maskedOf(arrays, identity.cpf, words),
      ...findNames(words, dayNumber(identity.birthDate)).map((match) => {
        const { entry, name } = match;
        const explain = () => explainName(match);
        return { entry, score: scoreName(match), explain, listed: () => listedNameText(arrays, name) };
      }),
    ];
    const inForce = found.filter(
      ({ entry, score }) => score >= WORTH_NOTING && isEntryInForce(arrays, entry, day),
    );
    const listOf = ({ entry }: FoundEntry) => getAt(listNames, uint8At(arrays.entryLists, entry));
    return best(inForce, listOf).map((each) => candidateOf(each, arrays, listNames));
  }

  function companiesOf({ companyName = '' }: Identity): FoundEntry[] {
    const words = companyWordsOf(companyName).sort();
    if (words.length === 0) return [];
    findCompanies ??= nameFinder(companies, births);
    const telling = tellingWordsOf(words);
    const some = telling.length < words.length ? findCompanies(telling, 0).map(asPart) : [];
    return [...findCompanies(words, 0), ...some].map((match) => {
      const { entry, name } = match;
      const explain = () => explainCompany(match);
      const listed = () => listedNameText(companies, name);
      return { entry, score: scoreCompany(match), of: 'COMPANY', explain, listed };
    });
  }
  return { meta: rest, digest, search };
}

function entriesWithDocument(
  arrays: IndexArrays,
  companies: NameArrays,
  { cpf, cnpj }: Identity,
): FoundEntry[] {
  const foundBy = (document: string, words: string) =>
    findDocuments(arrays, document).map((entry) => {
      const listed = () => firstListedName(arrays, entry) ?? firstListedName(companies, entry);
      return { entry, score: 1, explain: () => words, listed };
    });
  const byCnpj = foundBy(cnpj ?? '', 'CNPJ equal').map((found) => ({ ...found, of: 'COMPANY' as const }));
  return [...foundBy(cpf, 'CPF equal'), ...byCnpj];
}

function maskedOf(arrays: IndexArrays, cpf: string, words: readonly string[]): FoundEntry[] {
  return findMasked(arrays, cpf).map(({ entry, listed }) => {
    const alignment = alignNames(words.map(wordFrom), listed.map(wordFrom));
    const explain = () => explainMasked(alignment);
    return { entry, score: scoreMasked(alignment), explain, listed: () => listed.join(' ') };
  });
}

function isEntryInForce({ entryUntil }: IndexArrays, entry: number, day: number): boolean {
  return entryUntil[entry] === 0 || day <= int32At(entryUntil, entry);
}

/**
 * Limits the candidates of a search. The decision and the evidence see only the remaining candidates. Each
 * entry keeps only its best match. The lists that are searched by name share one limit for persons and one
 * for companies. Each list that is searched by CPF or CNPJ has its own limit.
 */
function best(found: FoundEntry[], listOf: (each: FoundEntry) => ListId): FoundEntry[] {
  const perEntry = new Map<number, FoundEntry>();
  for (const each of found) {
    if (each.score > (perEntry.get(each.entry)?.score ?? 0)) perEntry.set(each.entry, each);
  }
  const sorted = [...perEntry.values()].sort((a, b) => b.score - a.score || a.entry - b.entry);
  const counts = new Map<string, number>();
  return sorted.filter((each) => {
    const list = listOf(each);
    const names = each.of ?? 'PERSON';
    const [kind, most] =
      LISTS[list].searchedBy === 'NAME' ? [names, CANDIDATES] : [list, CANDIDATES_BY_DOCUMENT];
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= most;
  });
}

/**
 * Adds one extra word to the match. The search used only the telling words, so the client's name has more
 * words.
 */
const asPart = (match: NameMatch): NameMatch => ({
  ...match,
  alignment: { ...match.alignment, extra: match.alignment.extra + 1 },
});

const decoder = new TextDecoder();

function candidateOf(
  { entry, score, of, explain, listed }: FoundEntry,
  arrays: IndexArrays,
  lists: readonly ListId[],
): Candidate {
  const id = arrays.idBytes.subarray(arrays.idOffsets[entry], arrays.idOffsets[entry + 1]);
  const name = listed();
  return {
    list: getAt(lists, uint8At(arrays.entryLists, entry)),
    entryId: decoder.decode(id),
    entryVersion: storedVersion(arrays, entry),
    ...(name !== undefined && { listed: name }),
    score,
    threshold: REJECT_POINT,
    zone: zoneOf(score),
    ...(of && { of }),
    explanation: explain(),
  };
}
