/**
 * The events of a purchase's story that come from other records: decisions, transfers, webhooks, cases and operators'
 * commands.
 */
import type { WalletEvidence } from '../screening/wallet-risk.ts';
import { withBrasiliaOffset } from '../time.ts';
import type { Evidence } from './evidence.ts';
import { answerWords } from './story-causes.ts';
import type { DeskFacts, DeskHappening, PersonCase, StoryTransfer, StoryWebhook } from './story-facts.ts';
import type { Outage } from './story-outages.ts';

export function recordsOf(facts: DeskFacts): DeskHappening[] {
  const { transaction, evidence, transfer, webhooks, cases, outages = [] } = facts;
  return [
    ...evidence.flatMap(decided),
    ...(transfer ? sent(transfer) : []),
    ...webhooks.flatMap(webhookHappenings),
    ...cases.map(caseHappening),
    ...outages.map(outageHappening),
    ...obstacleHappening(transaction),
  ];
}

/**
 * Repeated checks are listed each time, even with equal outcomes. This way a stuck purchase shows how often it was
 * checked.
 */
function decided(record: Evidence): DeskHappening[] {
  const text = evidenceWords(record);
  if (text === undefined) return [];
  return [{ what: record.kind.toUpperCase(), at: record.at, text: `${text} (${record.decidedBy})` }];
}

function evidenceWords(record: Evidence): string | undefined {
  switch (record.kind) {
    case 'kyc':
      return `KYC: ${outcomeWords(record.decision.status, record.decision.rules)}`;
    case 'wallet':
      return `Wallet check: ${walletWords(record)}`;
    case 'payment':
      return `Payment check: ${record.decision.outcome}, payer ${record.findings.payer}`;
    case 'liveness':
      return `Face check, the document’s holder: ${record.decision.status}`;
    case 'operation':
      return `Operator: ${record.inputs.command}, ${record.decision.outcome}`;
    case 'lists':
      return undefined;
  }
}

/** The result of a wallet check in words: `clear` or `refused`, with the rules that applied. */
export const walletWords = ({ decision: { isClear, rules } }: WalletEvidence): string =>
  outcomeWords(isClear ? 'clear' : 'refused', rules);

const outcomeWords = (outcome: string, rules: readonly string[]) => [outcome, ...rules].join('; ');

function sent({ attempts = [], cancel, confirmedAt, blockNumber }: StoryTransfer): DeskHappening[] {
  const signed = attempts.map(({ kind, hash, at }) => ({
    what: 'SIGNED',
    at,
    text: kind === 'cancel' ? `A cancel was signed: ${hash}` : `The transfer was signed: ${hash}`,
  }));
  return [
    ...signed,
    ...(cancel ? [{ what: 'CANCEL', at: cancel.at, text: `A cancel was asked for: ${cancel.reason}` }] : []),
    ...(confirmedAt === undefined
      ? []
      : [{ what: 'CONFIRMED', at: confirmedAt, text: `The transfer was seen in block ${blockNumber}.` }]),
  ];
}

function webhookHappenings({ type, delivery: { tried = [], endpointId } }: StoryWebhook): DeskHappening[] {
  return tried.map(({ at, statusCode }) => ({
    what: 'WEBHOOK',
    at,
    text: `Webhook ${type} to ${endpointId}: ${answerWords(statusCode)}`,
  }));
}

function outageHappening({ step, message, from, to, times }: Outage): DeskHappening {
  const until = withBrasiliaOffset(to).slice(0, 19).replace('T', ' ');
  return { what: 'OUTAGE', at: from, text: `${step} failed until ${until}, ${triesIn(times)}: ${message}` };
}

/** The last error outside the state machine, if the purchase has moved on since. */
function obstacleHappening({ obstacle, status }: DeskFacts['transaction']): DeskHappening[] {
  if (!obstacle || obstacle.status === status) return [];
  const { step, message, since, times } = obstacle;
  return [{ what: 'OUTAGE', at: since, text: `${step} failed, ${triesIn(times)}: ${message}` }];
}

function caseHappening({ id, openedAt, means }: PersonCase): DeskHappening {
  return { what: 'CASE', at: openedAt, text: `A case was opened: ${means} (${id})` };
}

export const triesIn = (count: number): string => (count === 1 ? '1 try' : `${count} tries`);
