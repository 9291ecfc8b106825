import { type Alignment, isExactAlignment } from './align-names.ts';
import type { BirthVerdict } from './birth-evidence.ts';
import type { NameMatch } from './find-names.ts';

const BIRTH_WORDS: Record<BirthVerdict, string> = {
  day: 'birth date equal',
  span: 'birth date within the listed period',
  slip: 'birth date one slip away',
  near: 'birth date near the listed period',
  unknown: 'birth date unknown',
  differs: 'birth date differs',
};

/**
 * Explains a match in words. The text contains no word of the client's name, because it is stored and shown.
 */
export function explainName({ alignment, isWeak, birth }: NameMatch): string {
  const frequent = alignment.isFrequent ? ', of words frequent on the lists' : '';
  return `${likeWords(alignment, isWeak ? 'weak alias' : 'name')}${frequent}, ${BIRTH_WORDS[birth.verdict]}`;
}

export function explainCompany({ alignment, isWeak }: NameMatch): string {
  return likeWords(alignment, isWeak ? 'weak alias of a company' : 'company name');
}

export function explainMasked(alignment: Alignment): string {
  return `CPF digits 4 to 9 equal, ${likeWords(alignment, 'name')}`;
}

function likeWords(alignment: Alignment, kind: string): string {
  const { equal, alike, joined, initials, missing, extra } = alignment;
  if (isExactAlignment(alignment)) return `${kind} equal`;
  const parts = [
    countWords(equal, 'equal'),
    countWords(alike, 'spelt differently'),
    countWords(joined, 'joined or parted'),
    countWords(initials, 'as an initial'),
    countWords(missing, 'missing'),
    countWords(extra, 'not listed'),
  ].filter(Boolean);
  return `${kind} alike (${parts.join(', ')})`;
}

function countWords(words: number, what: string): string {
  return words ? `${words} ${words === 1 ? 'word' : 'words'} ${what}` : '';
}
