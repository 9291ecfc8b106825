/** The events of a purchase's life, in words that a partner's support may read to a client. */
import { assetAmountOf } from '../assets.ts';
import { brlIn, decimalIn, shortAddress, type Words } from '../wording.ts';
import { FAILURE_REASONS, type FailureReason } from './return-reasons.ts';
import type { Status } from './status.ts';
import type { Transaction } from './transaction.ts';
import type { UnmatchedPayment } from './unmatched-payment.ts';

/** Each event of the story, and whether partners see it. */
export const HAPPENINGS = {
  OPENED: { isForPartner: true },
  CONFIRMED: { isForPartner: true },
  PAID: { isForPartner: true },
  DELIVERED: { isForPartner: true },
  NOT_DELIVERED: { isForPartner: true },
  /** Partners do not see the reason of a failure. It may be a suspicion, which the client must not learn. */
  REASON_RECORDED: { isForPartner: false },
  EXPIRED: { isForPartner: true },
  CANCELED: { isForPartner: true },
  REFUNDED: { isForPartner: true },
  OTHER_PIX_RECEIVED: { isForPartner: true },
  OTHER_PIX_RETURNED: { isForPartner: true },
} as const satisfies Record<string, { isForPartner: boolean }>;
export type HappeningName = keyof typeof HAPPENINGS;
export type Happening = { what: HappeningName; at: number; words: Words };

export type StoryFacts = {
  transaction: Transaction;
  /** Pix with the purchase's txid that did not pay it. */
  unmatched: readonly UnmatchedPayment[];
};

/** The events in the order of time. Events of one instant keep the order in which they are listed here. */
export function happeningsOf({ transaction, unmatched }: StoryFacts): Happening[] {
  const { createdAt, history } = transaction;
  const told = [
    { what: 'OPENED' as const, at: createdAt, words: openedWords(transaction) },
    ...paid(transaction),
    ...history.flatMap(({ status, at }) => MOVES[status](transaction, at)),
    ...refunded(transaction),
    ...unmatched.flatMap(otherPix),
  ];
  return told.sort((one, other) => one.at - other.at);
}

/**
 * The move to this status adds no event of its own. `happeningsOf` tells of the purchase's opening and of
 * its payment from other facts.
 */
const toldElsewhere = (): Happening[] => [];

/** For each status: the events of the purchase's move to this status. */
const MOVES: Record<Status, (transaction: Transaction, at: number) => Happening[]> = {
  CREATED: toldElsewhere,
  AWAITING_MFA: toldElsewhere,
  PROCESSING: toldElsewhere,
  AWAITING_PIX: (transaction, at) => [{ what: 'CONFIRMED', at, words: confirmedWords(transaction) }],
  COMPLETED: (transaction, at) => [{ what: 'DELIVERED', at, words: deliveredWords(transaction) }],
  FAILED: notDelivered,
  EXPIRED: (_, at) => [
    {
      what: 'EXPIRED',
      at,
      words: {
        pt: 'O prazo terminou sem pagamento, e a compra foi encerrada.',
        en: 'The time ended without a payment, and the purchase was closed.',
      },
    },
  ],
  CANCELED: (_, at) => [
    {
      what: 'CANCELED',
      at,
      words: {
        pt: 'A compra foi cancelada antes do pagamento.',
        en: 'The purchase was canceled before payment.',
      },
    },
  ],
};

function openedWords({ amountCentavos, asset, walletAddress }: Transaction): Words {
  const wallet = shortAddress(walletAddress);
  return {
    pt: `A compra de ${brlIn('pt', amountCentavos)} em ${asset} para a carteira ${wallet} foi aberta.`,
    en: `The purchase of ${brlIn('en', amountCentavos)} in ${asset} for the wallet ${wallet} was opened.`,
  };
}

function confirmedWords({ challenge }: Transaction): Words {
  const [pt, en] =
    challenge.type === 'LIVENESS'
      ? ['A verificação do rosto foi aceita', 'The face check was accepted']
      : ['O código de segurança foi aceito', 'The security code was accepted'];
  return { pt: `${pt}, e o código Pix foi emitido.`, en: `${en}, and the Pix code was issued.` };
}

function paid({ payment, history }: Transaction): Happening[] {
  if (!payment) return [];
  const { paidAt, amountCentavos } = payment;
  // The event is never later than the instant at which we learned of the payment. A provider's clock may be
  // ahead of ours, and the sandbox dates a late Pix in the future.
  const learned = history.find(({ status }) => status === 'PROCESSING');
  const at = Math.min(paidAt, learned?.at ?? paidAt);
  const words = {
    pt: `O Pix de ${brlIn('pt', amountCentavos)} foi recebido.`,
    en: `The Pix of ${brlIn('en', amountCentavos)} was received.`,
  };
  return [{ what: 'PAID', at, words }];
}

function deliveredWords({ asset, quote, walletAddress }: Transaction): Words {
  const amount = assetAmountOf(asset, quote.assetUnits);
  const [pt, en] = [decimalIn('pt', amount), decimalIn('en', amount)];
  const wallet = shortAddress(walletAddress);
  return {
    pt: `${pt} ${asset} foram enviados para a carteira ${wallet}, e a rede confirmou o envio.`,
    en: `${en} ${asset} were sent to the wallet ${wallet}, and the network confirmed the transfer.`,
  };
}

function notDelivered({ failure }: Transaction, at: number): Happening[] {
  if (!failure) return [{ what: 'NOT_DELIVERED', at, words: NEUTRAL }];
  const { reason } = failure;
  const recorded = {
    pt: `Motivo interno: ${reason}.`,
    en: `Internal reason: ${reason}, ${FAILURE_REASONS[reason]}.`,
  };
  return [
    { what: 'NOT_DELIVERED', at, words: NOT_DELIVERED_WORDS[reason] },
    { what: 'REASON_RECORDED', at, words: recorded },
  ];
}

/**
 * A fault of ours and a suspicion have the same words. Otherwise the words would tell the client of a
 * suspicion.
 */
const NEUTRAL: Words = {
  pt: 'A compra não pôde ser concluída, e nada foi enviado.',
  en: 'The purchase could not be completed, and nothing was sent.',
};

const NOT_DELIVERED_WORDS: Record<FailureReason, Words> = {
  SETTLEMENT_FAILED: NEUTRAL,
  SETTLEMENT_CANCELLED: NEUTRAL,
  SANCTIONS_HIT: NEUTRAL,
  KYC_REJECTED: NEUTRAL,
  WALLET_RISK_TOO_HIGH: NEUTRAL,
  PAYER_MISMATCH: {
    pt: 'O Pix foi pago da conta de outra pessoa. Por isso, nada foi enviado.',
    en: 'The Pix was paid from another person’s account. Therefore nothing was sent.',
  },
  AMOUNT_MISMATCH: {
    pt: 'O valor do Pix é diferente do valor da compra. Por isso, nada foi enviado.',
    en: 'The amount of the Pix is not that of the purchase. Therefore nothing was sent.',
  },
  PAID_LATE: {
    pt: 'O Pix foi pago depois do prazo. Por isso, nada foi enviado.',
    en: 'The Pix was paid after the time had ended. Therefore nothing was sent.',
  },
  PAYMENT_TAKEN_BACK: {
    pt: 'O banco de quem pagou retirou o valor do Pix. Por isso, nada foi enviado.',
    en: 'The payer’s bank took the money of the Pix back. Therefore nothing was sent.',
  },
};

function refunded({ refund }: Transaction): Happening[] {
  if (refund?.status !== 'REFUNDED') return [];
  const words = returnedWords(refund.amountCentavos);
  return [{ what: 'REFUNDED', at: refund.refundedAt, words }];
}

const returnedWords = (amountCentavos: number): Words => ({
  pt: `${brlIn('pt', amountCentavos)} voltaram por Pix para a conta de onde vieram.`,
  en: `${brlIn('en', amountCentavos)} went back by Pix to the account that they came from.`,
});

/** Another Pix with the purchase's txid: a second payment, or a payment after the purchase had ended. */
function otherPix({ amountCentavos, paidAt, refund }: UnmatchedPayment): Happening[] {
  const words = {
    pt: `Chegou um Pix de ${brlIn('pt', amountCentavos)} que não paga esta compra.`,
    en: `A Pix of ${brlIn('en', amountCentavos)} came that does not pay this purchase.`,
  };
  const received: Happening = { what: 'OTHER_PIX_RECEIVED', at: paidAt, words };
  if (refund.status !== 'REFUNDED') return [received];
  const returned = returnedWords(amountCentavos);
  return [received, { what: 'OTHER_PIX_RETURNED', at: refund.refundedAt, words: returned }];
}
