import type { Context, MiddlewareHandler } from 'hono';
import { switchesAt } from '../switches.ts';
import { takeTrigger } from '../triggers.ts';
import type { World } from '../world.ts';
import { problemResponse } from './problem.ts';
import { type PixRecord, pixKey } from './received-pix.ts';

/** Faults of this simulated PSP. The sandbox's tools can turn them on. */
export type Switches = {
  /** How many of the next calls answer 503. */
  outageCalls: number;
  /** The result of refunds that are requested from now on. */
  refundOutcome: 'DEVOLVIDO' | 'NAO_REALIZADO';
  /**
   * The effect of the payer filters of GET /pix. Some PSPs ignore them, and others apply them to the debtor, as in GET
   * /cob.
   */
  payerFilter: 'honoured' | 'ignored' | 'debtor';
  /** `pixCopiaECola` is optional in the API Pix document, and some PSPs leave it out. */
  copiaECola: 'present' | 'absent';
  /** Tokens that were issued up to this instant (epoch milliseconds) are refused. */
  tokensRevokedAt: number;
  /**
   * The only scopes that a token can get. Absent: no limit. A request for more scopes gets the possible ones
   * with status 200. It gets 400 if none is possible.
   */
  grantedScopes?: string[];
  /** The money in the account, as `GET /gn/saldo` shows it. */
  balance: string;
  /** The part of the balance that a MED or a court has blocked. */
  blocked: string;
};

const switches = switchesAt<Switches>('psp/switches', {
  outageCalls: 0,
  refundOutcome: 'DEVOLVIDO',
  payerFilter: 'honoured',
  copiaECola: 'present',
  tokensRevokedAt: 0,
  balance: '1000000.00',
  blocked: '0.00',
});

export const { read: readSwitches, set: setSwitches } = switches;

export const outage = (world: World) => switches.outage(world, () => problemResponse('ServicoIndisponivel'));

/** Refuses a call about a purchase for which a partner has caused an outage. */
export function outageOfPurchase(world: World): MiddlewareHandler {
  return async (c, next) => {
    if (await takeTrigger('PSP_OUTAGE', await txidOf(c, world), world))
      return problemResponse('ServicoIndisponivel');
    await next();
  };
}

/** The txid of the purchase that a call is about. Undefined for a call about many purchases. */
async function txidOf(c: Context, { store }: World): Promise<string | undefined> {
  const [, kind, id] = /\/v2\/(cob|pix)\/([^/]+)/.exec(c.req.path) ?? [];
  if (id === undefined) return c.req.query('txid');
  return kind === 'cob' ? id : (await store.get<PixRecord>(pixKey(id)))?.value.txid;
}
