import { begun } from '../../domain/begun.ts';
import type { PayerMatch, ReceivedPix } from '../../domain/purchase/pix.ts';
import type { ReceivedPart } from '../../domain/purchase/pix-ports.ts';
import { isoInstant } from '../../domain/time.ts';
import { foundIn, isPspSuccess, type PixSession, pspSegment, unexpected } from './session.ts';
import { malformedPix, parsePage, parsePix, type WirePage } from './wire.ts';

/**
 * The most pages that `listReceived` reads in one call, if the period is longer than a second. A caller with
 * more pages makes several calls. Between them it can check its time and save its place.
 */
const PAGES_AT_ONCE = 5;
/**
 * The shortest period. A period of one second is read as a whole, even if it has many pages, because some
 * providers cannot tell shorter times apart.
 */
const SECOND_MS = 1000;
const MAX_PAGES = 500;
const WINDOW_MS = 10 * 60_000;
/**
 * Valid CPFs that belong to no client. There are two, because the control CPF must differ from the CPF of the
 * client.
 */
const CONTROL_CPFS = ['00000000191', '00000000272'] as const;

type Query = { from: number; to: number; txid?: string; cpf?: string; isReturned?: boolean };

/**
 * Lists the Pix received from `from` to `upTo`. `upTo` is before `to` if the whole period has too many pages.
 * Payments to another key of the account are left out, because they belong to another business. A missing
 * page makes the whole answer `Unavailable`. While new Pix appear, rows move between the numbered pages. The
 * next call therefore begins at an instant, and never at a page.
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
    const { found, unreadable } = await readAll(session, query, first);
    const received = [...found.values()].filter(
      ({ key }) => key === undefined || key === session.settings.key,
    );
    return { received, upTo, ...(unreadable > 0 && { unreadable }) };
  }
}

/**
 * The end of a shorter period that probably has at most `PAGES_AT_ONCE` pages. It is a whole second, because
 * some providers ignore fractions.
 */
function shorter(from: number, to: number, pages: number): number {
  const end = from + (to - from) * Math.min(1 / 2, PAGES_AT_ONCE / pages);
  return Math.max(Math.floor(end / SECOND_MS) * SECOND_MS, from + SECOND_MS);
}

/** Reads one Pix by its id (`GET /pix/{e2eid}`), whatever its key. Undefined if the provider does not have it. */
export async function findReceived(
  session: PixSession,
  endToEndId: string,
): Promise<ReceivedPix | undefined> {
  const answer = await session.call({ method: 'GET', path: `/pix/${pspSegment(endToEndId)}` });
  const body = foundIn(answer, session, 'to read a payment');
  if (body === undefined) return undefined;
  const pix = parsePix(body);
  if (pix?.endToEndId !== endToEndId) throw malformedPix('pix');
  return pix;
}

/**
 * Finds out whether the client is the payer. API Pix never names the payer, but it filters by payer. This
 * code asks for the client's CPF, and for a control CPF that cannot have paid. A provider that ignores the
 * filter shows the Pix for both CPFs, which proves nothing. The provider may list a Pix before it knows the
 * payer. The result is therefore `MISMATCH` only if the unfiltered list shows the Pix, and the Pix is a
 * minute old.
 */
export async function findPayer(session: PixSession, payment: ReceivedPix, cpf: string): Promise<PayerMatch> {
  const query = { from: payment.paidAt - WINDOW_MS, to: payment.paidAt + WINDOW_MS, txid: payment.txid };
  const isListed = async (filter: { cpf?: string }) =>
    (await readAll(session, { ...query, ...filter })).found.has(payment.endToEndId);
  const control = CONTROL_CPFS.find((other) => other !== cpf);

  // All three requests run at once, and their answers are used in this order. If an earlier answer decides,
  // the failure of a later request is ignored.
  const anyPayer = begun(isListed({}));
  const ofClient = begun(isListed({ cpf }));
  const ofControl = begun(isListed({ cpf: control }));
  try {
    if (!(await anyPayer)) return 'UNKNOWN';
    const isClients = await ofClient;
    if (await ofControl) return 'UNKNOWN';
    if (isClients) return 'MATCH';
    return isSettledIn(session, payment) ? 'MISMATCH' : 'UNKNOWN';
  } catch (error) {
    if (isQueryRefused(error)) return 'UNKNOWN';
    throw error;
  }
}

/** True if the payment is a minute old. The provider's filters then know its payer. */
const isSettledIn = ({ clock }: PixSession, { paidAt }: ReceivedPix) =>
  clock.now() - paidAt >= clock.minuteMs;

/**
 * Reads all pages. Rows may move between pages during the reads, and are then read twice. The map keeps each
 * Pix once.
 */
async function readAll(
  session: PixSession,
  query: Query,
  first?: WirePage,
): Promise<{ found: Map<string, ReceivedPix>; unreadable: number }> {
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
    if (total !== undefined && found.size + unreadable < total) throw malformedPix('too few rows');
    // An unreadable row must not prevent reading the others. The alarm asks a person to look at it.
    if (unreadable > 0)
      session.log.raise('PaymentsUnreadable', undefined, { unreadable, ...queryPeriod(query) });
    return { found, unreadable };
  }
  throw malformedPix('too many pages');
}

const queryPeriod = ({ from, to }: Query) => ({
  from: isoInstant(from),
  to: isoInstant(to),
});

async function readPage(session: PixSession, { from, to, txid, cpf, isReturned }: Query, page: number) {
  const query = {
    inicio: isoInstant(from),
    fim: isoInstant(to),
    ...(txid !== undefined && { txid }),
    ...(cpf !== undefined && { cpf }),
    ...(isReturned !== undefined && { devolucaoPresente: String(isReturned) }),
    'paginacao.paginaAtual': String(page),
  };
  const answer = await session.call({ method: 'GET', path: '/pix', query });
  if (!isPspSuccess(answer)) throw unexpected(answer, session, 'to list payments');
  const read = parsePage(answer.body, page);
  if (read.page !== page) throw malformedPix('paginacao.paginaAtual');
  return read;
}

const isQueryRefused = (error: unknown) =>
  error instanceof Error && 'status' in error && (error.status === 400 || error.status === 422);
