/** A text of a source, which is in it exactly once, and what stands there instead. */
export type Edit = { file: string; was: string; is: string };

/** A mistake that somebody could make, planted into the product. */
export type Mutant = {
  name: string;
  /** What it does wrong, for whoever reads the table. */
  says: string;
  edits: readonly Edit[];
};

/** The source with the edits done. A text that is not there, or there twice, fails: the mutant is out of date. */
export function edited(source: string, edits: readonly Pick<Edit, 'was' | 'is'>[], where: string): string {
  return edits.reduce((text, { was, is }) => {
    const count = text.split(was).length - 1;
    if (count !== 1) throw new Error(`${where}: what is to be replaced is there ${count} times:\n${was}`);
    return text.replace(was, () => is);
  }, source);
}
