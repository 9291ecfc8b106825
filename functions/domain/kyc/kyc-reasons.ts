/** Describes each reason of a KYC outcome. docs/errors.md and docs/waits.md are generated from this file. */
import type { Candidate } from '../screening/screening.ts';

/**
 * The reasons of a rejection. If several apply, the first one is given: docs/decisions.md, "Decisions are made from
 * facts alone".
 * If a later decision overrules a record, the record gets that decision's reason.
 */
export const REJECTION_REASONS = {
  PARTNER_TOKEN_INVALID:
    'the partner’s KYC token (Model 2) is wrong or was used, or its record or key has ended',
  SANCTIONS_HIT: 'a list that refuses names the client or the company',
  CPF_IRREGULAR: 'the registry does not know the CPF, or the CPF is not in order',
  DECEASED: 'the registry says that the person has died',
  UNDERAGE: 'the person is under 18',
  CNPJ_IRREGULAR: 'the registry does not know the CNPJ, or the company is not active',
  DOCUMENT_REJECTED: 'the identity provider rejected the document or the face',
  IDENTITY_MISMATCH: 'the document or the biometric is another person’s',
  DATA_MISMATCH: 'what the partner collected (Model 3) differs from the registry or the document',
} as const;
export type RejectionReason = keyof typeof REJECTION_REASONS;

/** The reason that a partner reads for a record that stays `PENDING` until the partner submits again. */
export type PendingReason = 'CNPJ_REQUIRED';

/** The sources that a submission asks about a client. */
export type KycSource =
  | 'CPF_REGISTRY'
  | 'COMPANY_REGISTRY'
  | 'SANCTIONS_LISTS'
  | 'IDENTITY_PROVIDER'
  | 'WALLET_ORACLE';

/**
 * A question that must be answered before the client may be approved. A record with an open question is
 * `PENDING`.
 */
export type OpenQuestion =
  | { kind: 'CNPJ_REQUIRED' }
  | { kind: 'SOURCE_UNAVAILABLE'; source: KycSource }
  | { kind: 'REVIEW'; candidate: Candidate }
  | { kind: 'DOCUMENTS_NOT_REVIEWED' }
  | { kind: 'HOLDER_NOT_READ' };

type QuestionDescription = {
  /**
   * The words of the rule in the evidence. `…` stands for the source or the candidate. Do not change them, because old
   * evidence is compared with them.
   */
  rule: string;
  /** The event that answers the question. */
  endsWhen: string;
  operator: string;
};

export const OPEN_QUESTIONS = {
  CNPJ_REQUIRED: {
    rule: 'CNPJ required',
    endsWhen: 'the partner submits again, with the CNPJ (Model 2: and with a new token of the vendor)',
    operator: 'Nothing.',
  },
  SOURCE_UNAVAILABLE: {
    rule: '… unavailable',
    endsWhen: 'the source answers; the record is looked at each minute at first, then every 30 minutes',
    operator: 'Look for `no answer during KYC`, which names the source.',
  },
  REVIEW: {
    rule: 'review of …',
    endsWhen: 'a reviewer decides',
    operator: 'Run `reviews show`, then `clear` or `confirm`.',
  },
  DOCUMENTS_NOT_REVIEWED: {
    rule: 'documents not reviewed',
    endsWhen: 'the identity provider ends its verification',
    operator: 'Nothing. The client must show the document and the face.',
  },
  HOLDER_NOT_READ: {
    rule: 'holder of the document not read',
    endsWhen: 'the identity provider has read the document',
    operator: 'Ask the provider if it takes more than an hour.',
  },
} as const satisfies Record<OpenQuestion['kind'], QuestionDescription>;

/**
 * The text of `rule`, with `words` in place of `…`. `words` names the source or the candidate. The evidence
 * stores the text after `pending: `.
 */
export function ruleOf({ kind }: OpenQuestion, words = ''): string {
  return OPEN_QUESTIONS[kind].rule.replace('…', () => words);
}
