import type { Node } from 'constructs';
import { CAP_NAMES, capFault } from '../functions/domain/partners/caps.ts';
import { DEFAULT_LIMITS, type LimitChanges } from '../functions/domain/purchase/charge-limits.ts';
import type { Stage } from './stage.ts';

/** Limits in the form of `cdk.json`: numbers by their names. Groups such as the tiers are nested objects. */
type Numbers = Record<string, unknown>;
type Group = Record<string, Numbers>;

/**
 * Reads the stage's changes of the limits from `cdk.json`. An unknown name is refused, because a cap with a typing
 * error would limit nothing. Only the changes become a variable, because Lambda allows 4 KB of variables.
 */
export function limitChangesOf(stage: Stage, node: Node): LimitChanges {
  const ofStages = node.tryGetContext('chargeLimits') as Partial<Record<Stage, Group>> | undefined;
  const changes = ofStages?.[stage] ?? {};
  const { tiers = {}, ...others } = changes;
  const { tiers: knownTiers, ...known } = DEFAULT_LIMITS;
  requireKnown(known, others, stage);
  requireKnown(knownTiers, tiers as Group, stage);
  return changes as LimitChanges;
}

function requireKnown(known: Group, changes: Group, stage: Stage): void {
  for (const [name, numbers] of Object.entries(changes)) requireFit(known[name], { name, numbers, stage });
}

type Given = { name: string; numbers: Numbers; stage: Stage };

function requireFit(known: Numbers | undefined, { name, numbers, stage }: Given): void {
  if (!known) throw new Error(`chargeLimits of ${stage}: nothing is called ${name}`);
  for (const [key, value] of Object.entries(numbers)) {
    const fault = limitFault(key, value);
    if (fault) throw new Error(`chargeLimits of ${stage}, ${name}: ${fault}`);
  }
}

function limitFault(key: string, value: unknown): string | undefined {
  const cap = CAP_NAMES.find((each) => each === key);
  if (cap) return capFault(cap, value);
  if (key !== 'days') return `nothing is called ${key}`;
  return Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'days must be a whole number';
}
