import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Act,
  type ActEvent,
  type ActState,
  actOf,
  FOLLOWERS,
  following,
  type Happened,
  stateAt,
} from '../../functions/domain/acts/act.ts';
import { getDefined } from '../../functions/domain/get.ts';

const ANA = { id: 'ana', roles: ['operator'], via: 'STS', principal: 'arn:ana' } as const;
const AT = Date.UTC(2026, 10, 20);
const WANTED = { name: 'fraud lift', reason: 'x', before: {}, after: {} } as const;
const CALL = { command: 'fraud lift', words: ['p'], flags: {} };

const FIRST: readonly Happened[] = [
  { kind: 'ORDERED', ...WANTED },
  { kind: 'PROPOSED', expiresAt: AT + 1_000, call: CALL, ...WANTED },
];
const LATER: readonly Happened[] = [
  { kind: 'APPROVED' },
  { kind: 'WITHDRAWN' },
  { kind: 'EXPIRED' },
  { kind: 'STALE' },
  { kind: 'RESUMED' },
  { kind: 'DONE' },
  { kind: 'FAILED', error: 'Refused' },
];

const begun = (happened: Happened): Act =>
  getDefined(actOf([{ act: 'A', place: 1, subject: 'p', at: AT, who: ANA, ...happened } as ActEvent]), 'act');

/** The act after all that may follow of what is tried. */
function lifeOf(first: Happened, tried: readonly Happened[]): Act {
  return tried.reduce((act, happened) => {
    const event = following(act, happened, { at: AT, who: ANA });
    return event ? getDefined(actOf([...act.events, event]), 'act') : act;
  }, begun(first));
}

const lives = fc
  .tuple(fc.constantFrom(...FIRST), fc.array(fc.constantFrom(...LATER), { maxLength: 12 }))
  .map(([first, tried]) => lifeOf(first, tried));
const kindsOf = ({ events }: Act) => events.map(({ kind }) => kind);
const count = (act: Act, ...wanted: ActState[]) =>
  kindsOf(act).filter((kind) => wanted.includes(kind)).length;

// docs/operations.md, "Two persons"
describe('the life of an act, whatever is tried', () => {
  test('has each event at its own place, without a gap', () => {
    fc.assert(
      fc.property(lives, ({ events }) => {
        expect(events.map(({ place }) => place)).toEqual(events.map((_, index) => index + 1));
      }),
    );
  });

  test('has one beginning, one decision and one end, and nothing after the end', () => {
    fc.assert(
      fc.property(lives, (act) => {
        expect(count(act, 'ORDERED', 'PROPOSED')).toBe(1);
        expect(count(act, 'APPROVED', 'WITHDRAWN', 'EXPIRED')).toBeLessThanOrEqual(1);
        const ends = kindsOf(act).map((kind) => FOLLOWERS[kind].length === 0);
        expect(ends.slice(0, -1)).not.toContain(true);
      }),
    );
  });

  test('is done only after the order of one person or the approval of a second one', () => {
    fc.assert(
      fc.property(lives, (act) => {
        if (count(act, 'DONE', 'FAILED', 'RESUMED') === 0) return;
        expect(kindsOf(act).slice(0, 2).join()).toMatch(/^(ORDERED,(DONE|FAILED)|PROPOSED,APPROVED)$/);
      }),
    );
  });
});

describe('a proposal', () => {
  const proposal = begun(FIRST[1]!);

  test('expires at its instant, also when nobody notes it', () => {
    expect(stateAt(proposal, AT + 999)).toBe('PROPOSED');
    expect(stateAt(proposal, AT + 1_000)).toBe('EXPIRED');
  });

  test('that was approved does not expire', () => {
    expect(stateAt(lifeOf(FIRST[1]!, [{ kind: 'APPROVED' }]), AT + 5_000)).toBe('APPROVED');
  });

  test('is no act without its first event', () => {
    expect(actOf([])).toBeUndefined();
    expect(actOf(lifeOf(FIRST[1]!, [{ kind: 'APPROVED' }]).events.slice(1))).toBeUndefined();
  });
});
