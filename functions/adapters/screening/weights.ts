/**
 * The constants of the evidence from names, in natural logarithms of likelihood ratios. A ratio says how much
 * more often names agree in this way for the listed person than for a stranger. The constants were fitted on
 * halves of a labelled set and checked on the other halves.
 */
export const WEIGHTS = {
  /**
   * The penalty for one edit in a word of seven letters. In a shorter word it is higher, because more other words are
   * similar by chance.
   */
  edit: 2.8,
  editLetters: 7,
  /** Words that differ in more than this share of their letters count as different words. */
  maxEditShare: 0.34,
  maxJoinedEditShare: 0.15,
  /** The penalty for any different spelling, however similar. */
  respelt: 0.5,
  /** The bonus if every word is equal and no word is left over. Strangers share some words, but seldom all. */
  complete: 1.5,
  /**
   * About 3 % of strangers have a name of the same kind as the listed names. That a name is of this kind
   * therefore counts once, as -ln 0.03 = 3.5. Each word that agrees then counts by how rare it is among the
   * listed people, not among all people. A person with one such word often has others: `crowds.ts`.
   */
  crowdPrior: 3.5,
  /** The share of a difference in spelling that still counts within a crowd. */
  crowdDifference: 0.7,
  /** The evidence of an initial. The first letters of strangers' words are equal about once in ten. */
  initial: 2.3,
  joined: 1,
  /** The penalties for a listed word that the client's name lacks, and for an extra word of the client's name. */
  missing: 1.2,
  extra: 4,
  /**
   * The added penalty if a listed word is missing and the client's name has an extra word. That word then
   * replaces the listed word.
   */
  replaced: 4,
  /** Evidence above this counts only in part, because the words of a name are not independent of each other. */
  fullCredit: 14,
  partCredit: 0.3,
  /** The factor for a weak alias, which is only a nickname. */
  weakAlias: 0.5,
  /** The penalty if the birth date contradicts a name that is not equal word for word. */
  contradiction: 3,
};
