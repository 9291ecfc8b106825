/**
 * Parses the text. Undefined if it is not JSON. The error of `JSON.parse` is dropped, because it quotes the text, which
 * may contain a secret or personal data.
 */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
