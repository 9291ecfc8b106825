import { readFileSync } from 'node:fs';
import type { Node } from 'constructs';
import type { Chain } from '../functions/adapters/chain/chain.ts';
import type { PolicyChanges } from '../functions/domain/acts/act-policy.ts';
import type { PerAsset } from '../functions/domain/assets.ts';
import type { KeyLimits } from '../functions/domain/partners/made-key.ts';
import type { LimitChanges } from '../functions/domain/purchase/charge-limits.ts';
import type { PromiseLimits } from '../functions/domain/purchase/open-promise.ts';
import type { Explorer } from '../functions/domain/purchase/receipt.ts';
import {
  LIST_EFFECTS,
  type ListEffect,
  type ListEffects,
  mapLists,
} from '../functions/domain/screening/lists.ts';
import type { FloatLimits } from '../functions/domain/treasury/liquidity.ts';
import type { PriceBounds } from '../functions/domain/treasury/order-book.ts';
import { type AlarmSettings, alarmSettingsOf } from './alarm-settings.ts';
import { floatLimitsOf, priceBoundsOf, tokensOf } from './assets.ts';
import { limitChangesOf } from './charge-limits.ts';
import { type ConsoleSettings, consoleOf } from './console-settings.ts';
import { type Edge, edgeOf } from './edge-settings.ts';
import { explorerOf } from './explorer.ts';
import { type HistoryLock, historyLockOf } from './history-lock.ts';
import { keyLimitsOf } from './key-limits.ts';
import { operatorsOf } from './operators.ts';
import { payerProofDaysOf } from './payer-proof-days.ts';
import { promiseLimitsOf } from './promise-limits.ts';
import { regionOf, replicaRegionsOf } from './regions.ts';
import { registryQuotaOf } from './registry-quota.ts';
import { STAGES, type Stage } from './stage.ts';
import { tracedShareOf } from './tracing.ts';

export type Settings = {
  stage: Stage;
  /** The region of the stack. It overrides the CLI's region. */
  region: string;
  /** How many seconds one minute of a purchase's waits lasts. Production has 60. */
  minuteSeconds: number;
  /**
   * A factor for the time-outs of calls to AWS, providers and functions. A laptop that runs all of them needs more
   * time.
   */
  patience: number;
  /**
   * Which attempt to deploy the same commit this is. Each further one makes new versions of the functions: AWS keeps
   * those of a deployment that it took back, and refuses to make them again.
   */
  attempt: number;
  /** The chain on which the stablecoin is sent, in the form of the setting `chain`. */
  chain: Chain;
  /** The limits of the treasury for each asset. */
  floatLimits: PerAsset<FloatLimits>;
  /** The stage's changes of the limits for a client's charges. */
  chargeLimits: LimitChanges;
  /** The largest sums of open promises. */
  promiseLimits: PromiseLimits;
  /** For how many days the proof is valid that the Pix provider notices a stranger's payment. */
  payerProofDays: number;
  /** The limits of API keys that partners make. */
  keyLimits: KeyLimits;
  /** The paid look-ups of registries that a partner may cause in a day. */
  registryQuota: number;
  /** The stage's changes of who may do which act of an operator, and of which acts need a second person. */
  operators: PolicyChanges;
  /** How long the archive of histories refuses deletion. */
  historyLock: HistoryLock;
  /** The web address at which a receipt shows its transfer. */
  explorer: Explorer;
  /** The bounds of accepted prices, for each asset. */
  priceBounds: PerAsset<PriceBounds>;
  /** The effect of a hit on each list. */
  listEffects: ListEffects;
  alarms: AlarmSettings;
  /** The vendor that judges wallets, besides the sanctions lists. Absent if there is none. */
  walletScreening?: 'chainalysis';
  /** The number of hot wallets. Each has a signing key of its own. */
  treasuryWallets: number;
  /** How callers reach the stage, and how much of the account's concurrency it may use. */
  edge: Edge;
  /** The console for operators. Absent if the stage has none. */
  console?: ConsoleSettings;
  /** The share of the state machine's executions that X-Ray traces. */
  tracedShare: number;
  /**
   * The CloudTrail trail that records management events in this region, and in those of replicas.
   * Without it no event about a signing key arrives.
   */
  trail?: string;
  /** The other regions in which an operator keeps replicas of the signing keys. */
  replicaRegions: readonly string[];
  /**
   * The monthly budget of the account, in US dollars. Alarms are raised at 80 % and at 100 % of it, and if
   * AWS forecasts more than 100 %. Absent if the stage makes no budget. A member account of an organization
   * needs leave from the management account, and Cost Explorer. Set `null` until then.
   */
  monthlyBudgetUsd?: number;
};

/** Reads the context from `cdk.json`, for a CDK synthesis without the CLI. The CLI reads it itself. */
export function readContext(): Record<string, unknown> {
  const file = new URL('../cdk.json', import.meta.url);
  return (JSON.parse(readFileSync(file, 'utf8')) as { context: Record<string, unknown> }).context;
}

export async function readSettings(node: Node): Promise<Settings> {
  const stage = requireStage(node.tryGetContext('stage') ?? 'sandbox');
  const minuteSeconds = requireMinute(Number(node.tryGetContext('minuteSeconds') ?? 60), stage);
  const patience = requirePatience(Number(node.tryGetContext('patience') ?? 1), stage);
  const listEffects = requireEffects(node.tryGetContext('listEffects') ?? {});
  const walletScreening = requireScreening(node.tryGetContext('walletScreening') ?? DEFAULT_SCREENING[stage]);
  return {
    stage,
    region: regionOf(stage, node),
    minuteSeconds,
    patience,
    attempt: requireAttempt(Number(node.tryGetContext('attempt') ?? 1)),
    chain: await chainOf(stage, node),
    floatLimits: floatLimitsOf(stage, node),
    chargeLimits: limitChangesOf(stage, node),
    promiseLimits: promiseLimitsOf(stage, node),
    payerProofDays: payerProofDaysOf(stage, node),
    keyLimits: keyLimitsOf(stage, node),
    registryQuota: registryQuotaOf(stage, node),
    operators: operatorsOf(stage, node),
    historyLock: historyLockOf(stage, node),
    explorer: explorerOf(stage, node),
    priceBounds: priceBoundsOf(stage, node),
    listEffects,
    alarms: alarmSettingsOf(node),
    walletScreening,
    treasuryWallets: requireWallets(node.tryGetContext('treasuryWallets') ?? DEFAULT_WALLETS[stage]),
    edge: edgeOf(stage, node),
    console: consoleOf(stage, node),
    tracedShare: tracedShareOf(stage, node),
    trail: trailOf(stage, node),
    replicaRegions: replicaRegionsOf(stage, node),
    monthlyBudgetUsd: budgetOf(stage, node),
  };
}

function requireStage(value: unknown): Stage {
  const stage = STAGES.find((each) => each === value);
  if (!stage) throw new Error(`There is no stage ${String(value)}; the stages are ${STAGES.join(', ')}`);
  return stage;
}

// Only a sandbox may have other minutes, because the specification promises the waits to partners.
function requireMinute(seconds: number, stage: Stage): number {
  if (!Number.isFinite(seconds) || seconds <= 0) throw new Error('minuteSeconds must be a positive number');
  if (stage === 'production' && seconds !== 60) throw new Error('A minute of production has 60 seconds');
  return seconds;
}

// Production must have the patience 1. Otherwise a function could wait longer than its own time-out, and end without an
// answer.
function requirePatience(times: number, stage: Stage): number {
  if (!(times >= 1)) throw new Error('patience must be 1 or more');
  if (stage === 'production' && times !== 1) throw new Error('The patience of production is 1');
  return times;
}

function requireAttempt(attempt: number): number {
  if (!Number.isInteger(attempt) || attempt < 1) throw new Error('attempt must be 1, 2, 3 …');
  return attempt;
}

/**
 * The effects that a deployment may choose for each list. Where a list has only one effect, the law demands
 * it.
 */
const CHOICES: Record<string, readonly ListEffect[]> = mapLists(({ effects }) => effects);

function requireEffects(chosen: Record<string, ListEffect>): ListEffects {
  for (const [list, effect] of Object.entries(chosen)) {
    const choices = CHOICES[list];
    if (!choices) throw new Error(`listEffects: there is no list ${list}`);
    if (!choices.includes(effect)) throw new Error(`listEffects: ${list} may be ${choices.join(' or ')}`);
  }
  return { ...LIST_EFFECTS, ...chosen };
}

/**
 * Whether a vendor judges wallets by default. The sandbox simulates every provider, but in production a vendor requires
 * a contract.
 */
const DEFAULT_SCREENING: Record<Stage, string> = { sandbox: 'chainalysis', production: 'none' };

function requireScreening(value: unknown): Settings['walletScreening'] {
  if (value !== 'chainalysis' && value !== 'none') {
    throw new Error(`walletScreening may be chainalysis or none, not ${String(value)}`);
  }
  return value === 'none' ? undefined : value;
}

/** The number of hot wallets by default. The sandbox has two, so that the code for several wallets is used. */
const DEFAULT_WALLETS: Record<Stage, number> = { sandbox: 2, production: 1 };
/**
 * The most hot wallets of a stage. The number is low, because every payment reads the rows of all wallets.
 */
const MOST_WALLETS = 16;

function requireWallets(value: unknown): number {
  const count = Number(value);
  if (!Number.isInteger(count) || count < 1 || count > MOST_WALLETS) {
    throw new Error(`treasuryWallets must be between 1 and ${MOST_WALLETS}, not ${String(value)}`);
  }
  return count;
}

function budgetOf(stage: Stage, node: Node): number | undefined {
  const chosen = node.tryGetContext('monthlyBudgetUsd') as Partial<Record<Stage, unknown>> | undefined;
  const amount = chosen?.[stage];
  if (amount === null) return undefined;
  if (typeof amount !== 'number' || !(amount >= 1))
    throw new Error(
      `In cdk.json monthlyBudgetUsd of ${stage} must be a number of US dollars, 1 at least, or null for none`,
    );
  return amount;
}

/** The form of a trail's name, as CloudTrail requires it. */
const TRAIL = /^[A-Za-z0-9][A-Za-z0-9._-]{1,126}[A-Za-z0-9]$/;

function trailOf(stage: Stage, node: Node): string | undefined {
  const trails = node.tryGetContext('trail') as Partial<Record<Stage, unknown>> | undefined;
  const trail = trails?.[stage] ?? undefined;
  if (trail === undefined) return undefined;
  if (typeof trail === 'string' && TRAIL.test(trail)) return trail;
  throw new Error(`In cdk.json trail of ${stage} must be the name of a trail, or null for none`);
}

/**
 * The highest `maxInFlight`. No known node keeps more than 64 waiting transactions of one sender
 * (`accountqueue` of geth).
 */
const MOST_IN_FLIGHT = 64;

// Reads the stage's chain. The sandbox deploys its own contracts, so the module that deploys them knows their
// addresses.
async function chainOf(stage: Stage, node: Node): Promise<Chain> {
  if (stage === 'sandbox') return (await import('./sandbox.ts')).localChain;
  const chains = node.tryGetContext('chain') as Record<string, Omit<Chain, 'tokens'>>;
  const chain = chains[stage];
  if (!chain) throw new Error(`cdk.json has no chain for ${stage}`);
  const { maxInFlight = 1 } = chain;
  if (!Number.isInteger(maxInFlight) || maxInFlight < 1 || maxInFlight > MOST_IN_FLIGHT)
    throw new Error(`chain of ${stage}: maxInFlight must be a whole number from 1 to ${MOST_IN_FLIGHT}`);
  return { ...chain, tokens: tokensOf(stage, node) };
}
