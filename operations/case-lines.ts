import type { Client } from '../functions/domain/kyc/client.ts';
import { correctionsAfter } from '../functions/domain/kyc/correction.ts';
import type { KycRecord, Screened } from '../functions/domain/kyc/kyc.ts';
import { kycAnswer } from '../functions/domain/kyc/kyc-answer.ts';
import type { KycEvidence } from '../functions/domain/kyc/kyc-decision.ts';
import type { KycFacts } from '../functions/domain/kyc/kyc-facts.ts';
import type { ReviewHours } from '../functions/domain/review-hours.ts';
import {
  type CaseClosing,
  type CaseDecision,
  type DecidedReviewCase,
  dueAtOf,
  isDecided,
  type OpenReviewCase,
  type ReviewCase,
} from '../functions/domain/screening/review-case.ts';
import { type Candidate, REVIEW_POINT } from '../functions/domain/screening/screening.ts';
import { type Desk, laterFactsAbout } from './desk.ts';
import { entryRows } from './listed-entry.ts';
import type { Sheet } from './shown.ts';
import { instant } from './words.ts';

/** Shows a review case on one screen: the client in clear text, the listed person, and the facts of the decision. */
export async function sheetOfCase(found: ReviewCase, desk: Desk): Promise<Sheet> {
  const { token, clientId } = found;
  const [record, evidence, client, entry] = await Promise.all([
    desk.kycRecords.findRecord(token),
    latestEvidence(found, desk),
    desk.clients.findClient(clientId),
    entryRows(found.candidate, desk),
  ]);
  const hours = await desk.policy.getReviewHours();
  const cpf = client && (await desk.vault.decrypt(client.cpfCipher, clientId));
  const screened = record?.identityCipher && (await desk.vault.decrypt(record.identityCipher, clientId));
  const sheet = [
    ...statusRows(found, hours),
    ...clientRows(screened ? (JSON.parse(screened) as Screened) : undefined, cpf),
    ...wrongRows(record, client),
    ...candidateRows(found),
    ...entry,
    ...recordRows(
      found,
      record && { record, ...kycAnswer(record, await laterFactsAbout(record, desk), desk.clock.now()) },
    ),
    ...(evidence ? evidenceRows(evidence, found) : [['evidence', 'not found: the index may be late']]),
  ];
  return { sheet };
}

/**
 * The latest decision about the case's KYC record whose evidence contains a search of the sanctions lists.
 */
async function latestEvidence({ token }: ReviewCase, { dossier }: Desk): Promise<KycEvidence | undefined> {
  const rows = (await dossier.listBy('evidence', 'subject', token)) as unknown as KycEvidence[];
  return rows.findLast(({ kind, findings }) => kind === 'kyc' && findings.screening?.index);
}

function statusRows(found: ReviewCase, hours: ReviewHours): string[][] {
  const { id, partnerId, opened, openedAt } = found;
  const whose = opened === 'PENDING' ? 'of a client who waits' : 'of a client who was refused';
  return [
    ['case', `${id}, ${whose}, since ${instant(openedAt)}`],
    ['status', isDecided(found) ? decisionWords(found) : found.status],
    ...(isDecided(found) ? [] : [...markRows(found), ...dueRows(found, hours)]),
    ['partner', partnerId],
  ];
}

function markRows({ entryGone, closing }: OpenReviewCase): string[][] {
  return [
    ...(entryGone ? [['mark', `ENTRY_GONE, since ${instant(entryGone.at)}: ${CLOSE_WORDS}`]] : []),
    ...(closing ? [['before', `${decisionWords(closing)}; a later search has found the entry again`]] : []),
  ];
}

function dueRows(found: OpenReviewCase, hours: ReviewHours): string[][] {
  const { assigned } = found;
  const whom = assigned ? `${assigned.to}, by ${assigned.by}, ${instant(assigned.at)}` : 'nobody';
  return [
    ['due', instant(dueAtOf(found, hours))],
    ['assigned', whom],
  ];
}

const CLOSE_WORDS = 'the entry has left the list. reviews close closes such cases';

function decisionWords(decision: CaseDecision | CaseClosing): string {
  const { status, decidedBy, decidedAt, reason } = decision;
  const undone = 'undone' in decision && decision.undone;
  const before = undone ? `; it takes back: ${decisionWords(undone)}` : '';
  return `${status} by ${decidedBy}, ${instant(decidedAt)}: ${reason}${before}`;
}

function clientRows(screened: Screened | undefined, cpf: string | undefined): string[][] {
  const { name, birthDate, cnpj, companyName } = screened ?? {};
  return [
    ['client', name ?? 'nothing kept of whom the lists were searched for'],
    ...(birthDate ? [['born', birthDate]] : []),
    ['CPF', cpf ?? 'not kept'],
    ...(cnpj
      ? [
          ['company', companyName ?? 'not told by its registry'],
          ['CNPJ', cnpj],
        ]
      : []),
  ];
}

/** A row for each field of the searched identity that an operator has noted as wrong since the search. */
function wrongRows(record: KycRecord | undefined, client: Client | undefined): string[][] {
  const since = record && client ? correctionsAfter(record, client) : [];
  return since.map(({ field, at, by, reason }) => [
    'wrong',
    `${field}, noted by ${by}, ${instant(at)}: ${reason}`,
  ]);
}

function candidateRows({ candidate }: ReviewCase): string[][] {
  const { list, entryId, entryVersion = 'unknown', listed, score, zone, threshold, explanation } = candidate;
  return [
    ['listed', listed ?? 'found by a document, not by a name'],
    ['entry', `${list} ${entryId}, version ${entryVersion}`],
    ['score', `${score} ${zone}: a case from ${REVIEW_POINT}, a hit from ${threshold}`],
    ['because', explanation],
  ];
}

type Told = { record: KycRecord } & Pick<ReturnType<typeof kycAnswer>, 'status' | 'riskTier' | 'expiresAt'>;

function recordRows({ clientId, token }: ReviewCase, told: Told | undefined): string[][] {
  const words = told ? recordWords(told) : 'gone';
  return [
    ['record', `${token}: ${words}`],
    ['client id', clientId],
  ];
}

function recordWords({ record, status, riskTier, expiresAt }: Told): string {
  return `${status}, tier ${riskTier}, model ${record.model}, until ${instant(Date.parse(expiresAt))}`;
}

function evidenceRows({ at, decidedBy, findings, decision }: KycEvidence, found: ReviewCase): string[][] {
  const { screening } = findings;
  const { version, source, digest } = screening?.index ?? found.index;
  return [
    ['index', `${version} ${source}, sha256 ${digest}`],
    ...(screening?.lists ?? []).map(({ list, version, entries, sha256 }) => [
      'list',
      `${list} ${version}, ${entries} entries, sha256 ${sha256}`,
    ]),
    ['decided', `by ${decidedBy}, ${instant(at)}`],
    ...factRows(findings),
    ...decision.rules.map((rule) => ['rule', rule]),
    ...(screening?.candidates ?? []).filter((each) => !isSameEntry(each, found.candidate)).map(otherRow),
  ];
}

/** The rows with facts from other sources than the lists, such as registries and the check of documents. */
function factRows({
  registry,
  company,
  review,
  refusedWallets = [],
  unavailable = [],
}: KycFacts): string[][] {
  const { status, holder } = review ?? {};
  return [
    ['registry', registry?.situation ?? 'no answer'],
    ...(company ? [['company registry', company.situation]] : []),
    ['documents', status ? [status, holder && `holder ${holder}`].filter(Boolean).join(', ') : 'not asked'],
    ...refusedWallets.map((wallet) => ['refused wallet', wallet]),
    ...unavailable.map((source) => ['no answer of', source]),
  ];
}

const isSameEntry = (one: Candidate, other: Candidate) =>
  one.list === other.list && one.entryId === other.entryId;

function otherRow({ list, entryId, listed, score, zone, explanation, review }: Candidate): string[] {
  const words = [`${list} ${entryId}`, listed, `${score} ${zone}`, explanation, review];
  return ['also close', words.filter((word) => word !== undefined).join(', ')];
}

/** The facts about a case that the record of an act or a decision about it contains. */
export const reviewCaseFacts = ({ id, clientId, partnerId, pair, candidate }: ReviewCase) => {
  const { list, entryId, entryVersion } = candidate;
  return { case: id, clientId, partnerId, pair, list, entryId, entryVersion };
};

/** Says who decided a case, when and why, and which command can still change the decision. */
export function decidedWords({ id, status, decidedBy, decidedAt, reason }: DecidedReviewCase): string {
  return `The case ${id} was ${status} by ${decidedBy}, ${instant(decidedAt)}: ${reason}. ${NEXT[status]}`;
}

const NEXT: Record<DecidedReviewCase['status'], string> = {
  CLEARED: 'Only reviews confirm can change it.',
  CONFIRMED: 'Only reviews undo can change it.',
  CLOSED: 'A search that finds the entry again opens it again.',
};
