/**
 * The constants of the evidence from names, in natural logarithms of likelihood ratios. A ratio says how many
 * times more often the listed person's name agrees in this way than a stranger's. The constants were fitted
 * on halves of a labelled set and checked on the other halves.
 */
export const WEIGHTS = {
  /**
   * The penalty for one edit in a word of seven letters (`editLetters`). It is higher in a shorter word,
   * which has more similar words by chance.
   */
  edit: 2.8,
  editLetters: 7,
  /** Two words that differ in more than this share of their letters are different words. */
  maxEditShare: 0.34,
  maxJoinedEditShare: 0.15,
  /** The penalty for any different spelling, however similar. The penalty for each edit is added to it. */
  respelt: 0.5,
  /** The bonus if every word is equal and no word is left over. Strangers share some words, but seldom all. */
  complete: 1.5,
  /**
   * About 3 % of strangers have a name of the same kind as the listed names. The evidence that the client's
   * name is of this kind is therefore -ln 0.03 = 3.5, and is added once. The rarity of each agreeing word is
   * then its rarity among the listed people, not among all people. A person with one such word often has
   * others: `crowds.ts`.
   */
  crowdPrior: 3.5,
  /**
   * The part of the penalty for another spelling that remains when a word is compared only with its crowd
   * (`crowds.ts`).
   */
  crowdDifference: 0.7,
  /**
   * The evidence of an equal initial. The first letters of two strangers' words are equal about once in ten.
   */
  initial: 2.3,
  joined: 1,
  /** The penalties for a listed word that the client's name lacks, and for an extra word of the client's name. */
  missing: 1.2,
  extra: 4,
  /** The added penalty if a listed word is missing and the client's name has an extra word in its place. */
  replaced: 4,
  /**
   * Evidence above `fullCredit` is multiplied by `partCredit`, because the words of a name are not
   * independent of each other.
   */
  fullCredit: 14,
  partCredit: 0.3,
  /** The factor for a weak alias, which is only a nickname. */
  weakAlias: 0.5,
  /** The penalty if the birth date contradicts a name that is not equal word for word. */
  contradiction: 3,
};
