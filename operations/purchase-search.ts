/** Finds purchases by any id that an operator may have. */
import { referenceId } from '../functions/adapters/dynamodb/references.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import { beginOfId } from '../functions/logic/ids.ts';
import type { Desk } from './desk.ts';
import type { Row } from './stores/dossier.ts';
import { refused } from './words.ts';

type Sources = Pick<Desk, 'dossier' | 'register' | 'transactions' | 'purchaseLists' | 'unmatchedPayments'>;
type Finder = (text: string, desk: Sources) => Promise<(Transaction | undefined)[]>;

const IDS = /^[0-9A-HJKMNP-TV-Z]{26}$/i;

/**
 * The forms by which a kind of id is recognised. Any other text counts as the beginning of a purchase's id, or as a
 * partner's reference.
 */
const FORMS: readonly (readonly [form: RegExp, find: Finder])[] = [
  [IDS, async (id, desk) => [await desk.transactions.findTransaction(id.toUpperCase())]],
  [/^kyc_\w+$/i, ofKycToken],
  [/^E\w{31}$/, ofEndToEndId],
  [/^0x[0-9a-f]{64}$/i, ofHash],
  [/^0x[0-9a-f]{40}$/i, (wallet, desk) => scan(desk, ({ walletAddress }) => isSame(walletAddress, wallet))],
];

/** The purchases that the text names, the newest first. */
export async function findPurchases(text: string, desk: Sources): Promise<Transaction[]> {
  const find = FORMS.find(([form]) => form.test(text))?.[1] ?? ofOtherText;
  const found = (await find(text, desk)).filter((each) => each !== undefined);
  return found.sort((one, other) => other.createdAt - one.createdAt);
}

/** The purchases of a person's clients, the newest first. Each partner has a client of its own for a CPF. */
export async function findPurchasesOf(
  clientIds: readonly string[],
  { dossier }: Pick<Desk, 'dossier'>,
): Promise<Transaction[]> {
  const found = await Promise.all(clientIds.map((id) => dossier.listBy('transactions', 'ofClient', id)));
  return (found.flat() as unknown as Transaction[]).sort((one, other) => other.createdAt - one.createdAt);
}

const isSame = (one: unknown, other: string) => String(one).toLowerCase() === other.toLowerCase();

/**
 * Reads the whole table, because wallets, end-to-end ids and hashes have no index: docs/decisions.md, "A purchase by
 * any id".
 */
async function scan({ dossier }: Sources, isWanted: (row: Row) => boolean): Promise<Transaction[]> {
  return (await dossier.listWhere('transactions', isWanted)) as unknown as Transaction[];
}

async function byIds(ids: unknown[], { dossier }: Sources): Promise<Transaction[]> {
  const known = ids.filter((id) => typeof id === 'string');
  return (await dossier.listRows('transactions', known)) as unknown as Transaction[];
}

async function ofKycToken(token: string, { dossier }: Sources): Promise<Transaction[]> {
  const [record] = await dossier.listRows('kycRecords', [token]);
  if (!record) return [];
  const found = await dossier.listBy('transactions', 'ofClient', String(record.clientId));
  return (found as unknown as Transaction[]).filter(({ kycToken }) => kycToken === token);
}

/** Finds the purchase of a Pix. An unmatched payment names the purchase of its txid. */
async function ofEndToEndId(endToEndId: string, desk: Sources): Promise<Transaction[]> {
  const [unmatched] = await desk.dossier.listRows('unmatchedPayments', [endToEndId]);
  if (unmatched) return byIds([unmatched.transactionId], desk);
  return scan(desk, ({ payment }) => (payment as Transaction['payment'])?.endToEndId === endToEndId);
}

/**
 * Finds the purchase of a transaction hash. A settlement has every hash that was signed, even of transactions that were
 * replaced.
 */
async function ofHash(hash: string, desk: Sources): Promise<Transaction[]> {
  const names = ({ txHash, attempts = [] }: Row) =>
    [txHash, ...(attempts as { hash: string }[]).map((each) => each.hash)].some((each) => isSame(each, hash));
  const rows = await desk.dossier.listWhere('settlements', names);
  return byIds([...new Set(rows.map(({ transactionId }) => transactionId))], desk);
}

async function ofOtherText(text: string, desk: Sources): Promise<Transaction[]> {
  const partners = await desk.register.listPartners();
  const references = partners.map(({ id }) => referenceId(id, text));
  const used = (await desk.dossier.listRows('transactions', references)).map(({ usedBy }) => usedBy);
  const begun = await Promise.all(partners.map(({ id }) => ofBeginning(text, id, desk)));
  return [...(await byIds(used, desk)), ...begun.flat()];
}

/** Completes a purchase's id. The text may be the beginning of the id, or another id of the purchase. */
export async function wholeId(text: string, desk: Sources): Promise<string> {
  if (IDS.test(text)) return text.toUpperCase();
  const [found, ...others] = await findPurchases(text, desk);
  if (others.length > 0) refused(`${others.length + 1} purchases fit ${text}: tx show ${text}`);
  return found?.id ?? refused(`There is no purchase ${text}.`);
}

/**
 * The longest time between the instant in a purchase's id and the write of the purchase. The id has the
 * instant of the first request.
 */
const WRITTEN_WITHIN_MS = 60 * 60_000;

async function ofBeginning(
  text: string,
  partnerId: string,
  { purchaseLists }: Sources,
): Promise<Transaction[]> {
  const span = beginOfId(text);
  if (!span) return [];
  const wanted = { partnerId, from: span.from, to: span.to + WRITTEN_WITHIN_MS };
  const found: Transaction[] = [];
  let after: string | undefined;
  do {
    const { purchases, next } = await purchaseLists.listPurchases(wanted, { limit: 100, after });
    found.push(...purchases.filter(({ id }) => id.startsWith(text.toUpperCase())));
    after = next;
  } while (after !== undefined);
  return found;
}
