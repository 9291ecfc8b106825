import { createHash, timingSafeEqual } from 'node:crypto';
import { parsedJson } from '../../domain/json.ts';
import type { PixHint } from '../../domain/purchase/pix.ts';
import type { PixCallback } from '../../domain/purchase/pix-ports.ts';
import type { PixCallbackSettings } from './settings.ts';
import { pixFields, pixText } from './wire.ts';

const MAX_HINTS = 500;

/**
 * Reads callbacks. It needs only two settings. The function that receives callbacks therefore has none of our
 * credentials at the provider.
 */
export function pixCallback(load: () => Promise<PixCallbackSettings>): PixCallback {
  return {
    isCallbackToken: async (token) => isSameToken(token, (await load()).callbackToken),
    readCallback: async (body) => callbackHints(body, (await load()).key),
  };
}

/**
 * Compares hashes of both tokens. The time of the comparison then reveals neither our token nor its length.
 */
function isSameToken(token: string, callbackToken: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return callbackToken !== '' && timingSafeEqual(hash(token), hash(callbackToken));
}

/**
 * The payments to `key` that a callback names, each once. Drops malformed entries, entries beyond the limits,
 * and payments to another key. No payment is lost, because the reconciliation finds every payment without
 * callbacks.
 */
export function callbackHints(body: string, key: string): PixHint[] {
  const { pix } = pixFields(parsedJson(body));
  // API Pix defines an array. Some providers send a single Pix without an array.
  const entries: unknown[] = Array.isArray(pix) ? pix.slice(0, MAX_HINTS) : [pix];
  const hints = entries.map((entry) => pixHint(entry, key)).filter((hint) => hint !== undefined);
  return [...new Map(hints.map((hint) => [hint.endToEndId, hint])).values()];
}

function pixHint(entry: unknown, key: string): PixHint | undefined {
  const { endToEndId, txid, chave } = pixFields(entry);
  const id = pixMatch(endToEndId, /^[a-zA-Z0-9]{32}$/);
  // Older providers send no key. A payment to another key than ours does not belong to this service.
  if (!id || (chave !== undefined && chave !== key)) return undefined;
  return { endToEndId: id, txid: pixMatch(txid, /^[a-zA-Z0-9]{1,35}$/) };
}

function pixMatch(value: unknown, form: RegExp): string | undefined {
  const text = pixText(value);
  return text !== undefined && form.test(text) ? text : undefined;
}
