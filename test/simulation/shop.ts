import { Refusal } from '../../functions/domain/errors.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import type { Ids } from '../../functions/domain/ports.ts';
import { success } from '../../functions/entry/answer.ts';
import { claimKey, runOnce } from '../../functions/entry/idempotency.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import type { Bank } from './bank.ts';
import type { InstancePorts } from './instances.ts';
import type { Kernel } from './kernel.ts';
import type { Plan } from './purchases.ts';
import type { Told } from './risk/sale-guard.ts';
import type { Ended } from './tasks.ts';
import { SECOND_MS } from './times.ts';
import type { Violation } from './violation.ts';

/** The time-out of an API function. */
const API_MS = 25 * SECOND_MS;
const TRIES = 12;
const LONGEST_PAUSE_SECONDS = 60;

export type Bought = {
  plan: Plan;
  transactionId?: string;
  /** All Pix that the provider took from this buyer, for the purchase or not. */
  pixIds: string[];
  /** True once the world has reacted to the payment, so that it reacts only once. */
  isPaid: boolean;
  /** When the charge ends, as the partner was told. */
  payUntil?: number;
  /** The partner's cancel of the purchase, and the service's answers to it. */
  cancel?: { isConfirmed?: true; isRefused?: true };
};

export type Shop = {
  kernel: Kernel;
  seed: string;
  partnerOf(plan: Plan): Partner;
  bank: Bank;
  call<Output>(
    name: string,
    scope: string,
    work: (ports: InstancePorts) => Promise<Output>,
  ): Promise<Ended<Output>>;
  report(violation: Violation): void;
  /** How many requests brought a code, and how many of them the service refused for want of tokens. */
  counts: { codes: number; illiquid: number };
  /** The number of refusals of each kind. */
  refusals: Record<string, number>;
  /** Called with each refusal of the service. */
  onRefusal(refusal: Refusal, scope: string): void;
  /** Called with each quote that a partner was shown. */
  onQuoted(told: Told): void;
  /** A person decides that this buyer is a fraud, everywhere. */
  block(bought: Bought): Promise<void>;
  /** True when the purchase has a Pix code that its buyer may have seen. */
  isCharged(transactionId: string): boolean;
  /** The request that brought the client's last accepted code. */
  lastRequestOf(clientId: string): string | undefined;
  /** Called with each purchase once its partner knows its id. */
  onOpened(bought: Bought): void;
  /** Called with each Pix that the provider has taken. */
  onPix(pixIds: readonly string[], scope: string): void;
  /** Plays the events that follow the payment of a purchase. */
  onPaid(bought: Bought): Promise<void>;
};

type Operation = (ports: InstancePorts, ids: Ids) => Promise<object>;

/**
 * Repeats a partner's request until its answer is final. Returns undefined when the answer is a refusal, or when none
 * came.
 */
export async function request(name: string, { plan }: Bought, shop: Shop, operation: Operation) {
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const ended = await shop.call(name.split(' ')[0]!, plan.scope, async (ports) => {
      // Some refusals are remembered and answered, and others are thrown.
      const run = async (ids: Ids) =>
        success({
          ...(await operation(ports, ids).catch((error: unknown) => tell(error, plan.scope, shop))),
        });
      const keyed = {
        key: `${plan.scope} ${name}`,
        scope: `demo POST /${name}`,
        request: { name },
        timeoutMs: API_MS,
      };
      return runOnce(ports, await claimKey(ports, keyed), (reservation) => run(reservedIds(reservation)));
    });
    if (ended.end === 'DONE') {
      const { statusCode, body } = ended.output.answer;
      return statusCode === 200 ? (JSON.parse(body) as { data: unknown }).data : undefined;
    }
    const isFinal =
      ended.end === 'FAILED' &&
      ended.error instanceof Refusal &&
      ended.error.details.retryAfterSeconds === undefined;
    if (isFinal) return undefined;
    await shop.kernel.wait(Math.max(2 + attempt * 5, pauseOf(ended)) * SECOND_MS);
  }
  return undefined;
}

function tell(error: unknown, scope: string, shop: Shop): never {
  if (error instanceof Refusal) shop.onRefusal(error, scope);
  throw error;
}

/** The partner waits as long as the service asks, but not until a limit begins anew. */
function pauseOf(ended: Ended<unknown>): number {
  const { retryAfterSeconds = 0 } =
    ended.end === 'FAILED' && ended.error instanceof Refusal ? ended.error.details : {};
  return Math.min(Number(retryAfterSeconds), LONGEST_PAUSE_SECONDS);
}
