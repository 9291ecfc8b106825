import { Transaction as Signed } from 'ethers';
import { chance } from './dice.ts';
import type { Answer } from './json-rpc.ts';
import { openView, type Reads, type Request, type Spell, type View } from './views.ts';

/** The errors with which a node refuses a valid transaction. */
const REFUSALS = [
  'already known',
  'nonce too low',
  'replacement transaction underpriced',
  'insufficient funds for gas * price + value',
];

type Options = {
  honest: (request: Request) => Promise<Answer>;
  /** Sends the bytes to the pool. */
  pass: (raw: string) => Promise<Answer>;
  /** True once all nodes must be honest. */
  isQuiet: () => boolean;
};
type Current = { spell: Spell; view: View; keptBack: string[] };

/** Nodes that lag, are on a fork, lie, or treat a transaction differently from their answer. */
export function openMisbehaviour({ honest, pass, isQuiet }: Options) {
  const current = new Map<string, Current>();
  const sent = new Map<string, string>();
  const counts = { lag: 0, fork: 0, lie: 0, swallowed: 0, late: 0, refused: 0 };

  /** Treats a transaction that is sent to the node. The same transaction always gets the same treatment. */
  async function takeUnder({ spell, keptBack }: Current, raw: string): Promise<Answer | 'NO ANSWER'> {
    const hash = Signed.from(raw).hash!;
    const thrown = chance(spell.key, 'send', hash);
    if (thrown < 0.3) {
      counts.swallowed++;
      // The node keeps some of the dropped transactions and sends them when its spell ends.
      if (thrown < 0.15) keptBack.push(raw);
      return { result: hash };
    }
    if (thrown < 0.7) {
      counts.refused++;
      const at = Math.floor(chance(spell.key, 'refusal', hash) * REFUSALS.length);
      if (thrown < 0.5) await pass(raw);
      return { error: { code: -32_000, message: REFUSALS[at]! } };
    }
    const said = await pass(raw);
    if (thrown < 0.85) return said;
    counts.late++;
    return 'NO ANSWER';
  }

  return {
    counts,
    /** Puts a node under a spell. The returned function ends the spell. */
    begin(name: string, spell: Spell): () => Promise<void> {
      const onUntruth = (kind: Reads['kind']) => void counts[kind]++;
      const begun: Current = { spell, view: openView(spell, { honest, sent, onUntruth }), keptBack: [] };
      current.set(name, begun);
      return async () => {
        if (current.get(name) === begun) current.delete(name);
        for (const raw of begun.keptBack) await pass(raw);
      };
    },
    answer(name: string, request: Request): Promise<Answer> {
      const found = isQuiet() ? undefined : current.get(name);
      return found ? found.view.answer(request) : honest(request);
    },
    take(name: string, raw: string): Promise<Answer | 'NO ANSWER'> {
      sent.set(Signed.from(raw).hash!, raw);
      const found = isQuiet() ? undefined : current.get(name);
      return found ? takeUnder(found, raw) : pass(raw);
    },
  };
}
