import { describe, expect, test } from 'vitest';
import { holdOf, type Mark, type WitnessMark } from '../../functions/domain/treasury/hold.ts';

const held = { by: 'ana', reason: 'restore', at: 5 };

describe('money', () => {
  test.each<[string, WitnessMark, Mark[]]>([
    ['before anything was ever marked', {}, [{}, {}]],
    ['while tables and witness are of one instant', { at: 7 }, [{ at: 7 }, { at: 7 }]],
    ['while the tables are ahead of what was read of their witness', { at: 7 }, [{ at: 8 }, { at: 8 }]],
  ])('may leave: %s', (_, witness, tables) => {
    expect(holdOf({ witness, tables })).toBeUndefined();
  });

  test.each<[string, WitnessMark, Mark[]]>([
    ['the tables were taken back', { at: 7 }, [{ at: 6 }, { at: 6 }]],
    ['one table was taken back and the other not', { at: 7 }, [{ at: 7 }, { at: 6 }]],
    ['a table was taken back to before its first mark', { at: 7 }, [{ at: 7 }, {}]],
    ['the tables are new, and their witness is not', { at: 7 }, [{}, {}]],
    ['the witness was lost', {}, [{ at: 7 }, { at: 7 }]],
    ['the tables were taken back while an operator held the money', { at: 7, held }, [{ at: 6 }, { at: 7 }]],
  ])('is held: %s', (_, witness, tables) => {
    expect(holdOf({ witness, tables })).toBe('RESTORED');
  });

  test('is held by an operator even if the tables are current', () => {
    expect(holdOf({ witness: { at: 7, held }, tables: [{ at: 7 }, { at: 7 }] })).toBe('HELD');
  });
});
