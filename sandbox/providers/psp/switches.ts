import type { MiddlewareHandler } from 'hono';
import { change } from '../store.ts';
import type { World } from '../world.ts';
import { problemResponse } from './problem.ts';

/** What the sandbox's tooling can turn on to make this PSP misbehave as real ones do. */
export type Switches = {
  /** The next calls that answer 503. */
  outageCalls: number;
  /** How the refunds requested from now on end. */
  refundOutcome: 'DEVOLVIDO' | 'NAO_REALIZADO';
  /** Some PSPs ignore the `cpf` filter of GET /pix, so that everyone "matches". */
  payerFilter: 'honoured' | 'ignored';
  /** `pixCopiaECola` is optional in the document, and some PSPs leave it out. */
  copiaECola: 'present' | 'absent';
  /** Tokens issued up to this instant (epoch ms) are refused. */
  tokensRevokedAt: number;
  /** Fewer scopes than asked, answered with 200. */
  grantedScopes?: string[];
};

const KEY = 'psp/switches';
const off: Switches = {
  outageCalls: 0,
  refundOutcome: 'DEVOLVIDO',
  payerFilter: 'honoured',
  copiaECola: 'present',
  tokensRevokedAt: 0,
};

export async function readSwitches(world: World): Promise<Switches> {
  return { ...off, ...(await world.store.get<Partial<Switches>>(KEY))?.value };
}

export async function setSwitches(world: World, wanted: Partial<Switches>): Promise<Switches> {
  const next = await change<Partial<Switches>>(world.store, KEY, (now) => ({ ...now, ...wanted }));
  return { ...off, ...next };
}

/** Answers 503 while an outage lasts; each refused call counts, whoever makes it. */
export function outage(world: World): MiddlewareHandler {
  return async (_, next) => {
    if ((await readSwitches(world)).outageCalls > 0 && (await takeOutageCall(world))) {
      return problemResponse('ServicoIndisponivel');
    }
    await next();
  };
}

async function takeOutageCall(world: World): Promise<boolean> {
  let taken = false;
  await change<Partial<Switches>>(world.store, KEY, (now) => {
    const left = now?.outageCalls ?? 0;
    taken = left > 0;
    return taken ? { ...now, outageCalls: left - 1 } : undefined;
  });
  return taken;
}
