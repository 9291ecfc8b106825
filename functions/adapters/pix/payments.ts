import type { PayerMatch, ReceivedPix } from '../../domain/pix.ts';
import { foundIn, isDone, type PixSession, segment, unexpected } from './session.ts';
import { malformed, parsePage, parsePix } from './wire.ts';

const MAX_PAGES = 500;
const WINDOW_MS = 10 * 60_000;
/** Valid, and nobody's who buys here. Two, because the question needs one that is not the client's. */
const CONTROL_CPFS = ['00000000191', '00000000272'] as const;

type Query = { from: number; to: number; txid?: string; cpf?: string; isReturned?: boolean };

/**
 * Every Pix received between two instants, but for those to another key of the account: they are another business's. A
 * page that is missing makes the whole answer `Unavailable`.
 */
export async function listReceived(
  session: PixSession,
  from: number,
  to: number,
  filter: { isReturned?: boolean } = {},
): Promise<ReceivedPix[]> {
  const all = [...(await readAll(session, { from, to, ...filter })).values()];
  return all.filter(({ key }) => key === undefined || key === session.settings.key);
}

/** One Pix by its id (`GET /pix/{e2eid}`), whatever its key; undefined where the provider does not have it. */
export async function findReceived(
  session: PixSession,
  endToEndId: string,
): Promise<ReceivedPix | undefined> {
  const answer = await session.call({ method: 'GET', path: `/pix/${segment(endToEndId)}` });
  const body = foundIn(answer, session, 'to read a payment');
  if (body === undefined) return undefined;
  const pix = parsePix(body);
  if (pix?.endToEndId !== endToEndId) throw malformed('pix');
  return pix;
}

/**
 * API Pix never names the payer; it only filters by payer. So we ask for the client's CPF and for one that cannot
 * have paid: a provider that ignores the filter shows the Pix both times and proves nothing. A Pix may be listed
 * before its payer is, so a mismatch needs it to be there without the filter first, and to be a minute old.
 */
export async function findPayer(session: PixSession, payment: ReceivedPix, cpf: string): Promise<PayerMatch> {
  const query = { from: payment.paidAt - WINDOW_MS, to: payment.paidAt + WINDOW_MS, txid: payment.txid };
  const isListed = async (filter: { cpf?: string }) =>
    (await readAll(session, { ...query, ...filter })).has(payment.endToEndId);
  const control = CONTROL_CPFS.find((each) => each !== cpf);

  try {
    if (!(await isListed({}))) return 'UNKNOWN';
    const isClients = await isListed({ cpf });
    if (await isListed({ cpf: control })) return 'UNKNOWN';
    if (isClients) return 'MATCH';
    return isSettledIn(session, payment) ? 'MISMATCH' : 'UNKNOWN';
  } catch (error) {
    if (isQueryRefused(error)) return 'UNKNOWN';
    throw error;
  }
}

/** Old enough for the provider's filters to know it too. */
const isSettledIn = ({ clock }: PixSession, { paidAt }: ReceivedPix) =>
  clock.now() - paidAt >= clock.minuteMs;

/** All pages, by `endToEndId`: rows move between pages while we read, so one may come twice. */
async function readAll(session: PixSession, query: Query): Promise<Map<string, ReceivedPix>> {
  const found = new Map<string, ReceivedPix>();
  let unreadable = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const { rows, pages, total } = await readPage(session, query, page);
    for (const row of rows) {
      const pix = parsePix(row);
      if (pix) found.set(pix.endToEndId, pix);
      else unreadable += 1;
    }
    if (page + 1 < pages) continue;
    if (total !== undefined && found.size + unreadable < total) throw malformed('too few rows');
    // One row that we cannot read must not hide the others, but somebody has to look at it.
    if (unreadable > 0) session.log.error('payments that cannot be read', undefined, { unreadable });
    return found;
  }
  throw malformed('too many pages');
}

async function readPage(session: PixSession, { from, to, txid, cpf, isReturned }: Query, page: number) {
  const query = {
    inicio: new Date(from).toISOString(),
    fim: new Date(to).toISOString(),
    ...(txid !== undefined && { txid }),
    ...(cpf !== undefined && { cpf }),
    ...(isReturned !== undefined && { devolucaoPresente: String(isReturned) }),
    'paginacao.paginaAtual': String(page),
  };
  const answer = await session.call({ method: 'GET', path: '/pix', query });
  if (!isDone(answer)) throw unexpected(answer, session, 'to list payments');
  const read = parsePage(answer.body, page);
  if (read.page !== page) throw malformed('paginacao.paginaAtual');
  return read;
}

const isQueryRefused = (error: unknown) =>
  error instanceof Error && 'status' in error && (error.status === 400 || error.status === 422);
