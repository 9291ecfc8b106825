/**
 * Parsers for the answers of API Pix. They accept unknown fields and values. The amounts and dates of charges
 * and payments must have exactly the specified form.
 */
import { Unavailable } from '../../domain/errors.ts';
import { unitsOf } from '../../domain/money.ts';
import type { PixRefund, PixReturn, ReceivedPix } from '../../domain/purchase/pix.ts';

export const PROVIDER = 'the Pix provider';

export type PixFields = Record<string, unknown>;

/** A charge in the provider's form. `locations` are the values of all fields that may hold its location. */
export type WireCharge = {
  txid: string;
  status: string;
  key: string;
  amountCentavos: number;
  isAmountFixed: boolean;
  /** The CPF or CNPJ of the billed person. Absent at providers that leave it out. */
  debtor?: string;
  createdAt: number;
  expiresInSeconds: number;
  locations: string[];
  copyAndPaste?: string;
  payments: ReceivedPix[];
};

export type WirePage = { rows: unknown[]; page: number; pages: number; total?: number };

const DEFAULT_EXPIRATION_SECONDS = 86_400;
const RFC_3339 = /^\d{4}-\d{2}-\d{2}[Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2})$/;
const END_TO_END_ID = /^[a-zA-Z0-9]{1,40}$/;

/**
 * The error for an answer that does not have the expected form. Nothing is decided from this answer. `what`
 * names the field, never its value.
 */
export function malformedPix(what: string): Unavailable {
  return new Unavailable(PROVIDER, { cause: new Error(`malformed answer: ${what}`) });
}

export function parseCharge(body: unknown): WireCharge {
  const { txid, status, chave, calendario, valor, devedor, loc, location, pixCopiaECola, pix } =
    pixFields(body);
  const { criacao, expiracao = DEFAULT_EXPIRATION_SECONDS } = pixFields(calendario);
  const { original, modalidadeAlteracao = 0 } = pixFields(valor);
  return {
    txid: required(pixText(txid), 'txid'),
    status: required(pixText(status), 'status'),
    key: required(pixText(chave), 'chave'),
    amountCentavos: required(wireCentavosOf(original), 'valor.original'),
    isAmountFixed: modalidadeAlteracao === 0,
    debtor: pixText(pixFields(devedor).cpf) ?? pixText(pixFields(devedor).cnpj),
    createdAt: required(pixInstant(criacao), 'calendario.criacao'),
    expiresInSeconds: required(secondsOf(expiracao), 'calendario.expiracao'),
    locations: [pixFields(loc).location, location].map(pixText).filter((text) => text !== undefined),
    copyAndPaste: pixText(pixCopiaECola),
    payments: pixIn(pix).map((row) => required(parsePix(row), 'pix')),
  };
}

/** One received Pix. Undefined if its id, amount or instant is missing or unreadable. */
export function parsePix(value: unknown): ReceivedPix | undefined {
  const { endToEndId, txid, chave, valor, horario, devolucoes } = pixFields(value);
  const id = pixText(endToEndId);
  const amountCentavos = wireCentavosOf(valor);
  const paidAt = pixInstant(horario);
  if (!id || !END_TO_END_ID.test(id) || !amountCentavos || paidAt === undefined) return undefined;
  // API Pix also shows a single return without an array.
  const returns = [devolucoes ?? []].flat().map(parseReturn);
  const pix = { endToEndId: id, txid: pixText(txid), key: pixText(chave), amountCentavos, paidAt };
  return { ...pix, ...(returns.length > 0 && { returns }) };
}

/** Parses a return. An unreadable return is kept, because it still shows that money was returned. */
function parseReturn(value: unknown): PixReturn {
  const { id, valor, status, natureza, horario } = pixFields(value);
  const { solicitacao, liquidacao } = pixFields(horario);
  return {
    id: pixText(id) ?? 'UNREADABLE',
    amountCentavos: wireCentavosOf(valor),
    status: refundStatusOf(pixText(status)),
    nature: pixText(natureza) ?? 'ORIGINAL',
    at: pixInstant(liquidacao) ?? pixInstant(solicitacao),
  };
}

/** API Pix's default number of rows on a page. */
const FULL_PAGE = 100;

export function parsePage(body: unknown, asked: number): WirePage {
  const { pix, parametros } = pixFields(body);
  const paginacao = pixFields(pixFields(parametros).paginacao);
  const { paginaAtual, quantidadeDePaginas, quantidadeTotalDeItens } = paginacao;
  const rows = pixIn(pix);
  // Without counts, only a page that is not full is surely the last one. A full page may be the first of
  // many.
  const isUnpaged = quantidadeDePaginas === undefined && quantidadeTotalDeItens === undefined;
  if (isUnpaged && rows.length >= FULL_PAGE) throw malformedPix('parametros.paginacao');
  return {
    rows,
    page: Number(paginaAtual ?? asked),
    pages: Number(quantidadeDePaginas ?? 1),
    total: quantidadeTotalDeItens === undefined ? undefined : Number(quantidadeTotalDeItens),
  };
}

/**
 * The balance in centavos that refunds may use. The provider's document does not say whether `saldo` includes
 * the blocked amounts. The code assumes that it does, so that blocked money never pays a refund. A negative
 * `saldo` is malformed, and raises the same alarm as no answer.
 */
export function parseBalance({ saldo, bloqueios }: PixFields): number {
  const blocked = required(wireCentavosOf(pixFields(bloqueios).total), 'bloqueios.total');
  return required(wireCentavosOf(saldo), 'saldo') - blocked;
}

/** A return that was read by its id. `rtrId` is its id between the banks. */
export type WireRefund = { status: PixRefund['status']; amountCentavos: number; rtrId?: string };

/**
 * Parses the status, the amount and the `rtrId` of a return. A return with an unknown status is pending. An unreadable
 * `rtrId` counts as absent, because no decision needs it.
 */
export function parseRefund(body: unknown): WireRefund {
  const { status, valor, rtrId } = pixFields(body);
  const text = required(pixText(status), 'devolucao.status');
  const amountCentavos = required(wireCentavosOf(valor), 'devolucao.valor');
  const id = pixText(rtrId);
  return {
    status: refundStatusOf(text),
    amountCentavos,
    ...(id && END_TO_END_ID.test(id) && { rtrId: id }),
  };
}

function refundStatusOf(text: string | undefined): PixRefund['status'] {
  if (text === 'DEVOLVIDO') return 'REFUNDED';
  return text === 'NAO_REALIZADO' ? 'FAILED' : 'PENDING';
}

export function pixFields(value: unknown): PixFields {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as PixFields) : {};
}

export const pixText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/**
 * The rows of a page. API Pix defines an array, but some providers send a single Pix without an array. Any
 * other value is malformed. If it were read as no rows, a charge would look unpaid.
 */
function pixIn(value: unknown): unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  if (typeof value !== 'object') throw malformedPix('pix');
  return [value];
}

function wireCentavosOf(value: unknown): number | undefined {
  const units = unitsOf(pixText(value) ?? '', 2);
  return units !== undefined && units <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(units) : undefined;
}

/** Parses an instant. Refuses one without an offset, because it may be in Brasília's time or in UTC. */
function pixInstant(value: unknown): number | undefined {
  const text = pixText(value) ?? '';
  const at = RFC_3339.test(text) ? Date.parse(text.toUpperCase()) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

/** Parses a number of seconds. API Pix's examples show it as a number and as a string. */
function secondsOf(value: unknown): number | undefined {
  return /^\d{1,9}$/.test(String(value)) ? Number(value) : undefined;
}

function required<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw malformedPix(what);
  return value;
}
