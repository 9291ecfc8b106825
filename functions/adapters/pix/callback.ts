import { createHash, timingSafeEqual } from 'node:crypto';
import type { PixHint } from '../../domain/purchase/pix.ts';
import type { PixCallback } from '../../domain/purchase/pix-ports.ts';
import type { PixCallbackSettings } from './settings.ts';
import { fieldsOf, textOf } from './wire.ts';

const MAX_BYTES = 256_000;
const MAX_HINTS = 500;

/** Reads callbacks with two settings only. Their reader holds no credential of ours at the provider. */
export function pixCallback(load: () => Promise<PixCallbackSettings>): PixCallback {
  return {
    isCallbackToken: async (token) => isSameToken(token, (await load()).callbackToken),
    readCallback: async (body) => callbackHints(body, (await load()).key),
  };
}

/** Compares hashes, so the time of the comparison reveals neither the token nor its length. */
function isSameToken(token: string, callbackToken: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return callbackToken !== '' && timingSafeEqual(hash(token), hash(callbackToken));
}

/**
 * The payments to `key` that the body of a callback names, each once. Malformed entries, entries beyond the limits, and
 * payments to another key are dropped. Reconciliation finds every payment without a callback.
 */
export function callbackHints(body: string, key: string): PixHint[] {
  if (Buffer.byteLength(body) > MAX_BYTES) return [];
  const { pix } = fieldsOf(parsed(body));
  // The document says array. Some providers send one Pix without an array.
  const entries: unknown[] = Array.isArray(pix) ? pix.slice(0, MAX_HINTS) : [pix];
  const hints = entries.map((entry) => hintOf(entry, key)).filter((hint) => hint !== undefined);
  return [...new Map(hints.map((hint) => [hint.endToEndId, hint])).values()];
}

function hintOf(entry: unknown, key: string): PixHint | undefined {
  const { endToEndId, txid, chave } = fieldsOf(entry);
  const id = matching(endToEndId, /^[a-zA-Z0-9]{32}$/);
  // Older providers leave out the key. A payment to another key is not ours.
  if (!id || (chave !== undefined && chave !== key)) return undefined;
  return { endToEndId: id, txid: matching(txid, /^[a-zA-Z0-9]{1,35}$/) };
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
