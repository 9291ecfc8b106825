import { Unavailable } from '../../functions/domain/errors.ts';
import type { PayerMatch, PixCharge, PixRefund, ReceivedPix } from '../../functions/domain/pix.ts';
import type {
  Machine,
  PixProvider,
  Queue,
  Treasury,
  WalletRisk,
  WebhookSender,
} from '../../functions/domain/ports.ts';
import type { Payout, SettlementOutcome } from '../../functions/domain/settlement.ts';
import type { Status } from '../../functions/domain/transaction.ts';

/** The outside as a test wants it: each port does as it is told, and remembers what it was asked. */
type Refund = { endToEndId: string; id: string; amountCentavos: number };

export type StubPix = PixProvider & {
  isDown: boolean;
  charges: Map<string, PixCharge>;
  received: ReceivedPix[];
  /** Runs before a charge is closed: what happens at the provider in that very moment. */
  beforeClosing: (txid: string) => void | Promise<void>;
  closed: string[];
  payer: PayerMatch;
  askedPayers: { endToEndId: string; cpf: string }[];
  refundStatus: PixRefund['status'];
  refunds: Refund[];
  registrations: number;
};

export function stubPix(): StubPix {
  const answer = async <T>(value: () => T): Promise<T> => {
    if (stub.isDown) throw new Unavailable('the payment provider');
    return value();
  };
  const stub: StubPix = {
    isDown: false,
    charges: new Map(),
    received: [],
    beforeClosing: () => undefined,
    closed: [],
    payer: 'MATCH',
    askedPayers: [],
    refundStatus: 'REFUNDED',
    refunds: [],
    registrations: 0,
    createCharge: () => Promise.reject(new Error('no test creates a charge')),
    findCharge: (txid) => answer(() => structuredClone(stub.charges.get(txid))),
    async closeCharge(txid) {
      await stub.beforeClosing(txid);
      return answer(() => {
        stub.closed.push(txid);
        const charge = stub.charges.get(txid);
        if (charge?.status === 'ACTIVE') charge.status = 'CLOSED';
        return structuredClone(charge);
      });
    },
    findPayer: ({ endToEndId }, cpf) =>
      answer(() => {
        stub.askedPayers.push({ endToEndId, cpf });
        return stub.payer;
      }),
    listReceived: (from, to) =>
      answer(() => stub.received.filter(({ paidAt }) => paidAt >= from && paidAt <= to)),
    refund: (refund) =>
      answer(() => {
        stub.refunds.push(refund);
        return { status: stub.refundStatus };
      }),
    readCallback: async () => [],
    registerCallback: () => answer(() => void stub.registrations++),
    isCallbackToken: async () => true,
  };
  return stub;
}

export type StubMachine = Machine & {
  /** Names as `<id>` and `<id>#<executions>`. */
  started: { transactionId: string; status: Status; executions: number }[];
  running: Set<string>;
  resumed: { token: string; output: { transactionId: string; status: Status } }[];
};

export function stubMachine(): StubMachine {
  const stub: StubMachine = {
    started: [],
    running: new Set(),
    resumed: [],
    async start(transactionId, status, executions) {
      stub.started.push({ transactionId, status, executions });
      stub.running.add(`${transactionId}#${executions}`);
    },
    isRunning: async (transactionId, executions) => stub.running.has(`${transactionId}#${executions}`),
    async resume(token, output) {
      stub.resumed.push({ token, output });
    },
  };
  return stub;
}

export type StubTreasury = Treasury & { outcome: SettlementOutcome; payouts: Payout[] };

export function stubTreasury(): StubTreasury {
  const stub: StubTreasury = {
    outcome: { state: 'CONFIRMED', txHash: `0x${'ab'.repeat(32)}`, blockNumber: 7 },
    payouts: [],
    async settle(payout) {
      stub.payouts.push(payout);
      return stub.outcome;
    },
  };
  return stub;
}

export type StubWalletRisk = WalletRisk & { isSanctioned: boolean; isDown: boolean; asked: string[] };

export function stubWalletRisk(): StubWalletRisk {
  const stub: StubWalletRisk = {
    isSanctioned: false,
    isDown: false,
    asked: [],
    async check(address) {
      stub.asked.push(address);
      if (stub.isDown) throw new Unavailable('the sanctions oracle');
      return { isSanctioned: stub.isSanctioned, oracle: '0xoracle', blockNumber: 42 };
    },
    listReserved: () => [],
  };
  return stub;
}

type Posted = { url: string; secret: string; id: string; body: string };
export type StubSender = WebhookSender & {
  /** What each address answers; 200 where nothing is said. */
  answers: Map<string, () => Promise<number | undefined>>;
  posted: Posted[];
};

export function stubSender(): StubSender {
  const stub: StubSender = {
    answers: new Map(),
    posted: [],
    async post(url, secret, { id, body }) {
      stub.posted.push({ url, secret, id, body });
      return (stub.answers.get(url) ?? (async () => 200))();
    },
  };
  return stub;
}

export function stubQueue(): Queue & { sent: Record<string, unknown>[] } {
  const sent: Record<string, unknown>[] = [];
  return { sent, send: async (message) => void sent.push(message) };
}
