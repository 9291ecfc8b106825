import type { Context } from 'hono';
import { fail, notSchemaQuery, type ProblemType, type Violation } from './problem.ts';
import { isCnpj, isCpf } from './validate.ts';

export type Query = {
  inicio: Date;
  fim: Date;
  cpf?: string;
  cnpj?: string;
  page: number;
  perPage: number;
  /** The query's parameters that the answer repeats in `parametros`. */
  echo: Record<string, unknown>;
};

const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;

/** Reads the parameters that GET /cob and GET /pix share. Throws the error `type` if a parameter is wrong. */
export function readQuery(c: Context, type: ProblemType): Query {
  const found: Violation[] = [];
  const inicio = instant(c, 'inicio', found);
  const fim = instant(c, 'fim', found);
  if (inicio && fim && fim < inicio) {
    found.push({ razao: 'O parâmetro fim é anterior ao parâmetro inicio.', propriedade: 'fim' });
  }
  const { cpf, cnpj } = people(c, found);
  const page = integer(c, 'paginacao.paginaAtual', { fallback: 0, min: 0, max: 2 ** 31 - 1 }, found);
  const perPage = integer(c, 'paginacao.itensPorPagina', { fallback: 100, min: 1, max: 1000 }, found);
  if (found.length > 0 || !inicio || !fim) fail(type, found);

  const echo = { inicio: c.req.query('inicio'), fim: c.req.query('fim'), cpf, cnpj };
  return { inicio, fim, cpf, cnpj, page, perPage, echo };
}

export function readBoolean(c: Context, name: string, type: ProblemType): boolean | undefined {
  const text = c.req.query(name);
  if (text === undefined) return undefined;
  if (text !== 'true' && text !== 'false') fail(type, [notSchemaQuery(name, text)]);
  return text === 'true';
}

/**
 * True if the time is in the query's range. Both ends belong to it. Source: API Pix, `inicio` and `fim`:
 * "maior ou igual", "menor ou igual".
 */
export const isWithin = (query: Query, instantText: string): boolean => {
  const at = Date.parse(instantText);
  return at >= query.inicio.getTime() && at <= query.fim.getTime();
};

export function paginate<T>(query: Query, all: T[]) {
  const { page, perPage } = query;
  const paginacao = {
    paginaAtual: page,
    itensPorPagina: perPage,
    quantidadeDePaginas: Math.max(1, Math.ceil(all.length / perPage)),
    quantidadeTotalDeItens: all.length,
  };
  return { items: all.slice(page * perPage, (page + 1) * perPage), paginacao };
}

function instant(c: Context, name: string, found: Violation[]): Date | undefined {
  const text = c.req.query(name);
  const date = new Date(text ?? '');
  if (text !== undefined && RFC_3339.test(text) && !Number.isNaN(date.getTime())) return date;
  found.push(notSchemaQuery(name, text));
  return undefined;
}

function people(c: Context, found: Violation[]): { cpf?: string; cnpj?: string } {
  const [cpf, cnpj] = [c.req.query('cpf'), c.req.query('cnpj')];
  if (cpf !== undefined && cnpj !== undefined) {
    found.push({ razao: 'Ambos os parâmetros cpf e cnpj estão preenchidos.', propriedade: 'cpf' });
  }
  if (cpf !== undefined && !isCpf(cpf)) found.push(notSchemaQuery('cpf', cpf));
  if (cnpj !== undefined && !isCnpj(cnpj)) found.push(notSchemaQuery('cnpj', cnpj));
  return { cpf, cnpj };
}

type Range = { fallback: number; min: number; max: number };

function integer(c: Context, name: string, range: Range, found: Violation[]): number {
  const text = c.req.query(name);
  if (text === undefined) return range.fallback;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= range.min && value <= range.max) return value;
  found.push(notSchemaQuery(name, text));
  return range.fallback;
}
