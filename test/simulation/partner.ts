import type { WebhookPost } from '../../functions/domain/partners/webhook-ports.ts';
import { diceOf } from './dice.ts';
import type { Kernel } from './kernel.ts';

export type Partner = ReturnType<typeof openPartner>;

/** The partner's receiver of events. Sometimes it fails or gives no answer. */
export function openPartner(
  kernel: Kernel,
  { seed, isQuiet }: { seed: string; isQuiet: (now: number) => boolean },
) {
  const dice = diceOf(seed, 'partner');
  /** When the receiver first accepted each event, and how often it accepted the event. */
  const accepted = new Map<string, { at: number; times: number }>();
  const counts = { events: 0, repetitions: 0 };

  function accept(id: string): void {
    const known = accepted.get(id);
    if (known) {
      known.times++;
      counts.repetitions++;
    } else {
      accepted.set(id, { at: kernel.now(), times: 1 });
      counts.events++;
    }
  }

  return {
    accepted,
    counts,
    /** Returns the HTTP status, or undefined when no answer came in time. */
    async take({ id }: WebhookPost): Promise<number | undefined> {
      const answered = await kernel
        .effect(
          {
            service: 'webhook',
            name: 'POST',
            about: id,
            isRead: false,
            failure: () => new Error('no answer'),
          },
          () => {
            if (!isQuiet(kernel.now()) && dice.isBelow(0.05)) return 500;
            accept(id);
            return 200;
          },
        )
        .catch(() => undefined);
      return answered;
    },
  };
}
