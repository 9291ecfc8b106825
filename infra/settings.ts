import { readFileSync } from 'node:fs';
import type { Node } from 'constructs';
import type { Chain } from '../functions/adapters/chain/chain.ts';

export const STAGES = ['sandbox', 'production'] as const;
export type Stage = (typeof STAGES)[number];

export type Settings = {
  stage: Stage;
  /** What a minute of the waits lasts, in seconds. */
  minuteSeconds: number;
  /** Which chain pays, as the functions read it from `CHAIN`. */
  chain: Chain;
};

/** The context of `cdk.json`, for a synthesis without the CLI, which would hand it over itself. */
export function readContext(): Record<string, unknown> {
  const file = new URL('../cdk.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { context: Record<string, unknown> }).context;
}

export async function readSettings(node: Node): Promise<Settings> {
  const stage = requireStage(node.tryGetContext('stage') ?? 'sandbox');
  const minuteSeconds = requireMinute(Number(node.tryGetContext('minuteSeconds') ?? 60), stage);
  return { stage, minuteSeconds, chain: await chainOf(stage, node) };
}

function requireStage(value: unknown): Stage {
  const stage = STAGES.find((each) => each === value);
  if (!stage) throw new Error(`There is no stage ${String(value)}; the stages are ${STAGES.join(', ')}`);
  return stage;
}

// The waits are what the specification promises partners: only a sandbox may hurry them.
function requireMinute(seconds: number, stage: Stage): number {
  if (!Number.isFinite(seconds) || seconds <= 0) throw new Error('minuteSeconds must be a positive number');
  if (stage === 'production' && seconds !== 60) throw new Error('A minute of production has 60 seconds');
  return seconds;
}

// Where the sandbox's contracts are follows from their deployment, so the module that deploys them says it.
async function chainOf(stage: Stage, node: Node): Promise<Chain> {
  if (stage === 'sandbox') return (await import('./sandbox.ts')).localChain;
  const chains = node.tryGetContext('chain') as Record<string, Chain>;
  const chain = chains[stage];
  if (!chain) throw new Error(`cdk.json has no chain for ${stage}`);
  return chain;
}
