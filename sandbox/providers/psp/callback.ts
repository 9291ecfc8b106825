import { randomUUID } from 'node:crypto';
import { postTo } from '../post.ts';
import type { World } from '../world.ts';
import { type PixRecord, renderPix } from './received-pix.ts';

export type Webhook = { webhookUrl: string | null; criacao: string };
export type CallbackResult = {
  url: string;
  body: unknown;
  sentAt: string;
  delivered: boolean;
  /** An entry for each try: the HTTP status of its answer, or the name of the error if no answer came. */
  attempts: (number | string)[];
};

export const webhookKey = (chave: string) => `psp/webhook/${chave}`;

const TRIES = 3;
const PAUSE_MS = 200;

/** Reports a Pix to the URL that is registered for its Pix key. A Pix without a txid is not reported. */
export async function notify(world: World, pix: PixRecord): Promise<CallbackResult | undefined> {
  if (pix.txid === undefined) return undefined;
  return sendCallback(world, pix.chave, { pix: [renderPix(pix, world.now())] });
}

/**
 * Posts to `{webhookUrl}/pix`, with at most three tries, and stores the result. Undefined if no URL is
 * registered for the Pix key.
 */
export async function sendCallback(
  world: World,
  chave: string,
  body: unknown,
): Promise<CallbackResult | undefined> {
  const webhookUrl = (await world.store.get<Webhook>(webhookKey(chave)))?.value.webhookUrl;
  if (!webhookUrl) return undefined;
  const url = `${webhookUrl.replace(/\/+$/, '')}/pix`;
  const attempts: (number | string)[] = [];
  while (attempts.length < TRIES && !isAccepted(attempts.at(-1))) {
    if (attempts.length > 0) await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
    const certificate = world.settings.pspCertificate;
    attempts.push(await postTo(world, { url, body: JSON.stringify(body), certificate }));
  }
  const sentAt = world.now().toISOString();
  const result = { url, body, sentAt, delivered: isAccepted(attempts.at(-1)), attempts };
  await world.store.put(`psp/callback/${sentAt}-${randomUUID()}`, result);
  return result;
}

const isAccepted = (attempt: number | string | undefined) =>
  typeof attempt === 'number' && attempt >= 200 && attempt < 300;
