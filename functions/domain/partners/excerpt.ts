/** The receiver's answer as its partner reads it again. A receiver may answer anything, and any amount. */
export const EXCERPT_BYTES = 1024;
const MOST_CHARACTERS = 200;

/** The beginning of an answer in one line, without control characters. Undefined for an empty one. */
export function excerptOf(answer: string): string | undefined {
  const line = answer.replace(/[\p{C}\p{Z}\s\uFFFD]+/gu, ' ').trim();
  return [...line].slice(0, MOST_CHARACTERS).join('') || undefined;
}
