import { TERMINAL } from '../functions/domain/purchase/status.ts';
import { basisOf, type EndingTable, type Kept, RETENTION } from '../functions/domain/retention.ts';
import { newTotpSecret } from '../functions/logic/purchase/totp.ts';
import { type Command, cpfAsked, type Given, type Order, type Plan } from './command.ts';
import { type DataSubject, readDataSubject } from './data-subject.ts';
import type { Desk } from './desk.ts';
import type { DossierRow } from './stores/dossier.ts';
import type { ErasedRow } from './stores/erasures.ts';
import { SUBJECT_KINDS, type SubjectKind } from './subject-fields.ts';
import { hasRows, knownClientsOf, readSubjectRows, type SubjectRows } from './subject-rows.ts';
import { instant, misused, refuseOrder } from './words.ts';

export const eraseCommand: Command = {
  name: 'subject erase',
  takes: '[--cpf <cpf>]',
  about:
    'erases now what no law keeps of a person, and says what stays, why, and until when; asks for the CPF',
  options: ['cpf'],
  needsReason: true,
  run: erase,
};

async function erase(given: Given, desk: Desk): Promise<Plan> {
  const subject = await subjectIn(given, desk);
  const { personId, clientIds } = subject;
  const found = await readSubjectRows(subject, desk);
  if (!hasRows(found)) refuseOrder('Nothing is known of this person.');
  requireClosed(found);
  const erasable = erasableOf(found);
  const stays = staysOf(found);
  return {
    subject: personId,
    words: [personId, ...clientIds],
    flags: { cpf: undefined },
    will: [...erasable.map(wordsOfErasable), ...stays],
    facts: { personId, clientIds, erased: erasable.map(wordsOfErasable), stays },
    before: { clients: clientIds },
    after: { erased: 'what no law keeps' },
    async perform(order) {
      for (const each of erasable) await eraseKind({ ...each, personId, order }, desk);
      return [...erasable.map(wordsOfErasable), ...stays, 'The client enrols the app again.'];
    },
  };
}

/**
 * An operator calls the command without words, and it asks for the CPF. A stored proposal calls it with words. They are
 * keyed hashes, because a stored call must have no CPF.
 */
async function subjectIn(given: Given, desk: Desk): Promise<DataSubject> {
  const [personId, ...clientIds] = given.words;
  if (personId === undefined) {
    const subject = await readDataSubject(await cpfAsked(given, 'CPF: '), desk);
    return { ...subject, clientIds: await knownClientsOf(subject, desk) };
  }
  const isHash = (word: string) => /^[0-9a-f]{64}$/.test(word);
  if (!given.words.every(isHash)) misused('Call it without words: it asks for the CPF.');
  return { personId, clientIds };
}

type Test = (row: DossierRow) => boolean;
/** The rows that refuse an erasure, because money or a decision is open. */
const OBSTACLES: readonly (readonly [SubjectKind, Test, string])[] = [
  ['litigationHolds', ({ state }) => state === 'HELD', 'the person is held: subject release'],
  ['transactions', isPurchaseOpen, 'a purchase or its refund is open'],
  ['unmatchedPayments', ({ refund }) => refundStatus(refund) === 'PENDING', 'a Pix is not returned yet'],
  ['kycRecords', ({ nextCheckAt }) => nextCheckAt !== undefined, 'a KYC submission is not decided yet'],
  ['openMeds', ({ cases }) => cases !== undefined, 'a bank has taken back a payment, and the case is open'],
  ['moneyCases', ({ status }) => status === 'OPEN', 'a case of money is open: cases list'],
  ['moneyCases', ({ block }) => block === 'ACTIVE', 'a case blocks the client: clients unblock'],
  ['cases', ({ status }) => status === 'OPEN', 'a review case is open: reviews list'],
  ['deliveries', ({ status }) => status === 'PENDING' || status === 'HELD', 'a webhook is on its way'],
];

function requireClosed({ rows }: SubjectRows): void {
  const obstacles = OBSTACLES.filter(([kind, isObstacle]) => rows[kind].some(isObstacle));
  const words = obstacles.map(([, , why]) => why);
  if (words.length > 0) refuseOrder(`Nothing is erased: ${words.join('; ')}.`);
}

function isPurchaseOpen({ status, nextCheckAt, refund }: DossierRow): boolean {
  const isOver = TERMINAL.some((each) => each === status) && nextCheckAt === undefined;
  return !isOver || refundStatus(refund) === 'PENDING';
}

const refundStatus = (refund: unknown) => (refund as { status?: string } | undefined)?.status;

type Erasable = { kind: SubjectKind; rows: DossierRow[] } & Pick<Kept, 'erased'>;

/**
 * The kinds of rows in the order in which they are erased. Deliveries are found by their events, so they are erased
 * before them. A run that dies in between leaves no delivery that the next run cannot find.
 */
const ERASED_IN_ORDER = SUBJECT_KINDS.toReversed();

/**
 * The rows that may be erased now: whole rows, or rows with some erasable fields, as `RETENTION` says for each kind.
 */
function erasableOf({ rows }: SubjectRows): Erasable[] {
  const all = ERASED_IN_ORDER.map((kind): Erasable => {
    const { erased }: Kept = RETENTION[kind];
    return { kind, erased, rows: rows[kind].filter((row) => isErasable(row, erased)) };
  });
  return all.filter((each) => each.rows.length > 0);
}

const isErasable = (row: DossierRow, erased: Kept['erased']) =>
  erased === 'ROWS' || (erased ?? []).some((field) => row[field] !== undefined);

const wordsOfErasable = ({ kind, erased, rows }: Erasable): string =>
  erased === 'ROWS'
    ? `erase ${rows.length} of ${kind}`
    : `erase ${(erased ?? []).join(', ')} in ${rows.length} of ${kind}`;

type Erasing = Erasable & { personId: string; order: Order };

async function eraseKind({ kind, erased, rows, personId, order }: Erasing, desk: Desk): Promise<void> {
  const table = RETENTION[kind].table as EndingTable;
  for (const { id } of rows) {
    const row = { personId, table, id: String(id) };
    const isErased =
      erased === 'ROWS'
        ? await desk.erasures.deleteRow(row)
        : await strip(row, { kind, erased, order, desk });
    if (!isErased) refuseOrder('The person is held since a moment: subject release.');
  }
}

type Stripped = Pick<Erasing, 'kind' | 'erased' | 'order'> & { desk: Desk };

/**
 * Removes the erasable fields of a row. A client must have a TOTP secret, so it gets a new one that nobody has seen.
 */
async function strip(row: ErasedRow, { kind, erased = [], order, desk }: Stripped): Promise<boolean> {
  const isClient = kind === 'clients';
  const totpCipher = isClient && (await desk.totpSealer.encrypt(newTotpSecret(desk.random), row.id));
  const set = { erasedAt: order.at, ...(totpCipher && { totpCipher, wrongCodes: 0 }) };
  return desk.erasures.strip(row, { remove: [...erased].filter((field) => field !== 'totpCipher'), set });
}

/** In words, the data that stay: how many rows of each kind, until when, and why. */
function staysOf({ rows }: SubjectRows): string[] {
  return SUBJECT_KINDS.flatMap((kind) => {
    const kept: Kept = RETENTION[kind];
    if (rows[kind].length === 0 || kept.erased === 'ROWS') return [];
    const ends = rows[kind].map(({ ttl, heldTtl }) => Number(ttl ?? heldTtl ?? Number.POSITIVE_INFINITY));
    const last = Math.max(...ends);
    const until = Number.isFinite(last) ? `until ${instant(last * 1000)}` : 'without an end yet';
    return [`keep ${rows[kind].length} of ${kind} ${until}: ${basisOf(kept)}`];
  });
}
