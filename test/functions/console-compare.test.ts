import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type Compared,
  compareBirths,
  compareDocuments,
  compareNames,
} from '../../operations/console/likeness.ts';
import { type Opened, openConsole, signedIn } from '../support/console.ts';
import { anEntry, CANDIDATE, openCase } from '../support/review-cases.ts';

const EVIL = '<script>alert(1)</script>';

/** The values of both sides, with their equal parts in brackets. */
const shownOf = ({ client, listed, words }: Compared) => {
  const text = (side: Compared['client']) =>
    side.map((parts) => parts.map((part) => (part.isEqual ? `[${part.text}]` : part.text)).join(''));
  return { client: text(client), listed: text(listed), words };
};

describe('names', () => {
  test('are compared word by word, without accents, case and order', () => {
    expect(
      shownOf(compareNames({ client: ['ANA DE SOUZA'], listed: ['Souza, Aná', 'A PROFESSORA'] })),
    ).toEqual({
      client: ['[ANA] DE [SOUZA]'],
      listed: ['[Souza], [Aná]', 'A PROFESSORA'],
      words: '2 of 3 words of the client are equal',
    });
  });

  test('that one side does not have are not called different', () => {
    expect(compareNames({ client: [], listed: ['ANA'] }).words).toBe('one side has none');
  });
});

describe('births', () => {
  test.each([
    ['1990-02-03', ['1990-02-03'], ['[1990-][02-][03]'], 'the same day'],
    ['1990-02-03', ['1990-03-02'], ['[1990-]03-02'], 'another day, with an equal year'],
    ['1990-02-03', ['1991-02-03'], ['1991-[02-][03]'], 'another day, with an equal month and day'],
    ['1990-02-03', ['1989-01-01 to 1990-12-31'], ['[1989-01-01 to 1990-12-31]'], 'within the period'],
    ['1990-02-03', ['1989-01-01 to 1989-12-31'], ['1989-01-01 to 1989-12-31'], 'another day'],
    ['1990-02-03', ['1970-05-06', '1990-02-03'], ['1970-05-06', '[1990-][02-][03]'], 'the same day'],
  ])('%s and %j', (born, births, listed, words) => {
    expect(shownOf(compareBirths({ client: [born], listed: births }))).toMatchObject({ listed, words });
  });

  test('that one side does not have are not called different', () => {
    expect(compareBirths({ client: ['1990-02-03'], listed: [] }).words).toBe('one side has none');
    expect(compareBirths({ client: [], listed: ['1990-02-03'] })).toMatchObject({
      listed: [[{ isEqual: false }, { isEqual: false }, { isEqual: false }]],
      words: 'one side has none',
    });
  });
});

describe('documents', () => {
  test('are equal by their digits, however they are written', () => {
    const client = ['CPF 52998224725'];

    expect(shownOf(compareDocuments({ client, listed: ['CPF 529.982.247-25, Brazil'] }))).toEqual({
      client: ['CPF [52998224725]'],
      listed: ['CPF [529.982.247-25], Brazil'],
      words: 'an equal one',
    });
  });

  test('are not equal by the word for them', () => {
    const listed = ['CPF 111.444.777-35'];

    expect(compareDocuments({ client: ['CPF 52998224725'], listed }).words).toBe('none is equal');
  });
});

describe('the page of a review case', () => {
  let opened: Opened;
  beforeEach(() => {
    opened = openConsole();
  });
  afterEach(() => expect(opened.errors).toEqual([]));

  async function read(entry: Parameters<typeof anEntry>[0]) {
    const { id } = await openCase(opened.ports, { candidate: { ...CANDIDATE, listed: `ANA ${EVIL}` } });
    opened.listed.push(anEntry(entry));
    return (await (await signedIn(opened, 'compliance')).read(`/console/reviews/${id}`)).text;
  }
  const rowOf = (page: string, label: string) =>
    new RegExp(`<tr role="row"><th role="rowheader" scope="row">${label} .*?</tr>`, 's').exec(page)?.[0] ??
    '';

  test('has a row for each attribute, with both persons in it', async () => {
    const names = [
      { text: `SOUZA, Ana ${EVIL}`, isWeak: false },
      { text: 'A PROFESSORA', isWeak: true },
    ];
    const births = [{ from: '1990-02-04', to: '1990-02-04' }];

    const page = await read({ names, births, documents: ['529.982.247-25'], programmes: ['SDGT'] });

    const name = rowOf(page, 'Name');
    expect(name).toContain('<li><mark>ANA</mark> DE <mark>SOUZA</mark></li>');
    expect(name).toContain('<li><mark>SOUZA</mark>, <mark>Ana</mark> &lt;script&gt;');
    expect(name).toContain('A PROFESSORA (weak alias)');
    expect(rowOf(page, 'Born')).toContain('another day, with an equal year and month');
    expect(rowOf(page, 'Document')).toContain('<mark>529.982.247-25</mark>');
    expect(page).toMatch(/<dt>programme<\/dt><dd>[^/]*SDGT/);
    expect(page).not.toContain('<script');
  });

  test('says what a side does not have', async () => {
    const page = await read({ births: [], documents: [] });

    expect(rowOf(page, 'Born')).toMatch(/one side has none.*<td[^>]*>none<\/td>/s);
    expect(rowOf(page, 'Document')).toMatch(/one side has none.*<td[^>]*>–<\/td>/s);
  });
});
