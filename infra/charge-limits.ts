import type { Node } from 'constructs';
import { CAP_NAMES, faultOf } from '../functions/domain/partners/caps.ts';
import { type ChargeLimits, DEFAULT_LIMITS } from '../functions/domain/purchase/charge-limits.ts';
import type { Stage } from './stage.ts';

/** Numbers by name. The nested objects of the limits have this form. */
type Numbers = Record<string, unknown>;
type Group = Record<string, Numbers>;

/**
 * The default limits, with the changes of the stage in `cdk.json`. A name that no limit has is refused, because a
 * mistyped cap would be no cap.
 */
export function chargeLimitsOf(stage: Stage, node: Node): ChargeLimits {
  const ofStages = node.tryGetContext('chargeLimits') as Partial<Record<Stage, Group>> | undefined;
  const { tiers = {}, ...others } = ofStages?.[stage] ?? {};
  const { tiers: defaultTiers, ...defaults } = DEFAULT_LIMITS;
  const merged = {
    ...changed(defaults, others, stage),
    tiers: changed(defaultTiers, tiers as Group, stage),
  };
  return merged as unknown as ChargeLimits;
}

function changed(defaults: Group, changes: Group, stage: Stage): Group {
  for (const [name, numbers] of Object.entries(changes)) requireFit(defaults[name], { name, numbers, stage });
  return Object.fromEntries(
    Object.entries(defaults).map(([name, numbers]) => [name, { ...numbers, ...changes[name] }]),
  );
}

type Given = { name: string; numbers: Numbers; stage: Stage };

function requireFit(known: Numbers | undefined, { name, numbers, stage }: Given): void {
  if (!known) throw new Error(`chargeLimits of ${stage}: nothing is called ${name}`);
  for (const [key, value] of Object.entries(numbers)) {
    const fault = faultIn(key, value);
    if (fault) throw new Error(`chargeLimits of ${stage}, ${name}: ${fault}`);
  }
}

function faultIn(key: string, value: unknown): string | undefined {
  const cap = CAP_NAMES.find((each) => each === key);
  if (cap) return faultOf(cap, value);
  if (key !== 'days') return `nothing is called ${key}`;
  return Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'days must be a whole number';
}
