import { isValidCnpj } from '@brazilian-utils/brazilian-utils/is-valid-cnpj';
import { isValidCpf } from '@brazilian-utils/brazilian-utils/is-valid-cpf';
import type { Violation } from './problem.ts';

// These patterns are written by hand. Those in the document of API Pix are wrong or not anchored: its pattern
// of a CPF refuses every CPF.
export const TXID = /^[a-zA-Z0-9]{26,35}$/;
export const VALOR = /^\d{1,10}\.\d{2}$/;
export const REFUND_ID = /^[a-zA-Z0-9]{1,35}$/;

export type Fields = Record<string, unknown>;
type Devedor = { cpf?: string; cnpj?: string; nome: string };
export type ChargeTerms = {
  calendario: { expiracao: number };
  devedor?: Devedor;
  valor: { original: string; modalidadeAlteracao?: number };
  chave: string;
  solicitacaoPagador?: string;
  infoAdicionais?: { nome: string; valor: string }[];
};

const DEFAULT_EXPIRACAO = 86_400;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const isCpf = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{11}$/.test(value) && isValidCpf(value);

export const isCnpj = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9A-Z]{14}$/.test(value) && isValidCnpj(value, { version: 2 });

const isText = (value: unknown, max: number): value is string =>
  typeof value === 'string' && value.length <= max;

export function notSchema(propriedade: string, value?: unknown, what = 'campo'): Violation {
  const razao = `O ${what} ${propriedade} não respeita o _schema_.`;
  return value === undefined ? { razao, propriedade } : { razao, propriedade, valor: String(value) };
}

/** The violations that API Pix lists for PUT /cob/{txid}. If there are none, `toTerms` may be called. */
export function chargeViolations(body: Fields, ownChave: string): Violation[] {
  return [
    ...calendarioViolations(body.calendario),
    ...valorViolations(body.valor),
    ...devedorViolations(body.devedor),
    ...chaveViolations(body.chave, ownChave),
    ...textViolations(body),
    ...locViolations(body.loc),
  ];
}

/**
 * Keeps only the fields of a charge that API Pix has, in their order. Call it only after `chargeViolations`
 * returned none.
 */
export function toTerms(body: Fields): ChargeTerms {
  const given = body as ChargeTerms & { calendario: { expiracao?: number } };
  const { original, modalidadeAlteracao } = given.valor;
  return {
    calendario: { expiracao: given.calendario.expiracao ?? DEFAULT_EXPIRACAO },
    ...(given.devedor && { devedor: toDevedor(given.devedor) }),
    valor: { original, ...(modalidadeAlteracao !== undefined && { modalidadeAlteracao }) },
    chave: given.chave,
    ...(given.solicitacaoPagador !== undefined && { solicitacaoPagador: given.solicitacaoPagador }),
    ...(given.infoAdicionais && {
      infoAdicionais: given.infoAdicionais.map(({ nome, valor }) => ({ nome, valor })),
    }),
  };
}

function toDevedor({ cpf, cnpj, nome }: Devedor): Devedor {
  return cpf === undefined ? { cnpj, nome } : { cpf, nome };
}

function calendarioViolations(calendario: unknown): Violation[] {
  if (!isFields(calendario)) return [notSchema('cob.calendario', undefined, 'objeto')];
  const { expiracao } = calendario;
  if (expiracao === undefined) return [];
  const propriedade = 'cob.calendario.expiracao';
  // API Pix defines an int32. A text is refused, although an example in its document has one.
  if (!Number.isInteger(expiracao) || Number(expiracao) > 2 ** 31 - 1) {
    return [notSchema(propriedade, expiracao)];
  }
  if (Number(expiracao) > 0) return [];
  return [{ razao: `O campo ${propriedade} é igual ou menor que zero.`, propriedade, valor: `${expiracao}` }];
}

function valorViolations(valor: unknown): Violation[] {
  if (!isFields(valor)) return [notSchema('cob.valor', undefined, 'objeto')];
  const found: Violation[] = [];
  const { original, modalidadeAlteracao, retirada } = valor;
  const propriedade = 'cob.valor.original';
  if (typeof original !== 'string' || !VALOR.test(original)) found.push(notSchema(propriedade, original));
  else if (Number(original) === 0 && modalidadeAlteracao !== 1) {
    found.push({ razao: `O campo ${propriedade} é zero.`, propriedade, valor: original });
  }
  if (modalidadeAlteracao !== undefined && modalidadeAlteracao !== 0 && modalidadeAlteracao !== 1) {
    found.push(notSchema('cob.valor.modalidadeAlteracao', modalidadeAlteracao));
  }
  if (retirada !== undefined) found.push(notSchema('cob.valor.retirada', undefined, 'objeto'));
  return found;
}

function devedorViolations(devedor: unknown): Violation[] {
  if (devedor === undefined) return [];
  const found = notSchema('cob.devedor', undefined, 'objeto');
  if (!isFields(devedor) || !isText(devedor.nome, 200) || devedor.nome === '') return [found];
  const hasCpf = devedor.cpf !== undefined;
  if (hasCpf === (devedor.cnpj !== undefined)) return [found];
  return (hasCpf ? isCpf(devedor.cpf) : isCnpj(devedor.cnpj)) ? [] : [found];
}

function chaveViolations(chave: unknown, ownChave: string): Violation[] {
  const propriedade = 'cob.chave';
  if (!isText(chave, 77) || chave === '') return [notSchema(propriedade, chave)];
  if (chave === ownChave) return [];
  const razao = `O campo ${propriedade} corresponde a uma conta que não pertence a este usuário recebedor.`;
  return [{ razao, propriedade, valor: chave }];
}

function textViolations({ solicitacaoPagador, infoAdicionais }: Fields): Violation[] {
  const found: Violation[] = [];
  if (solicitacaoPagador !== undefined && !isText(solicitacaoPagador, 140)) {
    found.push(notSchema('solicitacaoPagador'));
  }
  if (infoAdicionais !== undefined && !isInfoAdicionais(infoAdicionais)) {
    found.push(notSchema('infoAdicionais', undefined, 'objeto'));
  }
  return found;
}

function isInfoAdicionais(list: unknown): boolean {
  if (!Array.isArray(list) || list.length > 50) return false;
  return list.every((info) => isFields(info) && isText(info.nome, 50) && isText(info.valor, 200));
}

// Refuses every `loc`. This PSP has no POST /loc, so no location exists before its charge.
function locViolations(loc: unknown): Violation[] {
  if (loc === undefined) return [];
  return [{ razao: 'O location referenciado por loc.id inexiste.', propriedade: 'cob.loc.id' }];
}
