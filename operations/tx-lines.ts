import { endOfToken } from '../functions/domain/kyc/correction.ts';
import { type KycRecord, type LaterFacts, statusOfRecord } from '../functions/domain/kyc/kyc.ts';
import { type DeskStory, deskStoryOf } from '../functions/domain/purchase/story-desk.ts';
import type { Cause, DeskFacts } from '../functions/domain/purchase/story-facts.ts';
import { causeOfRecord } from '../functions/domain/purchase/story-record.ts';
import type { Transaction } from '../functions/domain/purchase/transaction.ts';
import { type Instant, isoInstant } from '../functions/domain/time.ts';
import { brlIn, shortAddress } from '../functions/domain/wording.ts';
import type { Told } from './shown.ts';
import { columns, instant, spanWords } from './words.ts';

/**
 * Shows a purchase's story: first its state and the cause, and then all events. At the end are the parts of the
 * purchase, such as the payment and the transfer.
 */
export function showStory(facts: DeskFacts, at: Instant): Told {
  const story = deskStoryOf(facts, at);
  const lines = [
    ...columns(headOf(facts.transaction, story, at.now)),
    '',
    'What happened',
    ...columns(story.happened.map((each) => [`  ${instant(each.at)}`, each.text])),
    '',
    'Where its parts stand',
    ...columns(
      story.parts.map(({ name, text, at: since }) => [
        `  ${name}`,
        since === undefined ? '-' : instant(since),
        text,
      ]),
    ),
  ];
  return { lines, json: { purchase: purchaseSummary(facts.transaction), ...dated(story) } };
}

function purchaseSummary(transaction: Transaction) {
  const { id, partnerId, externalId, amountCentavos, asset, walletAddress } = transaction;
  return { id, partnerId, externalId, amountCentavos, asset, walletAddress };
}

/** Converts the instants of a story to ISO texts. */
function dated(story: object): object {
  // JSON.stringify calls no `toJSON` of what a replacer returns, so a `Date` would become an empty object.
  const told = (key: string, value: unknown) =>
    ['at', 'since', 'nextAt'].includes(key) && typeof value === 'number' ? isoInstant(value) : value;
  return JSON.parse(JSON.stringify(story, told)) as object;
}

/** Shows a KYC record that no purchase has used. The token is not shown, because it could open purchases. */
export function showRecord(record: KycRecord, client: LaterFacts, at: Instant): Told {
  const { partnerId, model, issuedAt, personType } = record;
  const status = statusOfRecord(record, client, at.now);
  const end = instant(endOfToken(record, client));
  const cause = causeOfRecord(record, client, at.now);
  const lines = columns([
    ['record', `KYC of ${partnerId}, model ${model}, ${personType}, valid until ${end}`],
    ['state', `${status}, issued ${instant(issuedAt)}: no purchase has used it`],
    ...causeRows(cause, at.now),
  ]);
  return { lines, json: { record: { partnerId, model, personType, status }, ...dated({ cause }) } };
}

/** The state and the cause, as names with their words. */
export function headOf(transaction: Transaction, { state, cause }: DeskStory, now: number): string[][] {
  const { status, since, text } = state;
  return [
    ['purchase', purchaseTitle(transaction)],
    ['state', `${status} since ${instant(since)} (${spanWords(now - since)}): ${text}`],
    ...causeRows(cause, now),
  ];
}

function causeRows(cause: Cause, now: number): string[][] {
  return [
    ['cause', causeWords(cause)],
    ['next', cause.nextAt === undefined ? '-' : nextWords(cause.nextAt, now)],
    ['to do', cause.todo],
  ];
}

function purchaseTitle({
  id,
  partnerId,
  externalId,
  amountCentavos,
  asset,
  walletAddress,
}: Transaction): string {
  const name = externalId === undefined ? partnerId : `${partnerId} (${externalId})`;
  const order = `${brlIn('en', amountCentavos)} in ${asset} to ${shortAddress(walletAddress)}`;
  return `${id} of ${name}: ${order}`;
}

function causeWords({ why, since, times }: Cause): string {
  const often = !times ? [] : [times === 1 ? 'once' : `${times} times`];
  const when = since === undefined ? [] : [`since ${instant(since)}`];
  const rest = [...often, ...when].join(' ');
  return rest === '' ? why : `${why}, ${rest}`;
}

const nextWords = (at: number, now: number) =>
  at > now
    ? `by itself, ${instant(at)} at the latest (in ${spanWords(at - now)})`
    : `due since ${instant(at)}`;
