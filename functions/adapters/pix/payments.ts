import type { PayerMatch, ReceivedPix } from '../../domain/purchase/pix.ts';
import type { ReceivedPart } from '../../domain/purchase/pix-ports.ts';
import { foundIn, isDone, type PixSession, segment, unexpected } from './session.ts';
import { malformed, parsePage, parsePix, type WirePage } from './wire.ts';

/** What is more is read in parts, between which whoever reads may look at the clock and keep where it is. */
const PAGES_AT_ONCE = 5;
/** The least time that every provider tells apart. There are never more pages of it than `MAX_PAGES`. */
const SECOND_MS = 1000;
const MAX_PAGES = 500;
const WINDOW_MS = 10 * 60_000;
/** Valid, and nobody's who buys here. Two, because the question needs one that is not the client's. */
const CONTROL_CPFS = ['00000000191', '00000000272'] as const;

type Query = { from: number; to: number; txid?: string; cpf?: string; isReturned?: boolean };

/**
 * The Pix received between two instants, but for those to another key of the account: they are another business's. A page that is
 * missing makes the whole answer `Unavailable`. Rows move between numbered pages as more are shown, so a page's number is no place
 * to go on from; an instant is. Of too many pages the time is made shorter until what is left of it fits.
 */
export async function listReceived(
  session: PixSession,
  from: number,
  to: number,
  filter: { isReturned?: boolean } = {},
): Promise<ReceivedPart> {
  for (let upTo = to; ; ) {
    const query = { from, to: upTo, ...filter };
    const first = await readPage(session, query, 0);
    if (first.pages > PAGES_AT_ONCE && upTo - from > SECOND_MS) {
      upTo = shorter(from, upTo, first.pages);
      continue;
    }
    const all = [...(await readAll(session, query, first)).values()];
    return { received: all.filter(({ key }) => key === undefined || key === session.settings.key), upTo };
  }
}

/** As much of the time as the pages would fit, were it all alike. Ends at a whole second: some providers know no other. */
function shorter(from: number, to: number, pages: number): number {
  const end = from + (to - from) * Math.min(1 / 2, PAGES_AT_ONCE / pages);
  return Math.max(Math.floor(end / SECOND_MS) * SECOND_MS, from + SECOND_MS);
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
async function readAll(
  session: PixSession,
  query: Query,
  first?: WirePage,
): Promise<Map<string, ReceivedPix>> {
  const found = new Map<string, ReceivedPix>();
  let unreadable = 0;
  for (let page = 0; page < MAX_PAGES; page++) {
    const isRead = page === 0 && first !== undefined;
    const { rows, pages, total } = isRead ? first : await readPage(session, query, page);
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
