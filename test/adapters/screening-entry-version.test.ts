import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListEntry } from '../../functions/adapters/lists/entry.ts';
import { entryVersionOf } from '../../functions/adapters/screening/entry-version.ts';

const FULL: ListEntry = {
  list: 'OFAC_SDN',
  id: '11',
  names: [
    { text: 'MORVAINE, Tércio', isWeak: false },
    { text: 'LOBO', isWeak: true },
  ],
  births: [
    { from: '1966-09-08', to: '1966-09-08' },
    { from: '1970-01-01', to: '1970-12-31' },
  ],
  documents: ['11144477735', '90000000175'],
  maskedCpf: '000002',
  wallets: [`0x${'1'.repeat(40)}`, `0x${'2'.repeat(40)}`],
  until: '2027-01-31',
};

/** Each changes one fact of the entry. */
const CHANGES: Record<string, Partial<ListEntry>> = {
  'its list': { list: 'OFAC_CONS' },
  'its id': { id: '12' },
  'a name': { names: [{ text: 'MORVAINE, Tercio', isWeak: false }, FULL.names[1]!] },
  'the strength of a name': { names: FULL.names.map(({ text }) => ({ text, isWeak: false })) },
  'a name less': { names: FULL.names.slice(1) },
  'a birth date': { births: [{ from: '1966-09-08', to: '1966-09-09' }, FULL.births[1]!] },
  'a birth date less': { births: FULL.births.slice(1) },
  'a document': { documents: ['11144477735'] },
  'the open digits': { maskedCpf: '000003' },
  'no open digits': { maskedCpf: undefined },
  'a wallet': { wallets: FULL.wallets?.slice(1) },
  'no wallets': { wallets: undefined },
  'its end': { until: '2028-01-31' },
  'no end': { until: undefined },
};

describe('an entry’s version', () => {
  it('is sixteen stable hexadecimal digits, because records name them', () => {
    expect(entryVersionOf(FULL)).toBe('6413990da9f955b4');
  });

  // docs/compliance.md, "The lists"
  it.each(Object.entries(CHANGES))('changes if the list says something else: %s', (_what, change) => {
    expect(entryVersionOf({ ...FULL, ...change })).not.toBe(entryVersionOf(FULL));
  });

  it('differs for each of these', () => {
    const versions = Object.values(CHANGES).map((change) => entryVersionOf({ ...FULL, ...change }));

    expect(new Set(versions).size).toBe(versions.length);
  });

  it('does not depend on the publisher’s order, nor on repetitions', () => {
    const shuffled = <Item>(items: Item[] = []) =>
      fc.shuffledSubarray([...items, ...items], { minLength: 2 * items.length });
    fc.assert(
      fc.property(
        fc.record({
          names: shuffled(FULL.names),
          births: shuffled(FULL.births),
          documents: shuffled(FULL.documents),
          wallets: shuffled(FULL.wallets),
        }),
        (order) => {
          expect(entryVersionOf({ ...FULL, ...order })).toBe(entryVersionOf(FULL));
        },
      ),
    );
  });

  it('is the same without wallets and with an empty list of them', () => {
    expect(entryVersionOf({ ...FULL, wallets: [] })).toBe(entryVersionOf({ ...FULL, wallets: undefined }));
  });

  it('keeps the fields apart', () => {
    const [one, other] = [
      ['a', 'b,c'],
      ['a,b', 'c'],
    ].map((documents) => entryVersionOf({ ...FULL, documents }));

    expect(one).not.toBe(other);
  });
});
