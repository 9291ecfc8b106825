/** Finds purchases by any id that an operator may have. */
import { referenceId } from '../functions/adapters/dynamodb/references.ts';
import { payKey } from '../functions/adapters/dynamodb/settlement-rows.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import { HOUR_MS } from '../functions/domain/time.ts';
import type { Attempt } from '../functions/domain/treasury/settlement.ts';
import { beginOfId } from '../functions/logic/ids.ts';
import type { Desk } from './desk.ts';
import { listBeingSettled } from './open-purchases.ts';
import type { DossierRow } from './stores/dossier.ts';
import { refuseOrder } from './words.ts';

type Sources = Pick<
  Desk,
  'dossier' | 'register' | 'transactions' | 'purchaseLists' | 'openPurchases' | 'clock'
>;
type Finder = (text: string, desk: Sources) => Promise<(Transaction | undefined)[]>;

const ID_CHARACTERS = 26;
const IDS = /^[0-9A-HJKMNP-TV-Z]{26}$/i;
/** The ids of a purchase's events and of its executions begin with the id of the purchase. */
const PART_IDS = /^[0-9A-HJKMNP-TV-Z]{26}(\.\d+|-r\d+)$/i;

/**
 * The forms by which a kind of id is recognised. Any other text counts as the beginning of a purchase's id, or as a
 * partner's reference.
 */
const FORMS: readonly (readonly [form: RegExp, find: Finder])[] = [
  [IDS, ofId],
  [PART_IDS, ofId],
  [/^kyc_\w+$/i, ofKycToken],
  [/^E\w{31}$/, ofOutsideId],
  [/^0x[0-9a-f]{64}$/i, ofHash],
  [/^0x[0-9a-f]{40}$/i, ofWallet],
];

/** The most characters of a search. No id is longer. */
export const LONGEST_SEARCH = 200;

/** Whether the text may be an id. No id is empty, longer than `LONGEST_SEARCH`, or has a control character. */
export const maySearch = (text: string): boolean =>
  text.trim() !== '' && text.length <= LONGEST_SEARCH && !/\p{Cc}/u.test(text);

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

async function ofId(text: string, { transactions }: Sources): Promise<(Transaction | undefined)[]> {
  return [await transactions.findTransaction(text.slice(0, ID_CHARACTERS).toUpperCase())];
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

/** Finds the purchase of a Pix, or of a transaction that was mined. Each has a posting in the ledger. */
async function ofOutsideId(outsideId: string, desk: Sources): Promise<Transaction[]> {
  const postings = await desk.dossier.listBy('ledger', 'ofOutsideId', outsideId);
  return byIds([...new Set(postings.map(({ transactionId }) => transactionId))], desk);
}

async function ofHash(text: string, desk: Sources): Promise<Transaction[]> {
  const hash = text.toLowerCase();
  const mined = await ofOutsideId(hash, desk);
  return mined.length > 0 ? mined : ofSignedHash(hash, desk);
}

/** Finds the purchase for which a transaction with this hash is signed, but not mined yet. */
async function ofSignedHash(hash: string, desk: Sources): Promise<Transaction[]> {
  const keys = (await listBeingSettled(desk)).map(({ id }) => payKey(id));
  const settlements = await desk.dossier.listRows('settlements', keys);
  const isSigned = ({ attempts = [] }: DossierRow) =>
    (attempts as Attempt[]).some((each) => each.hash === hash);
  return byIds(
    settlements.filter(isSigned).map(({ transactionId }) => transactionId),
    desk,
  );
}

/** Finds the purchases of a wallet. Their rows have its address with the checksum (EIP-55). */
async function ofWallet(text: string, { dossier }: Sources): Promise<Transaction[]> {
  const { getAddress } = await import('ethers/address');
  const found = await dossier.listBy('transactions', 'ofWallet', getAddress(text.toLowerCase()));
  return found as unknown as Transaction[];
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
  if (others.length > 0) refuseOrder(`${others.length + 1} purchases fit ${text}: tx show ${text}`);
  return found?.id ?? refuseOrder(`There is no purchase ${text}.`);
}

/**
 * The longest time between the instant in a purchase's id and the write of the purchase. The id has the
 * instant of the first request.
 */
const WRITTEN_WITHIN_MS = HOUR_MS;

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
