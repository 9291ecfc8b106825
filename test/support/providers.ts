import { livenessOfReview } from '../../functions/adapters/identity/wire.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import type { IdentityReview, LivenessCheck } from '../../functions/domain/kyc/identity.ts';
import type { IdentityProvider } from '../../functions/domain/kyc/identity-ports.ts';
import type { CompanyEntry, RegistryEntry } from '../../functions/domain/kyc/kyc.ts';
import type { CompanyRegistry, CpfRegistry } from '../../functions/domain/kyc/registry-ports.ts';
import type { Posting } from '../../functions/domain/ledger.ts';
import type { WebhookPost, WebhookSender } from '../../functions/domain/partners/webhook-ports.ts';
import type { Queue } from '../../functions/domain/ports.ts';
import type { Machine } from '../../functions/domain/purchase/machine-ports.ts';
import type { PayerProof } from '../../functions/domain/purchase/payer-watch.ts';
import type { PayerMatch, PixCharge, PixRefund, ReceivedPix } from '../../functions/domain/purchase/pix.ts';
import type { PixProvider } from '../../functions/domain/purchase/pix-ports.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { Candidate, Identity, IndexInUse } from '../../functions/domain/screening/screening.ts';
import type { SanctionsLists } from '../../functions/domain/screening/screening-ports.ts';
import type { WalletRisk } from '../../functions/domain/screening/wallet-ports.ts';
import {
  decideWallet,
  type VendorFinding,
  type WalletFacts,
} from '../../functions/domain/screening/wallet-risk.ts';
import type { Outflows, TransferOut, WalletCoins } from '../../functions/domain/treasury/outflow-ports.ts';
import type { Payout, Settlement, SettlementOutcome } from '../../functions/domain/treasury/settlement.ts';
import type { Treasury } from '../../functions/domain/treasury/settlement-ports.ts';

/** Stubs of the providers. Each stub in this file answers as the test sets it, and records its calls. */

type Refund = { endToEndId: string; id: string; amountCentavos: number };

export type StubPix = PixProvider & {
  now: () => number;
  isDown: boolean;
  charges: Map<string, PixCharge>;
  received: ReceivedPix[];
  /** Called before a charge is closed, for events at the provider at that instant. */
  beforeClosing: (txid: string) => void | Promise<void>;
  closed: string[];
  payer: PayerMatch;
  askedPayers: { endToEndId: string; cpf: string }[];
  refundStatus: PixRefund['status'];
  refunds: Refund[];
  /** The refunds that a read finds at the provider, by their ids. */
  formerRefunds: Map<string, PixRefund>;
  registrations: number;
  /** The centavos in the account. Undefined: the provider has no call for them, which is accepted. */
  balance: number | 'UNWATCHED' | undefined;
  /** The proof of the payer, and the provider's setting about it. Undefined: the provider has none. */
  proof: PayerProof;
  isEnforced: boolean | undefined;
  /** The most received Pix in one answer. Pix of the same instant stay together. */
  atOnce: number;
};

export function stubPix(now: () => number = () => 0): StubPix {
  const answer = async <T>(value: () => T): Promise<T> => {
    if (stub.isDown) throw new Unavailable('the payment provider');
    return value();
  };
  const stub: StubPix = {
    now,
    isDown: false,
    charges: new Map(),
    received: [],
    beforeClosing: () => undefined,
    closed: [],
    payer: 'MATCH',
    askedPayers: [],
    refundStatus: 'REFUNDED',
    refunds: [],
    formerRefunds: new Map(),
    registrations: 0,
    balance: undefined,
    proof: 'NOT_NEEDED',
    isEnforced: undefined,
    atOnce: Number.POSITIVE_INFINITY,
    createCharge: ({ txid, amountCentavos, expiresInSeconds }) =>
      answer(() => {
        const known = stub.charges.get(txid);
        if (known) return structuredClone(known);
        const opened: PixCharge = {
          txid,
          amountCentavos,
          status: 'ACTIVE',
          key: 'our-key',
          payload: `BRCODE-${txid}`,
          createdAt: stub.now(),
          expiresAt: stub.now() + expiresInSeconds * 1000,
          payments: [],
        };
        stub.charges.set(txid, opened);
        return structuredClone(opened);
      }),
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
      answer(() => {
        const all = stub.received
          .filter(({ paidAt }) => paidAt >= from && paidAt <= to)
          .sort((one, other) => one.paidAt - other.paidAt);
        const next = all.slice(stub.atOnce).find(({ paidAt }) => paidAt > all[0]!.paidAt);
        if (!next) return { received: all, upTo: to };
        return { received: all.filter(({ paidAt }) => paidAt < next.paidAt), upTo: next.paidAt };
      }),
    findReceived: (id) =>
      answer(() => {
        const onCharges = [...stub.charges.values()].flatMap(({ payments }) => payments);
        return [...stub.received, ...onCharges].find(({ endToEndId }) => endToEndId === id);
      }),
    refund: (refund) =>
      answer(() => {
        stub.refunds.push(refund);
        return { status: stub.refundStatus };
      }),
    findRefund: ({ id }) => answer(() => stub.formerRefunds.get(id)),
    findBalance: () => answer(() => stub.balance),
    findPayerProof: async () => stub.proof,
    isPayerEnforced: () => answer(() => stub.isEnforced),
    registerCallback: () => answer(() => void stub.registrations++),
  };
  return stub;
}

export type StubMachine = Machine & {
  started: { transactionId: string; status: Status; executions: number }[];
  /** The executions that run, named `<id>#<executions>`. */
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
    begin: () => ({ found: Promise.resolve(undefined), clear: () => undefined }),
  };
  return stub;
}

export type StubOutflows = Outflows & {
  isDown: boolean;
  transfers: (TransferOut & { at: number })[];
  owners: Map<string, Settlement>;
  /** The postings of gas that the nonces ask for. */
  gas: Map<string, Posting>;
  coins: WalletCoins[];
  /** All blocks up to this instant are final. */
  finalAt: number;
};

/** A chain with the given transfers. `owners` holds the settlement that owns each nonce. */
export function stubOutflows(): StubOutflows {
  const up = async <T>(value: () => T): Promise<T> => {
    if (stub.isDown) throw new Unavailable('chain RPC');
    return value();
  };
  const stub: StubOutflows = {
    isDown: false,
    transfers: [],
    owners: new Map(),
    gas: new Map(),
    coins: [],
    finalAt: Number.MAX_SAFE_INTEGER,
    listTransfers: (from, to) =>
      up(() => ({
        transfers: stub.transfers.filter(({ at }) => at >= from && at <= Math.min(to, stub.finalAt)),
        upTo: stub.finalAt,
      })),
    findTransfers: (txHash) => up(() => stub.transfers.filter((each) => each.txHash === txHash)),
    listCoins: () => up(() => structuredClone(stub.coins)),
    findOwner: (wallet, nonce) => up(() => stub.owners.get(`${wallet}#${nonce}`)),
    findGasPosting: (wallet, nonce) => up(() => stub.gas.get(`${wallet}#${nonce}`)),
  };
  return stub;
}

export type StubWalletRisk = WalletRisk & {
  isDown: boolean;
  /** The oracle's answer. */
  isSanctioned: boolean;
  /** The OFAC entry that names the wallet. */
  entryId?: string;
  vendor?: VendorFinding;
  /** The answer of every token's issuer. */
  isBlocked: boolean;
  /** The publication of the lists that is searched. */
  index: IndexInUse;
  asked: string[];
};

export function stubWalletRisk(): StubWalletRisk {
  const stub: StubWalletRisk = {
    isDown: false,
    isSanctioned: false,
    isBlocked: false,
    index: { version: '2026-01-01T00:00:00.000Z', digest: 'ab'.repeat(32), source: 'PUBLISHED' },
    asked: [],
    async check(address, asset) {
      stub.asked.push(address);
      if (stub.isDown) throw new Unavailable('the sanctions oracle');
      const { index, entryId, vendor, isSanctioned, isBlocked } = stub;
      const oracle = { address: '0xoracle', blockNumber: 42, isSanctioned };
      const listed = entryId === undefined ? { index } : { index, entryId };
      const issuer = asset && { asset, token: '0xtoken', blockNumber: 43, isBlocked };
      const facts: WalletFacts = {
        listed,
        oracle,
        unavailable: [],
        ...(issuer && { issuer }),
        ...(vendor && { vendor }),
      };
      return { ...decideWallet(facts)!, facts };
    },
    listReserved: () => [],
    findHead: async () => 42n,
  };
  return stub;
}

type Posted = { url: string } & WebhookPost;
export type StubSender = WebhookSender & {
  /** The HTTP status that each URL answers. The default is 200. */
  answers: Map<string, () => Promise<number | undefined>>;
  /** The beginning of each answer. */
  excerpt?: string;
  posted: Posted[];
};

export function stubSender(): StubSender {
  const stub: StubSender = {
    answers: new Map(),
    posted: [],
    isAllowed: (url) => url.startsWith('https://'),
    async post(url, message) {
      stub.posted.push({ url, ...message });
      const statusCode = await (stub.answers.get(url) ?? (async () => 200))();
      return { statusCode, excerpt: stub.excerpt };
    },
  };
  return stub;
}

export function stubQueue(): Queue & { sent: Record<string, unknown>[] } {
  const sent: Record<string, unknown>[] = [];
  return { sent, send: async (message) => void sent.push(message) };
}

export type StubIdentity = IdentityProvider & {
  isDown: boolean;
  /** The review of each client. A client without an entry is approved, and no document was read. */
  reviews: Map<string, IdentityReview>;
  /** The liveness checks by their ids. The default is a pending check of a client who was verified long ago. */
  checks: Map<string, LivenessCheck>;
  /** The links in the order of the calls. */
  links: { clientId: string; livenessId: string; ttlSeconds: number }[];
  /** The instants since when documents count as the check, in the order of the calls. */
  documentsSince: (number | undefined)[];
  /** How often a client's review was read. */
  reviewsAsked: number;
  applicants: { clientId: string; cpf: string }[];
};

export function stubIdentity(): StubIdentity {
  const answer = async <T>(value: () => T): Promise<T> => {
    if (stub.isDown) throw new Unavailable('the identity provider');
    return value();
  };
  const reviewOf = (clientId: string): IdentityReview =>
    stub.reviews.get(clientId) ?? { applicantId: `applicant-${clientId}`, status: 'APPROVED' };
  const stub: StubIdentity = {
    isDown: false,
    reviews: new Map(),
    checks: new Map(),
    links: [],
    documentsSince: [],
    reviewsAsked: 0,
    applicants: [],
    openApplicant: (applicant) =>
      answer(() => {
        stub.applicants.push(applicant);
        stub.reviewsAsked++;
        return reviewOf(applicant.clientId);
      }),
    findReview: (clientId) =>
      answer(() => {
        stub.reviewsAsked++;
        return reviewOf(clientId);
      }),
    verificationLink: (clientId) => answer(() => `https://identity.example/verify/${clientId}`),
    widgetToken: (clientId) => answer(() => `widget-${clientId}`),
    livenessLink: (check) =>
      answer(() => {
        stub.links.push(check);
        const url = `https://identity.example/${check.livenessId}/${stub.links.length}`;
        const isVerified = (stub.reviews.get(check.clientId)?.status ?? 'APPROVED') === 'APPROVED';
        return isVerified ? { url } : { url, withDocuments: true };
      }),
    findLiveness: ({ clientId, livenessId, documentsSince }) =>
      answer(() => {
        stub.documentsSince.push(documentsSince);
        const review = stub.reviews.get(clientId);
        const answered = review && livenessOfReview(review, documentsSince);
        return answered ?? { verifiedAt: 0, status: 'PENDING', ...stub.checks.get(livenessId) };
      }),
    isSigned: async () => true,
    readCallback: () => undefined,
  };
  return stub;
}

/** `entry` is the registry's answer for every CPF. Undefined stands for a number that the registry does not have. */
export type StubRegistry = CpfRegistry & {
  isDown: boolean;
  entry?: Omit<RegistryEntry, 'cpf'>;
  asked: string[];
};

export function stubRegistry(): StubRegistry {
  const stub: StubRegistry = {
    isDown: false,
    entry: { name: 'MARIA APARECIDA TESTE', birthDate: '1980-01-01', situation: 'REGULAR' },
    asked: [],
    async findCpf(cpf) {
      stub.asked.push(cpf);
      if (stub.isDown) throw new Unavailable('the CPF registry');
      return stub.entry && { ...stub.entry, cpf };
    },
  };
  return stub;
}

/** `entry` is the registry's answer for every CNPJ. Undefined stands for a number that the registry does not have. */
export type StubCompanies = CompanyRegistry & { isDown: boolean; entry?: CompanyEntry; asked: string[] };

export function stubCompanies(): StubCompanies {
  const stub: StubCompanies = {
    isDown: false,
    entry: { name: 'COMERCIO DE TESTES LTDA', situation: 'ACTIVE' },
    asked: [],
    async findCnpj(cnpj) {
      stub.asked.push(cnpj);
      if (stub.isDown) throw new Unavailable('the company registry');
      return stub.entry;
    },
  };
  return stub;
}

export type StubLists = SanctionsLists & {
  isDown: boolean;
  candidates: Candidate[];
  index: IndexInUse;
  searched: Identity[];
};

export function stubLists(): StubLists {
  const stub: StubLists = {
    isDown: false,
    candidates: [],
    // The version is later than any index of the shared sandbox. Its schedule would search again for a newer index.
    index: { version: '2098-01-01T00:00:00.000Z', digest: 'ab'.repeat(32), source: 'PUBLISHED' },
    searched: [],
    async search(identity) {
      if (stub.isDown) throw new Unavailable('sanctions lists');
      stub.searched.push(identity);
      return { index: stub.index, lists: [], candidates: stub.candidates };
    },
    async findIndex() {
      if (stub.isDown) throw new Unavailable('sanctions lists');
      return stub.index;
    },
  };
  return stub;
}
