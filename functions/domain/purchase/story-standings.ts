/** Where a purchase stands, and what happens next, in words for its client. */
import type { Instant } from '../time.ts';
import { brlIn, timeIn, type Words } from '../wording.ts';
import type { Status } from './status.ts';
import { isPastDeadline, isSlow, reachedAt, type Transaction } from './transaction.ts';

export const STANDINGS = [
  'WAITS_FOR_CLIENT',
  'WAITS_FOR_PIX',
  'CLOSING',
  'SENDING',
  'SENDING_SLOWLY',
  'DELIVERED',
  'REFUNDING',
  'REFUND_REPEATED',
  'REFUND_WITH_US',
  'REFUNDED',
  'TAKEN_BACK',
  'EXPIRED',
  'CANCELED',
] as const;
export type PurchaseStanding = (typeof STANDINGS)[number];

export function purchaseStanding(transaction: Transaction, at: Instant): PurchaseStanding {
  return BY_STATUS[transaction.status](transaction, at);
}

const unlessOver = (standing: PurchaseStanding) => (transaction: Transaction, at: Instant) =>
  isPastDeadline(transaction, at.now) ? 'CLOSING' : standing;

const BY_STATUS: Record<Status, (transaction: Transaction, at: Instant) => PurchaseStanding> = {
  CREATED: unlessOver('WAITS_FOR_CLIENT'),
  AWAITING_MFA: unlessOver('WAITS_FOR_CLIENT'),
  AWAITING_PIX: unlessOver('WAITS_FOR_PIX'),
  PROCESSING: (transaction, at) => (isSlow(transaction, at) ? 'SENDING_SLOWLY' : 'SENDING'),
  COMPLETED: () => 'DELIVERED',
  FAILED: standingOfRefund,
  EXPIRED: () => 'EXPIRED',
  CANCELED: () => 'CANCELED',
};

/**
 * A failed purchase without a refund owes nothing, because the provider itself has already returned the whole
 * payment: docs/decisions.md, "MED refunds and fraud".
 */
function standingOfRefund({ refund }: Transaction): PurchaseStanding {
  if (!refund) return 'TAKEN_BACK';
  if (refund.status === 'REFUNDED') return 'REFUNDED';
  if (refund.status === 'FAILED') return 'REFUND_WITH_US';
  return refund.tries ? 'REFUND_REPEATED' : 'REFUNDING';
}

/**
 * The instant that the story shows as the start of the standing. A transfer that is under way counts from the
 * payment. A closing purchase counts from its deadline, and a done refund from its end. Any other standing
 * counts from the purchase's last change of status.
 */
export function sinceOf(transaction: Transaction, standing: PurchaseStanding): number {
  const { payment, refund, expiresAt } = transaction;
  const since = reachedAt(transaction);
  if (standing === 'CLOSING') return expiresAt ?? since;
  if (refund?.status === 'REFUNDED') return refund.refundedAt;
  return standing === 'SENDING' || standing === 'SENDING_SLOWLY' ? (payment?.paidAt ?? since) : since;
}

/**
 * The deadline of the client, or the earliest instant of a refund's next try. Undefined if the standing has
 * neither.
 */
export function nextByOf({ expiresAt, refund }: Transaction, standing: PurchaseStanding): number | undefined {
  if (standing === 'WAITS_FOR_CLIENT' || standing === 'WAITS_FOR_PIX') return expiresAt;
  return standing === 'REFUND_REPEATED' ? refund?.nextTryAt : undefined;
}

const UNTIL = {
  pt: (time: string) => `até ${time} (horário de Brasília)`,
  en: (time: string) => `by ${time} (Brasília time)`,
};
const until = (language: 'pt' | 'en', at: number | undefined) =>
  at === undefined ? '' : ` ${UNTIL[language](timeIn(language, at))}`;

const ofRefundIn = (language: 'pt' | 'en', { refund, amountCentavos }: Transaction) =>
  brlIn(language, refund?.amountCentavos ?? amountCentavos);

const NOTHING: Words = { pt: 'Não há mais nada a fazer.', en: 'There is nothing left to do.' };
const NEW_PURCHASE: Words = {
  pt: 'Para comprar, abra uma nova compra. Um Pix pago depois do prazo volta por inteiro.',
  en: 'To buy, open a new purchase. A Pix that is paid after the end goes back in full.',
};

/**
 * For each standing, what is true now and what comes next. No text names a check, a list or a review:
 * docs/decisions.md, "Facts that partners learn".
 */
export const STANDING_WORDS: Record<
  PurchaseStanding,
  (transaction: Transaction) => { now: Words; next: Words }
> = {
  WAITS_FOR_CLIENT: ({ challenge, expiresAt }) => {
    const [pt, en] =
      challenge.type === 'LIVENESS'
        ? ['Mostre o rosto na página de verificação', 'Show your face on the verification page']
        : ['Digite o código do seu aplicativo autenticador', 'Type the code of your authenticator app'];
    return {
      now: {
        pt: 'A compra aguarda a confirmação de identidade.',
        en: 'The purchase waits for the confirmation of identity.',
      },
      next: { pt: `${pt}${until('pt', expiresAt)}.`, en: `${en}${until('en', expiresAt)}.` },
    };
  },
  WAITS_FOR_PIX: ({ amountCentavos, expiresAt }) => ({
    now: { pt: 'A compra aguarda o pagamento por Pix.', en: 'The purchase waits for the Pix payment.' },
    next: {
      pt: `Pague ${brlIn('pt', amountCentavos)} da sua própria conta${until('pt', expiresAt)}.`,
      en: `Pay ${brlIn('en', amountCentavos)} from your own account${until('en', expiresAt)}.`,
    },
  }),
  CLOSING: () => ({
    now: { pt: 'O prazo da compra terminou.', en: 'The time of the purchase has ended.' },
    next: {
      pt: 'A compra será encerrada em instantes. Um Pix pago depois do prazo volta por inteiro.',
      en: 'The purchase is closed in a moment. A Pix that is paid after the end goes back in full.',
    },
  }),
  SENDING: ({ asset }) => ({
    now: {
      pt: `O pagamento foi recebido, e o envio de ${asset} está em andamento.`,
      en: `The payment was received, and the transfer of ${asset} is under way.`,
    },
    next: {
      pt: 'O envio costuma levar poucos minutos. Não pague de novo.',
      en: 'The transfer usually takes a few minutes. Do not pay again.',
    },
  }),
  SENDING_SLOWLY: ({ asset }) => ({
    now: {
      pt: `O pagamento foi recebido, e o envio de ${asset} leva mais tempo que o normal.`,
      en: `The payment was received, and the transfer of ${asset} takes longer than usual.`,
    },
    next: {
      pt: 'Nossa equipe acompanha a compra: o envio chega, ou o valor volta. Não pague de novo.',
      en: 'Our team follows the purchase: the transfer arrives, or the money goes back. Do not pay again.',
    },
  }),
  DELIVERED: ({ asset }) => ({
    now: {
      pt: `A compra foi concluída: os ${asset} estão na carteira.`,
      en: `The purchase is completed: the ${asset} is in the wallet.`,
    },
    next: NOTHING,
  }),
  REFUNDING: (transaction) => ({
    now: {
      pt: `A devolução de ${ofRefundIn('pt', transaction)} está em andamento.`,
      en: `The refund of ${ofRefundIn('en', transaction)} is under way.`,
    },
    next: {
      pt: 'O valor volta por Pix para a conta de onde veio, em geral em poucos minutos.',
      en: 'The money goes back by Pix to the account that it came from, usually within a few minutes.',
    },
  }),
  REFUND_REPEATED: (transaction) => ({
    now: {
      pt: `O banco não aceitou a devolução de ${ofRefundIn('pt', transaction)}.`,
      en: `The bank did not accept the refund of ${ofRefundIn('en', transaction)}.`,
    },
    next: {
      pt: 'Tentaremos de novo. Verifique se a conta de onde o Pix veio ainda está aberta.',
      en: 'We try again. Check that the account from which the Pix came is still open.',
    },
  }),
  REFUND_WITH_US: (transaction) => ({
    now: {
      pt: `O banco recusou a devolução de ${ofRefundIn('pt', transaction)}.`,
      en: `The bank refused the refund of ${ofRefundIn('en', transaction)}.`,
    },
    next: {
      pt: 'Nossa equipe cuida da devolução e fala com o parceiro.',
      en: 'Our team looks after the refund and talks to the partner.',
    },
  }),
  REFUNDED: (transaction) => ({
    now: {
      pt: `${ofRefundIn('pt', transaction)} voltaram para a conta de onde vieram.`,
      en: `${ofRefundIn('en', transaction)} went back to the account that they came from.`,
    },
    next: NOTHING,
  }),
  TAKEN_BACK: () => ({
    now: {
      pt: 'O banco de quem pagou retirou o valor. Não há nada a devolver.',
      en: 'The payer’s bank took the money back. There is nothing to refund.',
    },
    next: NOTHING,
  }),
  EXPIRED: () => ({
    now: { pt: 'A compra terminou sem pagamento.', en: 'The purchase ended without a payment.' },
    next: NEW_PURCHASE,
  }),
  CANCELED: () => ({
    now: { pt: 'A compra foi cancelada.', en: 'The purchase was canceled.' },
    next: NEW_PURCHASE,
  }),
};
