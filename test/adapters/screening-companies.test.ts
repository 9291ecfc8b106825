import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ListEntry } from '../../functions/adapters/lists/entry.ts';
import { buildIndex } from '../../functions/adapters/screening/build-index.ts';
import { companyWordsOf } from '../../functions/adapters/screening/company-words.ts';
import { entryVersionOf } from '../../functions/adapters/screening/entry-version.ts';
import { openIndex } from '../../functions/adapters/screening/searcher.ts';
import { zoneOf } from '../../functions/domain/screening/screening.ts';
import { entry, found, META, TODAY } from './screening-fixtures.ts';

const CNPJ = '11222333000181';
const company = (text: string, changes: Partial<ListEntry> = {}) =>
  entry({ companyNames: [{ text, isWeak: false }], ...changes });
/** The candidates for a company of this name, on a list of one company. */
const zone = (listed: string, companyName: string) => {
  const [first] = found([company(listed)], { cnpj: CNPJ, companyName });
  return first && zoneOf(first.score);
};

describe('the words of a company', () => {
  it.each([
    ['Mirador Seguro Comércio Ltda.', 'mirador seguro comercio'],
    ['MIRADOR SEGURO S/A', 'mirador seguro'],
    ['Mirador Seguro S. A. - EPP', 'mirador seguro'],
    ['Cia. Mirador de Seguros', 'mirador seguros'],
    ['MIRADOR SEGURO LIMITED LIABILITY COMPANY', 'mirador seguro'],
    ['OOO Mirador', 'mirador'],
    ['52.998.224 FULANO DE TAL', 'fulano tal'],
    ['Comércio e Serviços Ltda', 'comercio servicos'],
    ['LTDA', ''],
    ['', ''],
  ])('of %j are %j, without its legal form', (text, words) => {
    expect(companyWordsOf(text).join(' ')).toBe(words);
  });
});

describe('a company with a listed name', () => {
  // docs/compliance.md, "Effect of a hit"
  it.each([
    ['CRIMSON TIDEWATER GROUP', 'Crimson Tidewater Group Ltda'],
    ['CRIMSON TIDEWATER KORIVANG CO., LTD.', 'KORIVANG CRIMSON TIDEWATER EIRELI'],
    ['BANCO ULTRAMARINO DE SANDBOXIA', 'Banco Ultramarino de Sandbóxia S.A.'],
  ])('is a hit in any legal form and order: %s as %s', (listed, name) => {
    expect(zone(listed, name)).toBe('HIT');
  });

  it.each([
    ['KORIVANG TIDEWATER SHIPPING', 'Korivang Tidewater Ltda', 'a part of it'],
    ['CRIMSON TIDEWATER GROUP', 'Crimson Tidewater do Brasil Ltda', 'words besides'],
    ['CRIMSON TIDEWATER GROUP', 'Krimson Tidewater Group Ltda', 'another spelling'],
    ['NORTHLIGHT FREIGHT FZE', 'North Light Freight Ltda', 'a word parted'],
    ['KORIVANG SHIPPING COMPANY', 'Korivang Shipping S/A', 'two words'],
    ['KORIVANG', 'Korivang Ltda', 'one word'],
    ['KORIVANG', 'Korivang Brasil Comércio Ltda', 'what a subsidiary adds'],
    ['GLOBAL TRADING COMPANY', 'Global Trading Ltda', 'words that many have'],
  ])('is reviewed by a person if it is only similar: %s as %s, %s', (listed, name) => {
    expect(zone(listed, name)).toBe('REVIEW');
  });

  it.each([
    ['CRIMSON TIDEWATER GROUP', 'Crimson Comércio de Roupas Ltda'],
    ['GLOBAL TRADING COMPANY', 'Global Comércio e Serviços Ltda'],
    ['MIRADOR SEGURO COMERCIO LTDA', 'Seguro Comércio de Alimentos Ltda'],
    ['LTDA', 'LTDA'],
    ['COMERCIO LTDA', 'Comércio Ltda'],
    ['ORION COMPANY', 'Órion Logística Ltda'],
    ['MAKRO TIM', 'TIM S A'],
  ])('is not found by one or two common words: %s as %s', (listed, name) => {
    expect(['NOTED', undefined]).toContain(zone(listed, name));
  });

  it('is reviewed by a person if the list calls the name weak', () => {
    const weak = entry({ companyNames: [{ text: 'CRIMSON TIDEWATER GROUP', isWeak: true }] });

    const [first] = found([weak], { cnpj: CNPJ, companyName: 'Crimson Tidewater Group' });

    expect(zoneOf(first!.score)).toBe('REVIEW');
  });

  it('has an explanation with the listed name and the likeness, without the client’s words', () => {
    const [first] = found([company('CRIMSON TIDEWATER GROUP', { id: '9009' })], {
      cnpj: CNPJ,
      companyName: 'Crimson Tidewater do Brasil Ltda',
    });

    expect(first).toMatchObject({
      of: 'COMPANY',
      list: 'OFAC_SDN',
      entryId: '9009',
      listed: 'crimson tidewater group',
      explanation: 'company name alike (2 words equal, 1 word missing, 1 word not listed)',
    });
  });

  it('is found by its CNPJ with any name, under the first listed name', () => {
    const listed = company('CRIMSON TIDEWATER GROUP', { documents: [CNPJ] });

    expect(found([listed], { cnpj: CNPJ, companyName: 'Outra Coisa Ltda' })).toMatchObject([
      { of: 'COMPANY', score: 1, explanation: 'CNPJ equal', listed: 'crimson tidewater group' },
    ]);
  });
});

describe('persons and companies', () => {
  const NAME = 'Vladislav Karimovich Zoltanbekov';

  it('are each searched among their own kind', () => {
    expect(found([company(NAME)], { name: NAME })).toEqual([]);
    expect(found([entry({ name: NAME })], { cnpj: CNPJ, companyName: NAME })).toEqual([]);
  });

  it('are found side by side', () => {
    const entries = [entry({ id: '1', name: NAME }), company('CRIMSON TIDEWATER GROUP', { id: '2' })];

    const both = found(entries, { name: NAME, cnpj: CNPJ, companyName: 'Crimson Tidewater Group' });

    expect(both.map(({ entryId, of }) => [entryId, of]).sort()).toEqual([
      ['1', undefined],
      ['2', 'COMPANY'],
    ]);
  });

  it('do not affect each other’s rare words', () => {
    const person = { name: 'Vladislav Zoltanbekov', birthDate: '' };
    const crowd = Array.from({ length: 50 }, (_, id) => company(`ZOLTANBEKOV ${id}X`, { id: `c${id}` }));

    expect(found([entry({ name: NAME }), ...crowd], person)).toEqual(found([entry({ name: NAME })], person));
  });
});

describe('the version of an entry', () => {
  it('changes with a company’s name, and stays as before for a person', () => {
    expect(entryVersionOf(company('CASA FICTA'))).not.toBe(entryVersionOf(company('CASA NOVA')));
    expect(entryVersionOf(entry({ name: 'A B' }))).toBe(
      entryVersionOf({ ...entry({ name: 'A B' }), companyNames: [] }),
    );
  });
});

describe('an index of companies', () => {
  it('finds every one of its companies by its own name', () => {
    const word = fc.stringMatching(/^[b-df-hj-np-tv-z][a-z]{6,12}$/);
    const names = fc.array(fc.uniqueArray(word, { minLength: 2, maxLength: 5 }), {
      minLength: 1,
      maxLength: 20,
    });
    fc.assert(
      fc.property(names, (companies) => {
        const entries = companies.map((words, id) => company(words.join(' '), { id: String(id) }));
        const searcher = openIndex(buildIndex(entries, META));
        for (const [id, words] of companies.entries()) {
          const companyName = `${words.join(' ')} Ltda`;
          const identity = { cpf: '', name: '', birthDate: '', cnpj: CNPJ, companyName };
          expect(searcher.search(identity, TODAY).map(({ entryId }) => entryId)).toContain(String(id));
        }
      }),
      { numRuns: 40 },
    );
  });
});
