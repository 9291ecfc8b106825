import { wordsIn } from '../../domain/kyc/person-name.ts';
import { MAX_LETTERS, MAX_TEXT, MAX_WORDS } from './words.ts';

/**
 * Words that do not distinguish a company: the legal forms of Brazil and of the countries with listed
 * companies, and words such as "de".
 */
const FORMS = new Set(
  (
    'ltda limitada sa eireli eirl mei me epp ei cia companhia company co corp corporation ' +
    'incorporated inc llc ltd sociedade sociedad anonima responsabilidade capital variable variavel ' +
    'limited liability llp lp plc gmbh ag kg bv nv ab oy srl spa sarl sas sasu fze fzc fzco fzllc ' +
    'dmcc jsc pjsc ojsc cjsc ooo oao zao pao ao private public joint stock da das de do dos e del ' +
    'la las los y the of and for et du des al el'
  ).split(' '),
);

/** The words of a company's name in their order, without its legal form. */
export function companyWordsOf(text: string): string[] {
  const all = wordsIn(text.slice(0, MAX_TEXT)).map((word) => word.slice(0, MAX_LETTERS));
  return all.filter((word) => word.length > 1 && !FORMS.has(word)).slice(0, MAX_WORDS);
}

/**
 * The words that distinguish a company. Everyday words, such as a country or a trade, are left out, because
 * subsidiaries add them to the name. If all words are everyday words, none is left out.
 */
export function tellingWordsOf(words: readonly string[]): string[] {
  const telling = words.filter((word) => !EVERYDAY.has(word));
  return telling.length > 0 ? telling : [...words];
}

/**
 * How frequent words are in the names of Brazilian companies. In each tier, one company in `oneIn` has a given word.
 * The numbers are orders of magnitude.
 */
export const COMPANY_WORDS: readonly { oneIn: number; words: string }[] = [
  {
    oneIn: 12,
    words: `
      comercio servicos comercial servico representacoes industria transportes construtora
      construcoes`,
  },
  {
    oneIn: 60,
    words: `
      brasil administradora alimentos assessoria associacao auto beleza centro clinica condominio
      consultoria confeccoes corretora distribuidora empreendimentos engenharia equipamentos escola
      eventos farmacia gestao grafica grupo group holding imobiliaria imoveis importacao exportacao
      incorporadora incorporacoes informatica instituto investimentos lanchonete locacao locadora
      logistica loja lojas maquinas materiais medica medicos mercado moda modas moveis negocios
      odontologia oficina padaria participacoes pecas posto produtos promocoes publicidade
      restaurante salao saude seguros sistemas solucoes supermercado tecnologia textil
      transportadora turismo utilidades veiculos vendas viagens agropecuaria agricola fazenda
      cooperativa banco financeira factoring fomento santa santo sao nossa senhora`,
  },
  {
    oneIn: 300,
    words: `
      aguia alfa alpha apolo atlas aurora beta delta diamante eco estrela fenix forte gama horizonte
      ideal imperial leao line lider master max mega mix net omega orion ouro phoenix pioneira plus
      polo prata premium prisma rapido sigma sirius titan top ultra vega verde vertice zeus`,
  },
  {
    oneIn: 200,
    words: `
      bank bar bazar business center chemical commercial consulting design development digital
      energia energy engineering enterprise enterprises estetica express financial foundation
      fundacao general geral global gold golden holdings import export industrial industries
      industry international internacional investment investments latina logistics management marine
      maritime metal metais mineracao mining moderna mundial nacional national new nova novo oil
      oriental petroleo petroleum plasticos power prime quimica real resources royal security
      service services shipping sol solutions star steel sul norte leste oeste super supply systems
      technology tech trade trading transport travel union uniao united universal vida world`,
  },
];

const MOST_SHARED = 60;
const EVERYDAY = new Set(
  COMPANY_WORDS.filter(({ oneIn }) => oneIn <= MOST_SHARED).flatMap(({ words }) => words.trim().split(/\s+/)),
);
