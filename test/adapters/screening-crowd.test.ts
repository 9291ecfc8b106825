import { describe, expect, test } from 'vitest';
import type { ListEntry } from '../../functions/adapters/lists/entry.ts';
import { hitsOf, reviewsOf } from '../../functions/domain/screening/screening.ts';
import { entry, found } from './screening-fixtures.ts';

const CPF = '52998224725';
const NAME = 'Zebedeu Quintanilha Vasquez';

/** Companies and their representatives are debarred dozens of times, each time under another code. */
const debarred = (list: ListEntry['list']) =>
  Array.from({ length: 30 }, (_, at) => entry({ list, id: `${list} ${at}`, documents: [CPF] }));

describe('a client who was debarred dozens of times', () => {
  const crowd = [...debarred('BR_CEIS'), ...debarred('BR_CNEP')];

  test('is refused for a name on a freeze list', () => {
    const entries = [...crowd, entry({ name: NAME, born: '1970-01-01' })];

    const candidates = found(entries, { name: NAME, birthDate: '1970-01-01' });

    expect(hitsOf(candidates).map(({ effect }) => effect)).toContain('REJECT');
    expect(hitsOf(candidates).map(({ effect }) => effect)).toContain('HIGH');
  });

  test('is reviewed by a person for each similar listed person', () => {
    const alike = Array.from({ length: 6 }, (_, at) =>
      entry({ id: `${at}`, name: NAME, born: `19${at}0-05-05` }),
    );

    const candidates = found([...crowd, ...alike], { name: NAME, birthDate: '1984-01-01' });

    expect(reviewsOf(candidates)).toHaveLength(6);
  });

  test('causes no evidence and no write that DynamoDB would refuse', () => {
    const alike = (['OFAC_SDN', 'OFAC_CONS', 'UN_SC'] as const).flatMap((list) =>
      Array.from({ length: 30 }, (_, at) => entry({ list, id: `${at}`, name: NAME })),
    );

    expect(found([...crowd, ...alike], { name: NAME, birthDate: '1984-01-01' }).length).toBeLessThanOrEqual(
      40,
    );
  });
});
