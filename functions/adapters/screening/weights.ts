/**
 * The constants of name evidence, in natural logarithms of likelihood ratios: how much more often the listed person
 * shows it than a stranger. They were found on halves of a labelled set and checked on the other halves.
 */
export const WEIGHTS = {
  /** One edit in a word of seven letters. Shorter words have more neighbours by chance. */
  edit: 2.8,
  editLetters: 7,
  /** Words that differ by more than this share of their length are different words. */
  maxEditShare: 0.34,
  maxJoinedEditShare: 0.15,
  /** Any other spelling, however near. */
  respelt: 0.5,
  /** Every word is equal and none is left over. Strangers share some words, but seldom all. */
  complete: 1.5,
  /** A first letter is equal by chance about once in ten. */
  initial: 2.3,
  joined: 1,
  /** A listed word is missing in the client's name, or the client's name has a word more. */
  missing: 1.2,
  extra: 4,
  /** Both at once: another word replaces a listed one. */
  replaced: 4,
  /** Evidence above this counts only in part, because the words of a name are not independent. */
  fullCredit: 14,
  partCredit: 0.3,
  /** The most evidence of two names that each have a word which the other lacks. */
  replacedCredit: 10,
  /** Weak aliases are nicknames. */
  weakAlias: 0.5,
};
