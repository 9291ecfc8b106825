import type { Transport } from '../../functions/adapters/http.ts';
import { pspControl } from '../../sandbox/providers/psp/control.ts';
import {
  centavos,
  isSettled,
  type PixRecord,
  type Refund,
} from '../../sandbox/providers/psp/received-pix.ts';
import { setSwitches } from '../../sandbox/providers/psp/switches.ts';
import { psp } from '../../sandbox/providers/psp.ts';
import { memoryStore } from '../../sandbox/providers/store.ts';
import { defaultSettings, type World } from '../../sandbox/providers/world.ts';
import type { Fault } from './call.ts';
import type { Kernel } from './kernel.ts';

/** The address that the service registers. The simulation sends nothing to it over a network. */
export const CALLBACK_URL = 'https://onramp.example/callbacks/pix';
export const PSP_URL = 'https://psp.example';
const REFUND_MS = 20_000;
const RICH_BRL = 1_000_000;

/** Called with each request before the provider sees it. */
export type Watch = (request: { method: string; path: string; body: unknown }) => void | Promise<void>;
export type Bank = ReturnType<typeof openBank>;
type Med = { amountBrl: string; nature: string; endsAs: string };
type Payment = { amountBrl: string; payerCpf: string; txid?: string; force?: boolean };

/** The payment provider: the sandbox's simulator of API Pix. It runs in this process by the scheduler's clock. */
export function openBank(kernel: Kernel, onCallback: (body: string) => void) {
  const store = memoryStore();
  const world: World = {
    store,
    now: () => new Date(kernel.now()),
    fetch: (async (_url: unknown, init: { body: string }) => {
      onCallback(init.body);
      return new Response('{}');
    }) as unknown as typeof fetch,
    settings: { ...defaultSettings, psp: { ...defaultSettings.psp, refundMs: REFUND_MS } },
  };
  const provider = psp(world);
  const control = pspControl(world);
  const answers = new Map<string, unknown>();
  const outdated = new Set<string>();
  const looks = new Map<string, number[]>();
  const closed = new Map<string, number>();
  const watches: Watch[] = [];
  let balanceBrl = RICH_BRL;

  const transport: Transport = async ({ method, url, headers, body }) => {
    const path = url.slice(PSP_URL.length);
    const isForm = body instanceof URLSearchParams;
    const text = body && (isForm ? body.toString() : JSON.stringify(body));
    const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
    const about = decodeURIComponent(path).replace(/^\/v2/, '');
    const isRead = method === 'GET';
    const call = {
      service: 'pix' as const,
      name: method,
      about,
      isRead,
      failure,
      ...(isRead && {
        stale() {
          outdated.add(about);
          return answers.get(path);
        },
      }),
    };
    return kernel.effect(call, async () => {
      for (const watch of watches) await watch({ method, path: about, body });
      const init = { method, headers: { ...headers, 'content-type': type }, body: text };
      const response = await provider.fetch(new Request(`${PSP_URL}${path}`, init));
      const answer = {
        status: response.status,
        headers: Object.fromEntries(response.headers),
        text: await response.text(),
      };
      if (isRead) answers.set(path, answer);
      const isClosing = method === 'PATCH' && text?.includes('"status":"REMOVIDA');
      if (isClosing && response.ok && !closed.has(about)) closed.set(about, kernel.now());
      if (isRead && kernel.performer() === 'ConfirmPixPayment')
        looks.set(about, [...(looks.get(about) ?? []), kernel.now()]);
      return answer;
    });
  };

  async function tell(path: string, body: object): Promise<{ status: number; ids: string[] }> {
    const request = new Request(`${PSP_URL}${path}`, { method: 'POST', body: JSON.stringify(body) });
    const response = await control.fetch(request);
    const answer = (await response.json()) as { pix?: { endToEndId: string }[] };
    return { status: response.status, ids: (answer.pix ?? []).map(({ endToEndId }) => endToEndId) };
  }

  return {
    transport,
    /** Calls `watch` with each request that reaches the provider. */
    watch: (watch: Watch) => void watches.push(watch),
    /** True when the provider has ever answered a read of this charge with an outdated state. */
    wasOutdated: (txid: string) => outdated.has(`/cob/${txid}`),
    /** When the provider closed this charge at our request. */
    closedAt: (txid: string): number | undefined => closed.get(`/cob/${txid}`),
    /** When `ConfirmPixPayment` has read this charge. This step decides about a payment. */
    looksAt: (txid: string): readonly number[] => looks.get(`/cob/${txid}`) ?? [],
    /**
     * Returns the end-to-end ids of the Pix that the provider accepted. The list is empty when it refused the
     * payment.
     */
    pay: async (txid: string, payment: Payment) => (await tell(`/pay/${txid}`, payment)).ids,
    payUnmatched: async (payment: Payment) => (await tell('/pix', payment)).ids,
    /** Returns false when less than this amount was left of the Pix. */
    takeBack: async (endToEndId: string, med: Med) => (await tell(`/med/${endToEndId}`, med)).status === 200,
    setOutcome: (refundOutcome: 'DEVOLVIDO' | 'NAO_REALIZADO') => setSwitches(world, { refundOutcome }),
    /** The money in our account, as the provider shows it. */
    balanceCentavos: () => balanceBrl * 100,
    async setBalance(brl: number = RICH_BRL): Promise<void> {
      balanceBrl = brl;
      await setSwitches(world, { balance: `${brl}.00` });
    },
    async listPix(): Promise<PixRecord[]> {
      const items = await store.list<PixRecord>('psp/pix');
      const accepted = await store.list<{ accepted?: string[] }>('psp/cob');
      const shown = new Set(accepted.flatMap(({ value }) => value.accepted ?? []));
      return items
        .map(({ value }) => value)
        .filter(({ offered, endToEndId }) => !offered || shown.has(endToEndId));
    },
    async expiryOf(txid: string): Promise<number | undefined> {
      const charge = await store.get<{
        criacao: string;
        revisions: { calendario: { expiracao: number } }[];
      }>(`psp/cob/${txid}`);
      const last = charge?.value.revisions.at(-1);
      return charge && last ? Date.parse(charge.value.criacao) + last.calendario.expiracao * 1000 : undefined;
    },
  };
}

/** The settled returns of a Pix: our own refunds, and the amounts that the provider took back. */
export function returnedOf({ refunds }: PixRecord, now: number): { own: Refund[]; taken: Refund[] } {
  const done = refunds.filter((one) => one.outcome === 'DEVOLVIDO' && isSettled(one, new Date(now)));
  const isTaken = ({ natureza }: Refund) => natureza.startsWith('MED');
  return { own: done.filter((one) => !isTaken(one)), taken: done.filter(isTaken) };
}

export const sumOf = (refunds: readonly Refund[]): bigint =>
  refunds.reduce((sum, { valor }) => sum + centavos(valor), 0n);

function failure(fault: Fault): Error {
  const code = fault === 'FAIL' ? 'ECONNREFUSED' : fault === 'LATE' ? 'TIMEOUT' : 'ECONNRESET';
  return Object.assign(new Error(code), { code });
}
