import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ListDamaged } from '../../functions/adapters/lists/list-file.ts';
import { parseList } from '../../functions/adapters/lists/parse.ts';
import { entriesOf, fileOf, unEntity, unPerson, unXml } from './lists-fixtures.ts';

const NAME = '<FIRST_NAME>KAREL</FIRST_NAME>';
const unEntries = (xml: Uint8Array) => entriesOf('UN_SC', xml);
const read = (body: string) => unEntries(unXml(unPerson('XXi.001', `${NAME}${body}`)))[0];
const alias = (quality: string, name: string) =>
  `<INDIVIDUAL_ALIAS><QUALITY>${quality}</QUALITY><ALIAS_NAME>${name}</ALIAS_NAME></INDIVIDUAL_ALIAS>`;
const birth = (type: string, fields: string) =>
  `<INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>${type}</TYPE_OF_DATE>${fields}</INDIVIDUAL_DATE_OF_BIRTH>`;

describe('persons of the United Nations list', () => {
  it('are read by their reference number', () => {
    const entries = unEntries(unXml(unPerson('XXi.001', NAME) + unPerson('XXi.002', NAME)));

    expect(entries.map(({ id }) => id)).toEqual(['XXi.001', 'XXi.002']);
    expect(entries[0]).toMatchObject({ list: 'UN_SC', births: [], documents: [] });
  });

  it('have the regime of their sanctions as the programme, if the list names it', () => {
    expect(read('<UN_LIST_TYPE>Al-Qaida</UN_LIST_TYPE>')?.programmes).toEqual(['Al-Qaida']);
    expect(read('')?.programmes).toEqual([]);
  });

  it('have a name of up to four parts, without "na"', () => {
    const person = read(
      '<SECOND_NAME> na </SECOND_NAME><THIRD_NAME/><FOURTH_NAME>O&apos;FICTA &amp; &#65;</FOURTH_NAME>',
    );

    expect(person?.names).toEqual([{ text: "KAREL O'FICTA & A", isWeak: false }]);
  });

  it('have one or several aliases in an element, weak if the quality is low', () => {
    const person = read(
      [
        alias('Good', 'Karl Um; Karol Dois ;'),
        alias('Low', 'Lobo'),
        alias('', ''),
        alias('Good', 'a) Carlo Três b) Carlos Quatro'),
        alias('Good', 'na'),
        '<INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>',
      ].join(''),
    );

    expect(person?.names.slice(1)).toEqual([
      { text: 'Karl Um', isWeak: false },
      { text: 'Karol Dois', isWeak: false },
      { text: 'Lobo', isWeak: true },
      { text: 'Carlo Três', isWeak: false },
      { text: 'Carlos Quatro', isWeak: false },
    ]);
  });

  it.each([
    ['EXACT', '<DATE>1966-02-11</DATE>', '1966-02-11', '1966-02-11'],
    ['EXACT', '<YEAR>1966</YEAR>', '1966-01-01', '1966-12-31'],
    ['APPROXIMATELY', '<YEAR>1966</YEAR>', '1964-01-01', '1968-12-31'],
    ['BETWEEN', '<FROM_YEAR>1966</FROM_YEAR><TO_YEAR>1969</TO_YEAR>', '1966-01-01', '1969-12-31'],
    ['', '<YEAR>1966</YEAR>', '1966-01-01', '1966-12-31'],
    ['EXACT', '<DATE>1966-02-11Z</DATE>', '1966-02-11', '1966-02-11'],
    ['EXACT', '<DATE>1966-02-11-04:00</DATE>', '1966-02-11', '1966-02-11'],
    ['EXACT', '<DATE>1966-02-11T00:00:00</DATE>', '1966-02-11', '1966-02-11'],
  ])('have a birth date of type %j: %s', (type, fields, from, to) => {
    expect(read(birth(type, fields))?.births).toEqual([{ from, to }]);
  });

  it.each([
    ['EXACT', '<NOTE>around the harvest</NOTE>'],
    ['EXACT', '<DATE>11/02/1966</DATE>'],
    ['EXACT', '<DATE>1966-13-11</DATE>'],
    ['BETWEEN', '<FROM_YEAR>1966</FROM_YEAR>'],
    ['BETWEEN', '<FROM_YEAR>1969</FROM_YEAR><TO_YEAR>1966</TO_YEAR>'],
    ['', ''],
  ])('have no birth date in type %j: %s', (type, fields) => {
    expect(read(birth(type, fields))?.births).toEqual([]);
  });

  it.each(['', 'a', 'aa'])('are read across the chunks of a large file, after %j', (shift) => {
    const long = '日'.repeat(60_000);
    const many = Array.from({ length: 1000 }, (_, i) => unPerson(`XXi.${i}`, NAME)).join('');

    const entries = unEntries(unXml(unPerson('XXi.9999', `<FIRST_NAME>${shift}${long}</FIRST_NAME>`) + many));

    expect(entries).toHaveLength(1001);
    expect(entries[0]?.names[0]?.text).toBe(`${shift}${long}`);
  });
});

describe('entities of the United Nations list', () => {
  const entityAlias = (quality: string, name: string) =>
    alias(quality, name).replaceAll('INDIVIDUAL_ALIAS', 'ENTITY_ALIAS');

  it('are read by their reference number, with their names as companies', () => {
    const body = [
      '<FIRST_NAME>CASA FICTA TRADING</FIRST_NAME>',
      entityAlias('a.k.a.', 'CASA F; FICTA HOUSE'),
      entityAlias('f.k.a.', 'CASA ANTIGA'),
      entityAlias('', ''),
    ].join('');

    const xml = unXml(unPerson('XXi.001', NAME), undefined, unEntity('XXe.001', body));

    expect(unEntries(xml)).toEqual([
      expect.objectContaining({ id: 'XXi.001' }),
      {
        list: 'UN_SC',
        id: 'XXe.001',
        names: [],
        births: [],
        documents: [],
        programmes: [],
        companyNames: ['CASA FICTA TRADING', 'CASA F', 'FICTA HOUSE', 'CASA ANTIGA'].map((text) => ({
          text,
          isWeak: false,
        })),
      },
    ]);
  });

  it('are counted with the persons if they are unreadable', () => {
    const xml = unXml(unPerson('XXi.001', NAME), undefined, unEntity('XXe.001', ''));

    expect(() => unEntries(xml)).toThrow('1 of 2 rows cannot be read');
  });
});

describe('a reference number that is used twice', () => {
  // docs/compliance.md, "The lists"
  it('is one entry with the names and birth dates of both', () => {
    const other = `<FIRST_NAME>KARL</FIRST_NAME>${birth('EXACT', '<YEAR>1966</YEAR>')}`;

    const entries = unEntries(unXml(unPerson('XXi.001', NAME) + unPerson('XXi.001', other)));

    expect(entries).toHaveLength(1);
    expect(entries[0]?.names.map(({ text }) => text)).toEqual(['KAREL', 'KARL']);
    expect(entries[0]?.births).toHaveLength(1);
  });
});

describe('individuals without the data of a search', () => {
  const many = Array.from({ length: 399 }, (_, i) => unPerson(`XXi.${i}`, NAME)).join('');

  it.each([
    ['a reference number', `<INDIVIDUAL>${NAME}</INDIVIDUAL>`],
    ['a name', unPerson('XXi.999', '')],
  ])('are left out and counted without %s', (_what, individual) => {
    const parsed = parseList('UN_SC', [fileOf('un.xml', unXml(many + individual))]);

    expect(parsed.entries).toHaveLength(399);
    expect(parsed.skipped).toBe(1);
  });

  it('are too many if they exceed one in two hundred', () => {
    const nameless = Array.from({ length: 3 }, (_, i) => unPerson(`XXi.9${i}9`, '')).join('');

    expect(() => unEntries(unXml(many + nameless))).toThrow('3 of 402 rows cannot be read');
  });
});

describe('a damaged or hostile document', () => {
  const whole = unXml(unPerson('XXi.001', NAME + alias('Good', 'Karl')));

  it('is refused if it is cut anywhere', () => {
    const end = whole.lastIndexOf('>');
    for (let cut = 0; cut <= end; cut++) expect(() => unEntries(whole.subarray(0, cut))).toThrow(ListDamaged);
  });

  const long = (begin: string, end: string) => `${begin}${'x'.repeat(10_000_000)}${end}`;
  const attributes = (count: number) => Array.from({ length: count }, (_, i) => `a${i}="1"`).join(' ');
  const laughs = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>';
  const file = '<!DOCTYPE l [<!ENTITY x SYSTEM "file:///etc/passwd">]>';
  it.each([
    ['a billion laughs', unXml(unPerson('&b;', NAME), laughs), 'DOCTYPE'],
    ['an external entity', unXml(unPerson('&x;', NAME), file), 'DOCTYPE'],
    ['a DTD of elsewhere', unXml('', '<!DOCTYPE l SYSTEM "http://127.0.0.1/l.dtd">'), 'DOCTYPE'],
    ['an entity of nobody', unXml(unPerson('&x;', NAME)), 'entity'],
    ['a hundred thousand levels', Buffer.from('<a>'.repeat(100_000)), 'too deep'],
    ['a closing tag too many', Buffer.from(`${whole}</a>`), 'unmatched'],
    ['a second root', Buffer.from(`${whole}<a/>`), 'document'],
    ['a NUL', unXml(unPerson('X\u0000', NAME)), 'disallowed character'],
    ['bytes that are not UTF-8', Buffer.from('<a>J\xc9R\xd4ME</a>', 'latin1'), 'utf-8'],
    ['a web page instead', Buffer.from('<html><br>Access denied</html>'), 'unexpected close tag'],
    ['a well-formed web page', Buffer.from('<html><body>Access denied</body></html>'), 'no entries'],
    ['an individual without reference', unXml('<INDIVIDUAL/>'), '1 of 1 rows cannot be read'],
    ['no individuals', unXml(''), 'no entries'],
    ['no bytes at all', new Uint8Array(), 'root'],
    ['a name of 10 MB', unXml(unPerson('XXi.001', long('<FIRST_NAME>', '</FIRST_NAME>'))), 'too long'],
    ['a name of 10 MB in CDATA', unXml(unPerson('XXi.001', long('<N><![CDATA[', ']]></N>'))), 'too long'],
    ['a name of 10 MB in parts', unXml(unPerson('XXi.001', `<N>${'<b/>x'.repeat(70_000)}</N>`)), 'too much'],
    ['a comment of 10 MB', unXml(long('<!--', '-->')), 'too long'],
    ['an instruction of 10 MB', unXml(long('<?a ', '?>')), 'too long'],
    ['an attribute of 10 MB', unXml(long('<a b="', '"/>')), 'too long'],
    ['an element whose name takes 10 MB', unXml(long('<a', '/>')), 'too long'],
    ['a hundred thousand attributes', unXml(`<a ${attributes(100_000)}/>`), 'too many attributes'],
    ['an individual of a hundred thousand elements', unXml(unPerson('X', '<a/>'.repeat(1e5))), 'too much'],
    ['individuals within an individual', unXml(unPerson('X', '<a/><INDIVIDUAL/>'.repeat(1e4))), 'too much'],
    ['UTF-16', Buffer.from(`\ufeff${unXml(unPerson('XXi.001', NAME))}`, 'utf16le'), 'utf-8'],
  ])('is refused: %s', (_what, bytes, message) => {
    expect(() => unEntries(bytes)).toThrow(ListDamaged);
    expect(() => unEntries(bytes)).toThrow(message);
  });

  it('is refused with the place of the damage and without any content', () => {
    expect(() => unEntries(unXml(unPerson('&x;', '<SECRET>Karel</SECRET>')))).toThrow(
      /^list: 3:\d+: undefined/,
    );
  });

  it('may begin with a byte order mark', () => {
    expect(unEntries(Buffer.concat([Buffer.from('\ufeff'), whole]))).toHaveLength(1);
  });

  it('gives the entry or a clean error after a change of any byte', () => {
    const change = fc.tuple(fc.nat(whole.length - 1), fc.nat(255));
    fc.assert(
      fc.property(change, ([at, byte]) => {
        const bytes = Buffer.from(whole);
        bytes[at] = byte;
        expect(countOf(bytes)).toBeLessThanOrEqual(1);
      }),
    );
  });

  function countOf(bytes: Uint8Array): number {
    try {
      return unEntries(bytes).length;
    } catch (error) {
      expect(error).toBeInstanceOf(ListDamaged);
      return 0;
    }
  }
});
