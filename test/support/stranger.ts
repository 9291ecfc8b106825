import { strangersWorld } from '../../sandbox/providers/psp/stranger.ts';
import { memoryStore } from '../../sandbox/providers/store.ts';
import { defaultSettings } from '../../sandbox/providers/world.ts';
import { randomCpf } from './sandbox.ts';

type Simulators = { simulatorsUrl: string; controlKey?: string };
type Send = (url: string, init: RequestInit) => Promise<Response> | Response;
type Account = { place: string; clientId: string; clientSecret: string; chave: string };
export type ForgedPix = { endToEndId: string; txid: string; chave?: string; valor: string };
export type Sent = { body: { pix: ForgedPix[] }; attempts: (number | string)[] };

const OURS: Account = { place: 'psp', ...defaultSettings.psp };
const STRANGERS: Account = {
  place: 'psp-stranger',
  ...strangersWorld({ store: memoryStore(), now: () => new Date(), fetch, settings: defaultSettings })
    .settings.psp,
};

/** Another merchant of the payment provider who knows the address of our callbacks. */
export function strangerAt({ simulatorsUrl, controlKey = '' }: Simulators, send: Send = fetch) {
  async function tokenOf({ place, clientId, clientSecret }: Account): Promise<string> {
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const init = { method: 'POST', headers: { authorization }, body };
    const response = await send(`${simulatorsUrl}/${place}/oauth/token`, init);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  async function call(account: Account, method: string, path: string, body?: object): Promise<unknown> {
    const headers = { authorization: `Bearer ${await tokenOf(account)}` };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await send(`${simulatorsUrl}/${account.place}/v2${path}`, init);
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : JSON.parse(text);
  }

  async function control(path: string, body: object): Promise<unknown> {
    const headers = { 'x-control-key': controlKey };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await send(`${simulatorsUrl}/control/${STRANGERS.place}${path}`, init)).json();
  }

  return {
    ourKey: OURS.chave,
    /**
     * Makes a charge with the txid and value of ours but to the stranger's key, and registers our address for its
     * callbacks.
     */
    async copyCharge(txid: string, valor: string): Promise<void> {
      const { chave } = STRANGERS;
      const charge = { calendario: { expiracao: 1800 }, valor: { original: valor }, chave };
      await call(STRANGERS, 'PUT', `/cob/${txid}`, charge);
      const { webhookUrl } = (await call(OURS, 'GET', `/webhook/${OURS.chave}`)) as { webhookUrl: string };
      await call(STRANGERS, 'PUT', `/webhook/${chave}`, { webhookUrl });
    },
    /** Pays the stranger's own charge. With `callback` the provider posts it to our address. */
    async payItself(txid: string, { callback }: { callback: boolean }) {
      const paid = await control(`/pay/${txid}`, { callback, payerCpf: randomCpf() });
      const { pix, callbacks } = paid as { pix: ForgedPix[]; callbacks: Sent[] };
      return { pix: pix[0]!, callbacks };
    },
    /** Lets the provider call our address with a forged body. */
    callBack: async (body: { pix: ForgedPix[] }) => (await control('/callback', body)) as Sent,
    paidWith: async (txid: string) =>
      ((await call(STRANGERS, 'GET', `/cob/${txid}`)) as { pix: object[] }).pix,
  };
}
