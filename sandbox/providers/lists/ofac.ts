// OFAC's SDN.CSV, ALT.CSV and SDN_COMMENTS.CSV, and the files of the same form for its other lists, such as
// CONS_PRIM.CSV. They have no header, CRLF line ends, `-0- ` for null, and 0x1A at the end. All parties are
// invented. Party 9001 has the name and the birth date of the client of the scenario SANCTIONS_HIT.
import { type ListEdits, type Person, partOf } from './edits.ts';

type Party = { id: number; name: string; type: 'individual' | '-0- '; program: string; remarks: string };

const REMARKS_MAX = 1000;

/**
 * A wallet of a scenario. OFAC's list contains it in the remarks, but the sanctions oracle of no chain does.
 */
export const LISTED_WALLET = '0x7E603750Cf36EeCdE16390DBa371477945b65311';
/**
 * Another wallet of a scenario. OFAC's list contains it only in SDN_COMMENTS.CSV, which continues remarks
 * that are too long for SDN.CSV.
 */
export const SPILLED_WALLET = '0xdE52496aF9cc2779e826d702948D83ed44Feffd1';

const person = (id: number, name: string, program: string, remarks: string): Party => ({
  id,
  name,
  type: 'individual',
  program,
  remarks,
});
const entity = (id: number, name: string, program: string, remarks: string): Party => ({
  id,
  name,
  type: '-0- ',
  program,
  remarks,
});

const invoices = Array.from({ length: 32 }, (_, i) => `Registration Number SBX-${1000 + i} (Sandboxia)`).join(
  '; ',
);

const sdn: Party[] = [
  person(
    9001,
    'VELTRANOV QUESSANDI, Radomir',
    'SDGT',
    "DOB 03 Sep 1971; POB Portovelho, Sandboxia; nationality Sandboxia; Gender Male; a.k.a. 'O RELOJOEIRO'.",
  ),
  person(
    9002,
    'ZARKHAVI, Omid Ferzan',
    'SDGT] [IFSR',
    'DOB 1969; Gender Male; Passport SBX0001 (Sandboxia).',
  ),
  person(9003, 'OKONTARE, Blessing Ifezu', 'CYBER2', 'DOB 12 Mar 1987; alt. DOB 12 Mar 1986; Gender Female.'),
  person(
    9004,
    'PETROZHELSKI, Arkadi Lvovich',
    'RUSSIA-EO14024',
    'DOB circa 1958; Tax ID No. 770000000001 (Russia).',
  ),
  person(9005, 'QUIRALTE MONDRAGUEZ, Heriberto', 'SDNTK', 'DOB 25 Dec 1963; POB Villa Arenal, Sandboxia.'),
  person(
    9006,
    'TAVORANI, Gildasio Mourinhas',
    'SDNTK',
    'DOB 30 Oct 1976; nationality Brazil; Gender Male; Tax ID No. 700.000.002-30 (Brazil).',
  ),
  person(9007, 'NGUEMBALI, Sylvestre', 'DRCONGO', 'DOB 1970 to 1974; Gender Male.'),
  person(
    9008,
    'HALVERSUND, Ingrid Marit',
    'CYBER2',
    `DOB Apr 1991; Digital Currency Address - ETH ${LISTED_WALLET}.`,
  ),
  entity(
    9009,
    'CRIMSON TIDEWATER GROUP',
    'DPRK3',
    `${invoices}; Digital Currency Address - ETH ${SPILLED_WALLET}.`,
  ),
  entity(9010, 'BANCO ULTRAMARINO DE SANDBOXIA', 'SDNTK', 'Organization Established Date 01 Jan 1999.'),
  entity(
    9011,
    'NORTHLIGHT FREIGHT FZE',
    'IRAN',
    'Additional Sanctions Information - Subject to Secondary Sanctions.',
  ),
  entity(9012, 'MIRADOR SEGURO COMERCIO LTDA', 'SDGT', 'Tax ID No. 12.345.678/0001-95 (Brazil).'),
];

const nonSdn: Party[] = [
  person(9501, 'MBOKANTIRA, Celestin Obaye', 'NS-PLC', 'DOB 17 Mar 1968; POB Portovelho, Sandboxia.'),
  person(9502, 'ZHELIVANOVA, Marfa Igorevna', 'RUSSIA-EO14024', 'DOB 1972; Gender Female.'),
  person(9503, 'QARSHIBEK, Timur', 'NS-PLC', 'DOB circa 1960; nationality Sandboxia.'),
  entity(9504, 'AURORA LITORAL HOLDINGS', 'CAPTA', `${invoices}; Organization Established Date 2003.`),
];

type Alias = [party: number, type: 'aka' | 'fka', name: string];

const nonSdnAliases: Alias[] = [
  [9501, 'aka', 'MBOKANTIRA, Celestino'],
  [9504, 'aka', 'ALH'],
];

const sdnAliases: Alias[] = [
  [9001, 'aka', 'VELTRANOFF, Radomir'],
  [9001, 'aka', 'QUESSANDI, Radomiro Veltrano'],
  [9002, 'aka', 'ZARKAVI, Umid'],
  [9003, 'aka', 'OKONTAREH, Blessed'],
  [9004, 'aka', 'PETROJELSKY, Arkady'],
  [9005, 'aka', 'MONDRAGUEZ, Beto'],
  [9006, 'aka', 'MOURINHAS, Gildo'],
  [9009, 'aka', 'CTG COLLECTIVE'],
  [9010, 'fka', 'CASA BANCARIA ULTRAMARINA'],
  [9011, 'aka', 'NORTH LIGHT SHIPPING'],
];

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/**
 * The person as OFAC's list shows one: the name as `LAST, First Middle`, and the birth date as `DOB 03 Sep
 * 1971`.
 */
function partyOf({ id, name, birthDate }: Person): Party {
  const words = name.split(' ');
  const [year, month, day] = birthDate.split('-');
  const last = words.pop() ?? '';
  const birth = `DOB ${day} ${MONTHS[Number(month) - 1]} ${year}`;
  return person(Number(id), `${last.toUpperCase()}, ${words.join(' ')}`, 'SDGT', `${birth}.`);
}

const quoted = (text: string) => `"${text}"`;
const file = (rows: string[]) => Buffer.from(`${rows.map((row) => `${row}\r\n`).join('')}\x1A`, 'latin1');
const NULLS = Array.from({ length: 7 }, () => '-0- ').join(',');

const mainCsv = (parties: Party[]) =>
  file(
    parties.map(({ id, name, type, program, remarks }) => {
      const kind = type === 'individual' ? quoted(type) : type;
      const fields = [id, quoted(name), kind, quoted(program), NULLS, quoted(remarks.slice(0, REMARKS_MAX))];
      return fields.join(',');
    }),
  );

const aliasCsv = (aliases: Alias[]) =>
  file(
    aliases.map(([party, type, name], i) => `${party},${70_001 + i},${quoted(type)},${quoted(name)},-0- `),
  );

const commentsCsv = (parties: Party[]) =>
  file(
    parties
      .filter(({ remarks }) => remarks.length > REMARKS_MAX)
      .map(({ id, remarks }) => `${id},${quoted(remarks.slice(REMARKS_MAX))}`),
  );

type Listed = { parties: Party[]; aliases: Alias[] };

const listedIn = (list: 'OFAC_SDN' | 'OFAC_CONS', { parties, aliases }: Listed, edits: ListEdits) => {
  const left = partOf(list, parties, edits);
  const ids = new Set(left.map(({ id }) => id));
  return { parties: left, aliases: aliases.filter(([party]) => ids.has(party)) };
};

const listedSdn = (edits: ListEdits) => {
  const parties = [...sdn, ...edits.added('OFAC_SDN').map(partyOf)];
  return listedIn('OFAC_SDN', { parties, aliases: sdnAliases }, edits);
};

const listedNonSdn = (edits: ListEdits) =>
  listedIn('OFAC_CONS', { parties: nonSdn, aliases: nonSdnAliases }, edits);

export const sdnFiles = {
  'sdn.csv': (edits: ListEdits) => mainCsv(listedSdn(edits).parties),
  'alt.csv': (edits: ListEdits) => aliasCsv(listedSdn(edits).aliases),
  'sdn_comments.csv': (edits: ListEdits) => commentsCsv(listedSdn(edits).parties),
};

export const nonSdnFiles = {
  'cons_prim.csv': (edits: ListEdits) => mainCsv(listedNonSdn(edits).parties),
  'cons_alt.csv': (edits: ListEdits) => aliasCsv(listedNonSdn(edits).aliases),
  'cons_comments.csv': (edits: ListEdits) => commentsCsv(listedNonSdn(edits).parties),
};
