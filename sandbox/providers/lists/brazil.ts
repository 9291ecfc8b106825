import { registerSpelling } from '../cpf-registry.ts';
import { getScenario } from '../scenarios.ts';
import { type ListEdits, partOf } from './edits.ts';

// The registers CEIS, CNEP and PEP of CGU (Portal da Transparência). The files have `;` and double quotes,
// Windows-1252, a header, dates as dd/mm/aaaa, and decimal commas. CEIS and CNEP show a person's whole CPF,
// and PEP only its middle six digits. All parties are invented. Two are clients of scenarios: 111.444.777-35
// in CEIS (riskTier HIGH) and 900.000.001-75 in PEP.
type Debarred = { kind: 'F' | 'J'; number: string; name: string; category: string; fine?: string };

const CEIS_COLUMNS =
  'CADASTRO;CÓDIGO DA SANÇÃO;TIPO DE PESSOA;CPF OU CNPJ DO SANCIONADO;NOME DO SANCIONADO;' +
  'NOME INFORMADO PELO ÓRGÃO SANCIONADOR;RAZÃO SOCIAL - CADASTRO RECEITA;NOME FANTASIA - CADASTRO RECEITA;' +
  'NÚMERO DO PROCESSO;CATEGORIA DA SANÇÃO;DATA INÍCIO SANÇÃO;DATA FINAL SANÇÃO;DATA PUBLICAÇÃO;PUBLICAÇÃO;' +
  'DETALHAMENTO DO MEIO DE PUBLICAÇÃO;DATA DO TRÂNSITO EM JULGADO;ABRAGÊNCIA DA SANÇÃO;ÓRGÃO SANCIONADOR;' +
  'UF ÓRGÃO SANCIONADOR;ESFERA ÓRGÃO SANCIONADOR;FUNDAMENTAÇÃO LEGAL;DATA ORIGEM INFORMAÇÃO;' +
  'ORIGEM INFORMAÇÕES;OBSERVAÇÕES';

const high = getScenario('11144477735');
const pep = getScenario('90000000175');

const BAN = 'Impedimento/proibição de contratar com prazo determinado';
const IMPROBITY = 'Proibição de contratar - Lei de Improbidade';

const ceis: Debarred[] = [
  { kind: 'F', number: high.cpf, name: high.persona.name, category: IMPROBITY },
  { kind: 'F', number: '81234567008', name: 'Aparício Mondéguas Trovisco', category: IMPROBITY },
  { kind: 'F', number: '73456128053', name: 'Célia Rombaldi Açucena', category: BAN },
  { kind: 'F', number: '65091283498', name: 'Domício Patativa Urbanel', category: IMPROBITY },
  { kind: 'F', number: '59873412050', name: 'Eulália Caspariano', category: BAN },
  { kind: 'F', number: '77120394533', name: 'Firmino Juquitá Solandres', category: IMPROBITY },
  { kind: 'J', number: '12345678000195', name: 'MIRADOR SEGURO COMÉRCIO LTDA', category: BAN },
  { kind: 'J', number: '11222333000181', name: 'CONSTRUTORA VALE FICTÍCIO S.A.', category: BAN },
  { kind: 'J', number: '45723174000110', name: 'PADARIA EXEMPLO DO SUL ME', category: BAN },
  { kind: 'J', number: '12ABC34501DE35', name: 'ALFANUMÉRICA SERVIÇOS LTDA', category: BAN },
  { kind: 'F', number: '60491827369', name: 'Godofredo Tramandaré', category: IMPROBITY },
  { kind: 'F', number: '70293847509', name: 'Hildegarda Pirajuçara Nóbrel', category: BAN },
];

const cnep: Debarred[] = [
  {
    kind: 'J',
    number: '11222333000181',
    name: 'CONSTRUTORA VALE FICTÍCIO S.A.',
    category: 'Multa - Lei da Empresa Limpa',
    fine: '1250000,50',
  },
  {
    kind: 'J',
    number: '45723174000110',
    name: 'PADARIA EXEMPLO DO SUL ME',
    category: 'Publicação extraordinária',
    fine: '',
  },
  {
    kind: 'J',
    number: '12ABC34501DE35',
    name: 'ALFANUMÉRICA SERVIÇOS LTDA',
    category: 'Multa - Lei da Empresa Limpa',
    fine: '8400,00',
  },
  {
    kind: 'F',
    number: '81526374919',
    name: 'Isidoro Cambuquiral',
    category: 'Multa - Lei da Empresa Limpa',
    fine: '31000,00',
  },
];

const peps: [cpf: string, name: string, role: string, body: string, until: string][] = [
  [pep.cpf, pep.persona.name, 'SECRETÁRIO-EXECUTIVO', 'MINISTÉRIO FICTÍCIO DA FAZENDA', 'Não informada'],
  [pep.cpf, pep.persona.name, 'DIRETOR', 'AUTARQUIA FICTÍCIA', '31/12/2031'],
  ['69384756105', 'Jurandir Bacuripe Lavanda', 'VEREADOR', 'CÂMARA MUNICIPAL DE EXEMPLO', '31/12/2033'],
  ['74839201579', 'Lucíola Aramanaí', 'PREFEITA', 'PREFEITURA DE EXEMPLO', 'Não informada'],
  ['62738495010', 'Manassés Quirimbau', 'DEPUTADO ESTADUAL', 'ASSEMBLEIA FICTÍCIA', '01/02/2030'],
  ['75849302123', 'Nivalda Sertanópolis', 'MINISTRO DO STF', 'TRIBUNAL FICTÍCIO', 'Não informada'],
  ['68950413205', 'Olegário Pindobaçu', 'GENERAL', 'COMANDO FICTÍCIO', '15/06/2029'],
  ['61234509806', 'Percília Itaúnas Dorvalense', 'SENADORA', 'SENADO FICTÍCIO', 'Não informada'],
  ['81234567008', 'Quintino Jaguaribara', 'VEREADOR', 'CÂMARA MUNICIPAL DE AMOSTRA', '31/12/2019'],
  ['73456128053', 'Rosalva Tucumanduba', 'DIRETORA', 'EMPRESA PÚBLICA FICTÍCIA', '31/12/2030'],
  [
    '65091283498',
    'Salustiano Capivari Menor',
    'PROCURADOR-GERAL',
    'MINISTÉRIO PÚBLICO FICTÍCIO',
    'Não informada',
  ],
  ['59873412050', 'Teodolina Graúna', 'CONSELHEIRA', 'TRIBUNAL DE CONTAS FICTÍCIO', '31/12/2032'],
];

const HIGH_BYTES = '€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ';

/**
 * Encodes a text in Windows-1252, which equals Latin-1 except for the bytes 0x80–0x9F. Throws for a character
 * that Latin-1 lacks, because no list here needs one.
 */
function windows1252(text: string): Buffer {
  if ([...text].some((letter) => HIGH_BYTES.includes(letter) || letter > '\u00ff')) {
    throw new Error('this list has a letter that Latin-1 lacks');
  }
  return Buffer.from(text, 'latin1');
}

const line = (fields: string[]) => fields.map((field) => `"${field}"`).join(';');
const csv = (rows: string[][]) => windows1252(rows.map((row) => `${line(row)}\r\n`).join(''));

/** Gives each debarred party a number, because the register has a code for each sanction. */
const sanctionsOf = (debarred: Debarred[]) => debarred.map((one, i) => ({ id: 300_001 + i, one }));

type Sanction = ReturnType<typeof sanctionsOf>[number];

function debarment(register: 'CEIS' | 'CNEP', { id, one }: Sanction): string[] {
  const i = id - 300_001;
  const company = one.kind === 'J' ? one.name : '';
  const name = registerSpelling(one.name);
  return [
    ...[register, String(id), one.kind, one.number, name, name, company, ''],
    ...[`00190.1000${10 + i}/2024-11`, one.category],
    ...(one.fine === undefined ? [] : [one.fine]),
    ...['02/05/2024', '02/05/2034', '03/05/2024', 'Diário Oficial da União', 'Seção 3, página 1', ''],
    ...['Todas as Esferas em todos os Poderes', 'Órgão Fictício de Controle', 'DF', 'FEDERAL'],
    ...['Lei 8.429/1992, art. 12', '01/10/2026', 'Órgão Fictício de Controle', ''],
  ];
}

export const ceisCsv = (edits: ListEdits) => {
  const listed = partOf('BR_CEIS', sanctionsOf(ceis), edits);
  return csv([CEIS_COLUMNS.split(';'), ...listed.map((one) => debarment('CEIS', one))]);
};

export const cnepCsv = (edits: ListEdits) => {
  const listed = partOf('BR_CNEP', sanctionsOf(cnep), edits);
  const columns = CEIS_COLUMNS.replace('CATEGORIA DA SANÇÃO;', 'CATEGORIA DA SANÇÃO;VALOR DA MULTA;');
  return csv([columns.split(';'), ...listed.map((one) => debarment('CNEP', one))]);
};

const PEP_COLUMNS =
  'CPF;Nome_PEP;Sigla_Função;Descrição_Função;Nível_Função;Nome_Órgão;Data_Início_Exercício;' +
  'Data_Fim_Exercício;Data_Fim_Carência';

export const mask = (cpf: string) => `***.${cpf.slice(3, 6)}.${cpf.slice(6, 9)}-**`;

export const pepCsv = (edits: ListEdits) => {
  const offices = peps.map((office, id) => ({ id, office }));
  const rows = partOf('BR_PEP', offices, edits).map(({ office: [cpf, name, role, body, until] }) => {
    const ended = until === 'Não informada' ? until : '01/01/2019';
    return [mask(cpf), registerSpelling(name), 'SBX', role, '', body, '01/01/2015', ended, until];
  });
  return csv([PEP_COLUMNS.split(';'), ...rows]);
};
