import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { inCopy } from './mutants/tree.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
/** A busy machine needs this long. A quiet machine needs a fifth of it. */
const LONG_MS = 600_000;
const SIMULATE = 'test/simulation/simulate.ts';

type Ran = { code: number | null; out: string };

/** Runs the command in its own process, because it replaces the time and the random numbers of the process. */
function simulate(args: string[], cwd = ROOT): Promise<Ran> {
  const child = spawn(process.execPath, [SIMULATE, ...args], { cwd, timeout: LONG_MS });
  let out = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    out += chunk;
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, out })));
}

/** Every service can fail in these ways. */
const OF_ALL = ['FAIL', 'UNSENT', 'LOSE', 'DELAY', 'KILL_BEFORE', 'KILL_AFTER'];
const OF_WRITES = ['TWICE', 'LATE'];
/** The faults of each service. KMS and Secrets Manager have only reads. */
const OF_SERVICE: Record<string, string[]> = {
  dynamodb: [...OF_ALL, ...OF_WRITES, 'THROTTLE', 'CONFLICT', 'STALE'],
  sfn: [...OF_ALL, ...OF_WRITES, 'THROTTLE', 'STALE'],
  sqs: [...OF_ALL, ...OF_WRITES, 'THROTTLE'],
  kms: [...OF_ALL, 'THROTTLE'],
  secrets: [...OF_ALL, 'THROTTLE'],
  pix: [...OF_ALL, ...OF_WRITES, 'STALE'],
  rpc: [...OF_ALL, ...OF_WRITES, 'STALE'],
  webhook: OF_ALL,
  market: OF_ALL,
};
const FAULTS = Object.entries(OF_SERVICE).flatMap(([service, faults]) =>
  faults.map((fault) => `faults ${service} ${fault}`),
);
/** The extents and the moments of the payments that the payer's bank takes back. */
const TAKEN_BACK = [
  ...['whole', 'in part', 'before settlement', 'during settlement', 'once COMPLETED'],
  'while a refund is pending',
].map((what) => `MED ${what}`);
/** The acts of the market, of thieves and of hoarders, and the refusals that they meet. */
const RISKS = [
  'jumps',
  'jumps with open promises',
  'largest loss, basis points of its bound',
  'readings with a false book',
  'quotes charged',
  'persons blocked',
  'clients blocked',
  'pauses for refunds',
  ...['PRICE_UNAVAILABLE', 'CLIENT_BLOCKED', 'LIQUIDITY_UNAVAILABLE'].map((code) => `refused ${code}`),
  ...['EXPIRED', 'USED', 'NOT_FOUND', 'MISMATCH'].map((what) => `refused QUOTE_${what}`),
  ...['CLIENT', 'WALLET', 'PARTNER', 'ASSET'].map((scope) => `refused PROMISES_EXHAUSTED ${scope}`),
  ...['OPEN_CHARGES', 'DAILY_AMOUNT', 'MONTHLY_AMOUNT', 'YEARLY_AMOUNT', 'PURCHASE_AMOUNT'].map(
    (limit) => `refused LIMIT_EXCEEDED ${limit}`,
  ),
];
/** The other events of the world. */
const HAPPENS = [
  'functions out of time',
  'executions lost',
  'steps run twice',
  'messages repeated',
  'reorganisations',
  'transactions dropped from the pool',
  'answers of nodes that lag',
  'answers of nodes on a fork',
  'lies of nodes',
  'transactions that a node took and dropped',
  'untrue refusals of transactions',
  'answers after the time-out',
  'foreign uses of a key',
  'payments that lost their nonce by it',
  'wallets released',
  'partner tokens taken',
  'purchases FAILED, REFUNDED',
  'purchases CANCELED',
  'cancels confirmed',
  'cancels refused',
  'charges',
];
/** These events are so rare that they need not happen with each seed. */
const RARE = ['charges refused for want of tokens'];

function countOf(out: string, name: string): number {
  const line = out.split('\n').find((each) => each.startsWith(`${name} `));
  return Number(line?.slice(name.length) ?? 0);
}

const digestOf = ({ out }: Ran) => /^digest ([0-9a-f]{64})$/m.exec(out)?.[1];

describe('a thousand purchases under faults', () => {
  const printed: string[] = [];

  it.each([1, 2, 3, 4])(
    'keep every invariant, 250 of them with the seed %i',
    async (seed) => {
      const { code, out } = await simulate(['--seed', String(seed), '--purchases', '250']);

      printed.push(out);
      expect(out).toContain('every invariant held');
      // The invariants prove something only if many purchases completed and faults happened.
      expect(countOf(out, 'purchases COMPLETED')).toBeGreaterThan(40);
      for (const happened of HAPPENS) expect(countOf(out, happened), happened).toBeGreaterThan(0);
      expect(code).toBe(0);
    },
    LONG_MS,
  );

  it.each([...FAULTS, ...TAKEN_BACK, ...RISKS, ...RARE])('meet "%s"', (fault) => {
    const times = printed.map((out) => countOf(out, fault)).reduce((sum, each) => sum + each, 0);

    expect(times).toBeGreaterThan(0);
  });
});

describe('a seed', () => {
  it(
    'replays exactly, and gives another history than the next seed',
    async () => {
      const runs = ['7', '7', '8'].map((seed) => simulate(['--seed', seed, '--purchases', '15']));
      const [first, second, other] = (await Promise.all(runs)).map(digestOf);

      expect(first).toBeDefined();
      expect(second).toBe(first);
      expect(other).not.toBe(first);
    },
    LONG_MS,
  );
});

describe('a planted bug', () => {
  it(
    'is found, reported with the shortest history, and replayed by the printed command',
    async () => {
      const plant = {
        file: 'functions/steps/confirm-pix-payment.ts',
        was: 'const decision = decidePayment(facts);',
        is: "const decision = decidePayment({ ...facts, payer: 'MATCH' });",
      };
      await inCopy([plant], async (copy) => {
        const { code, out } = await simulate(['--seed', '1', '--purchases', '50'], copy);

        expect(code).toBe(1);
        expect(out).toContain('3. Nothing is sent without a payment');
        expect(out).toContain('although somebody else paid');
        expect(out).toMatch(/Shortest history \(1 purchases, 0 faults/);
        expect(out).toMatch(/SettleStablecoin#\d+ \[p\d+\] rpc eth_sendRawTransaction/);

        const args = /Replay: npm run simulate -- (.*)$/m.exec(out)?.[1]?.split(' ') ?? [];
        const replayed = await simulate(args, copy);
        expect(replayed.out).toContain('although somebody else paid');
        expect((await simulate(args)).code).toBe(0);
      });
    },
    LONG_MS,
  );

  it(
    'is found even when it only throws, again and again',
    async () => {
      const plant = {
        file: 'functions/schedules/queue-due-deliveries.ts',
        was: 'webhookQueue, clock } = ports;\n  const now = clock.now();',
        is: 'webhookQueue, clock } = ports;\n  const now = (clock as unknown as { then(): number }).then();',
      };
      await inCopy([plant], async (copy) => {
        const { code, out } = await simulate(['--seed', '3', '--purchases', '5'], copy);

        expect(code).toBe(1);
        expect(out).toContain('8. What goes wrong in a function is what the design names');
        expect(out).toMatch(/TypeError: .*is not a function\n\s+at .*queue-due-deliveries\.ts/);
      });
    },
    LONG_MS,
  );
});
