/**
 * The constants of name evidence, in natural logarithms of likelihood ratios: how much more often a person
 * shows it who is the listed one than a stranger. Found on halves of a labelled set and checked on the others.
 */
export const WEIGHTS = {
  /** One edit in a word of seven letters; shorter words have more neighbours by chance. */
  edit: 2.8,
  editLetters: 7,
  /** Words further apart than this part of their length are different words. */
  maxEditShare: 0.34,
  maxJoinedEditShare: 0.15,
  /** Another spelling at all, however near. */
  respelt: 0.5,
  /** Every word equal and none left over: strangers share some words, seldom all. */
  complete: 1.5,
  /** A first letter agrees by chance once in ten or so. */
  initial: 2.3,
  joined: 1,
  /** A listed word that the client's name does not have, and the other way round. */
  missing: 1.2,
  extra: 4,
  /** Both at once: another word stands where the listed one should. */
  replaced: 4,
  /** Evidence of names beyond this counts in part: their words are not independent. */
  fullCredit: 14,
  partCredit: 0.3,
  /** The most that names are worth of which each has a word that the other has not. */
  replacedCredit: 10,
  /** Weak aliases are epithets. */
  weakAlias: 0.5,
};
