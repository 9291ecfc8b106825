/**
 * This many bytes of a receiver's answer are read. The partner can later read the beginning of them. The
 * number is limited, because a receiver may answer anything of any length.
 */
export const EXCERPT_BYTES = 1024;
const MOST_CHARACTERS = 200;

/** The beginning of an answer in one line, without control characters. Undefined if the answer is empty. */
export function excerptOf(answer: string): string | undefined {
  const line = answer.replace(/[\p{C}\p{Z}\s\uFFFD]+/gu, ' ').trim();
  return [...line].slice(0, MOST_CHARACTERS).join('') || undefined;
}
