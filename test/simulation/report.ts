import type { Shrunk } from './shrink.ts';
import type { Violation } from './violation.ts';
import type { Outcome } from './world.ts';

export const INVARIANTS = [
  'The simulation itself ran to its end.',
  'A transaction is settled at most once; COMPLETED is exactly one transfer of exactly its amount.',
  'Every received Pix ends in exactly one of: settled, refunded in full once, an open case.',
  'Nothing is sent without a payment: exact, by the client, in time, to a wallet that was clear.',
  'No refund begins while a transfer of the purchase could still be mined.',
  'Each change of status announces its events once, and each reaches the partner.',
  'Centavos in are centavos settled, refunded and in cases; token units out are what was bought.',
  'Who does in time what is asked gets on: a right code is not spent for nothing, a payment in time is not late.',
  'What goes wrong in a function is what the design names, or what was thrown at it.',
  'Whoever is charged finds his tokens in the treasury, after those of all who were charged before.',
  'Within an hour, payments of an asset get nonces for no more than the ceiling.',
  'The limits of each client have used exactly what its purchases hold.',
  'A locked price is that of the honest market, within the settings; a quote is used once, and as it was shown.',
  'The open promises of each client, wallet, partner and asset are within the settings, and end once.',
  'No client and no person has used more than the caps.',
  'A blocked person buys nothing, and no refusal tells why.',
  'While the account does not cover the refunds, nothing new is sold.',
  'The open promises cost no more than their bound, however the market moves.',
] as const;

/**
 * The lines of a history that name a part of the broken purchases: the number, the transaction, the client or a Pix.
 */
export function historyOf({ outcome }: Shrunk): string[] {
  const scopes = new Set(outcome.violations.flatMap(({ scope }) => scope ?? []));
  const concerned = outcome.bought.filter(({ plan }) => scopes.size === 0 || scopes.has(plan.scope));
  const words = concerned.flatMap(({ plan, transactionId, pixIds }) => [
    ...(transactionId === undefined ? [] : [transactionId]),
    ...[`[${plan.scope}]`, plan.clientId, ...pixIds],
  ]);
  return outcome.lines.filter((line) => words.some((word) => line.includes(word)));
}

const told = ({ invariant, says }: Violation) => `  ${invariant}. ${INVARIANTS[invariant]}\n     ${says}`;

/**
 * The text of a failure: the broken invariants, the shortest history that breaks them, and the command that replays
 * it.
 */
export function failureReport(seed: number, world: number, shrunk: Shrunk): string {
  const { options, outcome, runs } = shrunk;
  const only = options.only ? ` --faults ${[...options.only].join() || 'none'}` : '';
  const size = `${options.purchases.length} purchases, ${outcome.injected.length} faults`;
  return [
    `Broken invariants, seed ${seed}, world ${world}:`,
    ...outcome.violations.slice(0, 10).map(told),
    '',
    `Shortest history (${size}, after ${runs} more worlds):`,
    ...outcome.bought.map(
      ({ plan }) => `  purchase ${plan.index}: ${plan.kind}, ${plan.amountCentavos} centavos, ${plan.asset}`,
    ),
    ...outcome.injected.map(({ key, fault, what }) => `  fault ${key} ${fault}: ${what}`),
    '',
    ...historyOf(shrunk).map((line) => `  ${line}`),
    '',
    `Replay: npm run simulate -- --seed ${seed} --world ${world} --only ${options.purchases.join()}${only}`,
  ].join('\n');
}

/** The sums over all worlds, one per line, in the order in which they were first counted. A largest count stays one. */
export function countsReport(outcomes: readonly Pick<Outcome, 'counts'>[]): string {
  const sums = new Map<string, number>();
  for (const { counts } of outcomes)
    for (const [name, count] of Object.entries(counts)) {
      const before = sums.get(name) ?? 0;
      sums.set(name, name.startsWith('largest ') ? Math.max(before, count) : before + count);
    }
  const width = Math.max(...[...sums.keys()].map(({ length }) => length));
  return [...sums].map(([name, count]) => `${name.padEnd(width)} ${count}`).join('\n');
}
