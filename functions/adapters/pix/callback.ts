import { fieldsOf, textOf } from './wire.ts';

/** What a callback suggests to look at. Nothing in it is proof: the provider is read again. */
export type PixHint = { endToEndId: string; txid?: string; chave?: string };

const MAX_BYTES = 256_000;
const MAX_HINTS = 500;

/**
 * The payments that a callback's body names, each once. What is malformed or beyond the limits is dropped, for the
 * reconciliation finds every payment that no callback told of.
 */
export function callbackHints(body: string): PixHint[] {
  if (Buffer.byteLength(body) > MAX_BYTES) return [];
  const { pix } = fieldsOf(parsed(body));
  // The document says array; some send the one Pix itself.
  const entries: unknown[] = Array.isArray(pix) ? pix.slice(0, MAX_HINTS) : [pix];
  const hints = entries.map(hintOf).filter((hint) => hint !== undefined);
  return [...new Map(hints.map((hint) => [hint.endToEndId, hint])).values()];
}

function hintOf(entry: unknown): PixHint | undefined {
  const { endToEndId, txid, chave } = fieldsOf(entry);
  const id = matching(endToEndId, /^[a-zA-Z0-9]{32}$/);
  if (!id) return undefined;
  return { endToEndId: id, txid: matching(txid, /^[a-zA-Z0-9]{1,35}$/), chave: matching(chave, /^.{1,77}$/) };
}

function matching(value: unknown, form: RegExp): string | undefined {
  const text = textOf(value);
  return text !== undefined && form.test(text) ? text : undefined;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
