import { change } from './store.ts';
import type { World } from './world.ts';

type Trigger = {
  title: string;
  /**
   * The subject of the event: a `purchase`, named by its transaction's id, or a `client`, named by a KYC
   * token or a CPF.
   */
  of: 'purchase' | 'client';
  /** The effect, in a sentence. */
  forces: string;
  /** How many times the event happens before it is used up. */
  times: number;
};

/** All events that a partner can request. */
export const TRIGGERS = {
  MED: {
    title: 'The bank takes the payment back',
    of: 'purchase',
    forces:
      'The Pix is taken back by MED: now if it is paid, otherwise at its payment. Call it before the payment: some ' +
      'seconds after that the purchase fails with PAYMENT_TAKEN_BACK. After COMPLETED transaction.med_opened may ' +
      'take up to an hour. The client is blocked.',
    times: 1,
  },
  LATE_PIX: {
    title: 'The Pix comes late',
    of: 'purchase',
    forces:
      'After EXPIRED or CANCELED, the client pays now, and the Pix is returned in full. During AWAITING_PIX, ' +
      'the next payment is dated after the charge’s end: FAILED with PAID_LATE, and a refund.',
    times: 1,
  },
  PSP_OUTAGE: {
    title: 'The Pix provider is down',
    of: 'purchase',
    forces:
      'It answers 503 to the next three calls. At the challenge you get a 500 that you may repeat; after the payment ' +
      'the purchase waits.',
    times: 3,
  },
  REFUND_FAILS: {
    title: 'A refund fails',
    of: 'purchase',
    forces:
      'The bank does not make the next refund: transaction.refund_delayed, and a new try after a ' +
      'minute. If MED takes the payment back meanwhile: transaction.refund_failed.',
    times: 1,
  },
  SETTLEMENT_REVERTS: {
    title: 'The transfer reverts',
    of: 'purchase',
    forces:
      'All four tries of the transfer are mined and revert: FAILED with SETTLEMENT_FAILED, and a refund. Call it ' +
      'before the payment.',
    times: 1,
  },
  CHAIN_OUTAGE: {
    title: 'The chain is down',
    of: 'purchase',
    forces:
      'No node answers to the next three visits to the transfer. The paid purchase waits in PROCESSING, and goes on ' +
      'after that.',
    times: 3,
  },
  VENUE_LIES: {
    title: 'An exchange lies',
    of: 'purchase',
    forces:
      'One exchange asks 2.60 BRL for any number of tokens when the code is confirmed. The other two outvote it: the ' +
      'purchase goes on at their price.',
    times: 1,
  },
  PROMISES_EXHAUSTED: {
    title: 'Too much is promised at locked prices',
    of: 'purchase',
    forces:
      'The next right code is refused with PROMISES_EXHAUSTED. The same code succeeds if it is sent again.',
    times: 1,
  },
  IDENTITY_OUTAGE: {
    title: 'The identity provider is down',
    of: 'client',
    forces:
      'It answers 503 to the next three calls. A submission is PENDING and is decided later; a purchase with ' +
      'liveness gets a 500 that you may repeat.',
    times: 3,
  },
  SCREENING_OUTAGE: {
    title: 'The screening of wallets is down',
    of: 'client',
    forces:
      'The next three checks of a wallet get no answer. An initiate gets a 500 that you may repeat; ' +
      'a paid purchase waits in PROCESSING.',
    times: 3,
  },
  LOW_LIQUIDITY: {
    title: 'The treasury runs low',
    of: 'client',
    forces: 'The next initiate is refused with LIQUIDITY_UNAVAILABLE.',
    times: 1,
  },
  PRICE_PAUSE: {
    title: 'No price can be trusted',
    of: 'client',
    forces:
      'The next initiate is refused with PRICE_UNAVAILABLE, with a quote or without. A request for a quote names no ' +
      'client, and is not refused.',
    times: 1,
  },
  QUOTE_EXPIRES: {
    title: 'A quote expires',
    of: 'client',
    forces: 'The next initiate with a quoteId is refused with QUOTE_EXPIRED. Its quote stays.',
    times: 1,
  },
  LIMIT_REACHED: {
    title: 'The client reaches a limit',
    of: 'client',
    forces:
      'The next initiate is refused with LIMIT_EXCEEDED, as if the day were used up. The limits do not change.',
    times: 1,
  },
  QUOTA_REACHED: {
    title: 'The paid look-ups are used up',
    of: 'client',
    forces: 'The next submission is refused with KYC_QUOTA_EXCEEDED. The quota does not change.',
    times: 1,
  },
} as const satisfies Record<string, Trigger>;

export type TriggerName = keyof typeof TRIGGERS;
export const TRIGGER_NAMES = Object.keys(TRIGGERS) as [TriggerName, ...TriggerName[]];

/** The events that wait for one purchase or one client, and how many times each will still happen. */
type Waiting = { partnerId: string; left: Partial<Record<TriggerName, number>> };

const FOLDER = 'trigger';
/** `subject` is the id of a purchase or of a client. */
export const triggerKey = (subject: string) => `${FOLDER}/${subject}`;

export type Armed = { event: TriggerName; partnerId: string; subject: string };

/**
 * Makes the event wait for its purchase or client. If it already waits, it gets its full number of times
 * again.
 */
export async function armTrigger({ event, partnerId, subject }: Armed, { store }: World): Promise<void> {
  await change<Waiting>(store, triggerKey(subject), (now) => ({
    partnerId,
    left: { ...now?.left, [event]: TRIGGERS[event].times },
  }));
}

/** True if the event waits for this purchase or client. Each true answer uses up one of its times. */
export async function takeTrigger(
  event: TriggerName,
  subject: string | undefined,
  world: World,
): Promise<boolean> {
  if (subject === undefined) return false;
  return (await takeTriggers([event], subject, world)).length > 0;
}

/** The given events that wait for this purchase or client. One of the times of each is used up. */
export async function takeTriggers(
  events: readonly TriggerName[],
  subject: string,
  { store }: World,
): Promise<TriggerName[]> {
  let taken: TriggerName[] = [];
  await change<Waiting>(store, triggerKey(subject), (now) => {
    const left = now?.left ?? {};
    taken = events.filter((event) => (left[event] ?? 0) > 0);
    if (!now || taken.length === 0) return undefined;
    const used = taken.map((event) => [event, (left[event] ?? 0) - 1]);
    return { ...now, left: { ...left, ...Object.fromEntries(used) } };
  });
  return taken;
}

/** Removes all waiting events of the partner's purchases and clients. Returns how many there were. */
export async function clearTriggers(partnerId: string, { store }: World): Promise<number> {
  const all = await store.list<Waiting>(FOLDER);
  const own = all.filter(({ value }) => value.partnerId === partnerId);
  await Promise.all(own.map(({ key }) => store.put(key, { partnerId, left: {} })));
  return own.flatMap(({ value }) => Object.values(value.left)).filter((left) => left > 0).length;
}
