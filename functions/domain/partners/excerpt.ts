/**
 * The service reads at most this many bytes of an endpoint's answer, because the answer may have any
 * length. The partner can later read the beginning of them: `excerptOf`.
 */
export const EXCERPT_BYTES = 1024;
const MOST_CHARACTERS = 200;

/** The beginning of an answer in one line, without control characters. Undefined if the answer is empty. */
export function excerptOf(answer: string): string | undefined {
  const line = answer.replace(/[\p{C}\p{Z}\s\uFFFD]+/gu, ' ').trim();
  return [...line].slice(0, MOST_CHARACTERS).join('') || undefined;
}
