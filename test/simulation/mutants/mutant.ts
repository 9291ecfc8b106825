/** Replaces the text `was`, which occurs exactly once in the file, by the text `is`. */
export type Edit = { file: string; was: string; is: string };

/** A mistake that a developer could make, planted into the product. */
export type Mutant = {
  name: string;
  /** Describes the mistake for readers of the table. */
  says: string;
  edits: readonly Edit[];
  /** The test that fails, where the simulation does not reach the mistake. */
  test?: string;
};

/**
 * Returns the source with the edits. Throws when a text is missing or occurs twice, because the mutant is then out of
 * date.
 */
export function edited(source: string, edits: readonly Pick<Edit, 'was' | 'is'>[], where: string): string {
  return edits.reduce((text, { was, is }) => {
    const count = text.split(was).length - 1;
    if (count !== 1) throw new Error(`${where}: what is to be replaced is there ${count} times:\n${was}`);
    return text.replace(was, () => is);
  }, source);
}
