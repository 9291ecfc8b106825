import type { Context, MiddlewareHandler } from 'hono';
import { begun } from '../../../functions/domain/begun.ts';
import { switchesAt } from '../switches.ts';
import { takeTrigger, triggerKey } from '../triggers.ts';
import type { World } from '../world.ts';
import { chargeKey } from './charge-key.ts';
import { problemResponse } from './problem.ts';
import { indexKey, type PixRecord, pixKey } from './received-pix.ts';
import { TXID } from './validate.ts';

/** Faults of this simulated PSP. The sandbox's tools can turn them on. */
export type Switches = {
  /** How many of the next calls answer 503. */
  outageCalls: number;
  /** The result of the refunds that are requested from now on. */
  refundOutcome: 'DEVOLVIDO' | 'NAO_REALIZADO';
  /**
   * The effect of the payer filters of GET /pix: `honoured` compares the payer. Some PSPs ignore the filters,
   * and others compare the charge's debtor.
   */
  payerFilter: 'honoured' | 'ignored' | 'debtor';
  /**
   * Whether a charge has the field `pixCopiaECola`. API Pix makes it optional, and some PSPs leave it out.
   */
  copiaECola: 'present' | 'absent';
  /** Tokens that were issued up to this time (epoch milliseconds) are refused. */
  tokensRevokedAt: number;
  /**
   * The only scopes that a token can get. Absent: no limit. A token request for more scopes gets the allowed
   * ones, with status 200. It gets 400 if none of its scopes is allowed.
   */
  grantedScopes?: string[];
  /** The balance of the merchant's account in BRL, as GET /gn/saldo shows it. */
  balance: string;
  /** The part of the balance that cannot be used, because a MED case or a court has blocked it. */
  blocked: string;
  /** Whether GET /gn/config says that only the debtor may pay a charge. */
  payerIsDebtor: boolean;
};

const KEY = 'psp/switches';
const switches = switchesAt<Switches>(KEY, {
  outageCalls: 0,
  refundOutcome: 'DEVOLVIDO',
  payerFilter: 'honoured',
  copiaECola: 'present',
  tokensRevokedAt: 0,
  balance: '1000000.00',
  blocked: '0.00',
  payerIsDebtor: true,
});

export const { read: readSwitches, set: setSwitches } = switches;

export const outage = (world: World) => switches.outage(world, () => problemResponse('ServicoIndisponivel'));

/** Answers 503 to a call about a purchase for which a partner has requested an outage. */
export function outageOfPurchase(world: World): MiddlewareHandler {
  return async (c, next) => {
    if (await takeTrigger('PSP_OUTAGE', await txidOf(c, world), world))
      return problemResponse('ServicoIndisponivel');
    await next();
  };
}

/** The txid of the purchase that a call is about. Undefined if the call names no purchase. */
async function txidOf(c: Context, { store }: World): Promise<string | undefined> {
  const { txid, endToEndId } = namedIn(c);
  return endToEndId === undefined ? txid : (await store.get<PixRecord>(pixKey(endToEndId)))?.value.txid;
}

function namedIn(c: Context): { txid?: string | undefined; endToEndId?: string } {
  const [, kind, id] = /\/v2\/(cob|pix)\/([^/]+)/.exec(c.req.path) ?? [];
  if (id === undefined) return { txid: c.req.query('txid') };
  return kind === 'cob' ? { txid: id } : { endToEndId: id };
}

/**
 * Begins to read, all at once, the items that most calls about a purchase need. The rules of a call ask for them one
 * after another, and then find them read.
 */
export function readAhead({ store }: World): MiddlewareHandler {
  return async (c, next) => {
    const { txid = '' } = namedIn(c);
    const ofPurchase = TXID.test(txid) ? [triggerKey(txid), chargeKey(txid), indexKey(txid)] : [];
    for (const key of [KEY, ...ofPurchase]) void begun(store.get(key));
    await next();
  };
}
