import { ASSET_NAMES, type Asset } from '../../../functions/domain/assets.ts';
import { VENUES, type Venue } from '../../../functions/domain/treasury/quorum.ts';
import { type Dice, diceOf } from '../dice.ts';
import { MINUTE_MS, QUIET_AFTER_MS, START_AT } from '../times.ts';

/** From `from` to `until`, these exchanges show false books of these assets: the honest price times `factor`. */
export type Lie = {
  from: number;
  until: number;
  venues: readonly Venue[];
  assets: readonly Asset[];
  kind: 'FALSE' | 'THIN' | 'SILENT';
  factor?: number;
};

/** Prices near the honest one, far from it, and at the edge of what confirms another exchange. */
const OF_ONE = [0.3, 0.9, 0.97, 0.988, 0.992, 1.008, 1.012, 1.03, 1.1, 3];
/** Two exchanges confirm each other. A bound on the move, or the other asset, must stop them. */
const OF_ONE_ASSET = [0.9, 0.965, 0.97, 1.035];
const BEYOND = [0.5, 0.8, 0.93, 1.09];
/** The bounds allow this much. It is the loss that the settings name. */
const WITHIN = [0.98, 1.02];

type Kind =
  | 'one'
  | 'one on one asset'
  | 'one beside a silent one'
  | 'two on one asset'
  | 'two beyond'
  | 'two within'
  | 'thin'
  | 'silent';
const KINDS: readonly (readonly [Kind, number])[] = [
  ['one', 8],
  ['one on one asset', 6],
  ['one beside a silent one', 3],
  ['two on one asset', 4],
  ['two beyond', 3],
  ['two within', 1],
  ['thin', 1],
  ['silent', 2],
];

const SLOT_MS = 10 * MINUTE_MS;
const QUIET_SHARE = 0.15;

/** In some worlds two exchanges lie until no honest price is an hour old. Only PTAX bounds their price then. */
const LONG_SHARE = 0.08;
const LONG = { from: START_AT + 12 * MINUTE_MS, until: START_AT + 110 * MINUTE_MS };

/**
 * The lies of a world: at most one at a time. All but one kind take a few minutes. The first price of all is honest,
 * because the service compares it with none.
 */
export function liesOf(seed: string): Lie[] {
  const dice = diceOf(seed, 'long lie');
  if (dice.isBelow(LONG_SHARE)) {
    const factor = oneOf([0.8, 0.92, 1.2], dice);
    return [{ ...LONG, venues: VENUES.slice(1), assets: ASSET_NAMES, kind: 'FALSE', factor }];
  }
  const slots = Math.floor(QUIET_AFTER_MS / SLOT_MS);
  return Array.from({ length: slots }, (_, slot) => lieIn(slot + 1, diceOf(seed, 'lie', slot))).flat();
}

function lieIn(slot: number, dice: Dice): Lie[] {
  if (dice.isBelow(QUIET_SHARE)) return [];
  const from = START_AT + slot * SLOT_MS + dice.within(0, 3) * MINUTE_MS;
  const kind = dice.pick(KINDS);
  const isOfTwo = kind.startsWith('two');
  const isBeside = kind === 'one beside a silent one';
  const until = from + dice.within(2, isOfTwo ? 4 : 6) * MINUTE_MS;
  const inOrder = shuffled(VENUES, dice);
  const venues = inOrder.slice(0, isOfTwo ? 2 : 1);
  const assets = kind.endsWith('asset') ? shuffled(ASSET_NAMES, dice).slice(0, 1) : ASSET_NAMES;
  if (kind === 'thin' || kind === 'silent')
    return [{ from, until, venues, assets, kind: kind === 'thin' ? 'THIN' : 'SILENT' }];
  const lie: Lie = { from, until, venues, assets, kind: 'FALSE', factor: oneOf(factorsOf(kind), dice) };
  return isBeside ? [lie, { ...lie, venues: inOrder.slice(1, 2), kind: 'SILENT', factor: undefined }] : [lie];
}

function factorsOf(kind: Kind): readonly number[] {
  if (kind === 'two on one asset') return OF_ONE_ASSET;
  if (kind === 'two beyond') return BEYOND;
  return kind === 'two within' ? WITHIN : OF_ONE;
}

const oneOf = <Item>(items: readonly Item[], dice: Dice): Item => items[dice.within(0, items.length - 1)]!;

const shuffled = <Item>(items: readonly Item[], dice: Dice): Item[] =>
  items
    .map((item) => [dice.next(), item] as const)
    .sort(([one], [other]) => one - other)
    .map(([, item]) => item);
