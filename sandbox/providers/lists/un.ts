// The UN Security Council's consolidated.xml, with the irregularities of the real file: some alias elements
// are empty, and some hold several aliases. A part of a name may be the text "na". Dates have three forms.
// All parties are invented.
import { getAt } from '../../../functions/domain/get.ts';
import { type ListEdits, type Person, partOf } from './edits.ts';

type Individual = {
  id: number;
  reference: string;
  names: string[];
  birth: string;
  aliases: [quality: 'Good' | 'Low' | '', name: string][];
  document?: string;
  nationality: string;
};

const exact = (date: string) => `<TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>${date}</DATE>`;
const year = (y: number) => `<TYPE_OF_DATE>EXACT</TYPE_OF_DATE><YEAR>${y}</YEAR>`;
const about = (y: number) => `<TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>${y}</YEAR>`;
const between = (from: number, to: number) =>
  `<TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>${from}</FROM_YEAR><TO_YEAR>${to}</TO_YEAR>`;

const individuals: Individual[] = [
  {
    id: 9900001,
    reference: 'SXi.001',
    names: ['ABDELKARIM', 'FOUZARI', 'na'],
    birth: exact('1966-02-11'),
    aliases: [['Good', 'ABDEL KARIM FUZARI; A. FOUZARY']],
    document: 'SX100200',
    nationality: 'Sandboxia',
  },
  {
    id: 9900002,
    reference: 'SXi.002',
    names: ['JEAN-BAPTISTE', 'MWAKASONGU'],
    birth: year(1971),
    aliases: [['', '']],
    nationality: 'Sandboxia',
  },
  {
    id: 9900003,
    reference: 'SXi.003',
    names: ['LUDMILA', 'STARAVOITENKA', 'PAVLOVNA'],
    birth: about(1979),
    aliases: [['Low', 'MILA']],
    nationality: 'Sandboxia',
  },
  {
    id: 9900004,
    reference: 'SXi.004',
    names: ['YUSUF', 'HASSAN', 'DIRIYEGAD'],
    birth: between(1972, 1975),
    aliases: [
      ['Good', 'YUSSUF DIRIYEGAD'],
      ['Low', 'THE TALL ONE'],
    ],
    nationality: 'Sandboxia',
  },
  {
    id: 9900005,
    reference: 'SXi.005',
    names: ['PAK', 'CHOL-MINWON'],
    birth: exact('1958-07-27'),
    aliases: [['Good', 'PAKH CHOLMINWON']],
    document: 'SX563410',
    nationality: 'Sandboxia',
  },
  {
    id: 9900006,
    reference: 'SXi.006',
    names: ['RODOLPHE', 'TCHAMBARIK'],
    birth: '<TYPE_OF_DATE/><NOTE>unknown</NOTE>',
    aliases: [['', '']],
    nationality: 'Sandboxia',
  },
  {
    id: 9900007,
    reference: 'SXi.007',
    names: ['SERAFIM', 'ARRUELVA', 'PONTAVERDE'],
    birth: exact('1983-10-01'),
    aliases: [['Good', 'SERAFIN PONTA VERDE']],
    nationality: 'Sandboxia',
  },
];

const entities: [id: number, reference: string, name: string, alias: string][] = [
  [9900101, 'SXe.001', 'FRENTE ARMADA DE SANDBOXIA', 'FAS'],
  [9900102, 'SXe.002', 'GOLDEN ISTHMUS TRADING', 'GOLDEN ISTHMUS'],
  [9900103, 'SXe.003', 'KORIVANG SHIPPING COMPANY', 'KORI-VANG'],
  [9900104, 'SXe.004', 'AL-MUSTAQIRA CHARITY', ''],
  [9900105, 'SXe.005', 'BLUE CARAVAN EXCHANGE', 'BCX'],
];

const element = (name: string, text: string) => (text === '' ? `<${name}/>` : `<${name}>${text}</${name}>`);
const value = (name: string, text: string) => element(name, element('VALUE', text));
const PARTS = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'];

/** A person as the UN's list shows one. The words of the name are split over its four name elements. */
function individualOf({ id, name, birthDate }: Person, at: number): Individual {
  const words = name.toUpperCase().split(' ');
  const names = [...words.slice(0, 3), ...(words.length > 3 ? [words.slice(3).join(' ')] : [])];
  const added = { id: 9_950_001 + at, reference: id, names, birth: exact(birthDate) };
  return { ...added, aliases: [['', '']], nationality: 'Sandboxia' };
}

export function unConsolidatedXml(edits: ListEdits): Buffer {
  const all = [...individuals, ...edits.added('UN_SC').map(individualOf)];
  const listed = partOf(
    'UN_SC',
    all.map((one) => ({ id: one.reference, one })),
    edits,
  ).map(({ one }) => one);
  const lines = [
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>',
    '<CONSOLIDATED_LIST dateGenerated="2026-11-01T00:00:09.554Z">',
    element('INDIVIDUALS', `\n${listed.map(individualXml).join('\n')}\n`),
    element('ENTITIES', `\n${entities.map(entityXml).join('\n')}\n`),
    '</CONSOLIDATED_LIST>',
  ];
  return Buffer.from(`${lines.join('\n')}\n`, 'utf8');
}

function individualXml(one: Individual): string {
  const alias = ([quality, name]: [string, string]) =>
    element('INDIVIDUAL_ALIAS', element('QUALITY', quality) + element('ALIAS_NAME', name));
  const paper = one.document
    ? `<TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>${one.document}</NUMBER>`
    : '';
  return element(
    'INDIVIDUAL',
    [
      ...head(one.id, one.names, one.reference),
      '<GENDER>Male</GENDER>',
      value('NATIONALITY', one.nationality),
      value('LIST_TYPE', 'UN List'),
      ...one.aliases.map(alias),
      element('INDIVIDUAL_DATE_OF_BIRTH', one.birth),
      element('INDIVIDUAL_DOCUMENT', paper),
      '<SORT_KEY/><SORT_KEY_LAST_MOD/>',
    ].join('\n'),
  );
}

function entityXml([id, reference, name, alias]: (typeof entities)[number]): string {
  const aka = element('QUALITY', alias ? 'a.k.a.' : '') + element('ALIAS_NAME', alias);
  const fields = [
    ...head(id, [name], reference),
    value('LIST_TYPE', 'UN List'),
    element('ENTITY_ALIAS', aka),
  ];
  return element('ENTITY', [...fields, '<SORT_KEY/><SORT_KEY_LAST_MOD/>'].join('\n'));
}

const head = (id: number, names: string[], reference: string): string[] => [
  element('DATAID', String(id)),
  '<VERSIONNUM>1</VERSIONNUM>',
  ...names.map((name, i) => element(getAt(PARTS, i), name)),
  '<UN_LIST_TYPE>Sandboxia</UN_LIST_TYPE>',
  element('REFERENCE_NUMBER', reference),
  '<LISTED_ON>2026-01-15</LISTED_ON>',
];
