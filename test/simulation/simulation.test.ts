import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { inCopy } from './mutants/tree.ts';

const ROOT = new URL('../../', import.meta.url).pathname;
/** For a machine that has much else to do; on a quiet one it is a fifth of that. */
const LONG_MS = 600_000;
const SIMULATE = 'test/simulation/simulate.ts';

type Ran = { code: number | null; out: string };

/** The command as one runs it, in a process of its own: it takes over the process's time and dice. */
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

/** Whatever can be called can fail so. */
const OF_ALL = ['FAIL', 'UNSENT', 'LOSE', 'DELAY', 'KILL_BEFORE', 'KILL_AFTER'];
const OF_WRITES = ['TWICE', 'LATE'];
/** KMS and Secrets Manager are only read. */
const OF_SERVICE: Record<string, string[]> = {
  dynamodb: [...OF_ALL, ...OF_WRITES, 'THROTTLE', 'CONFLICT', 'STALE'],
  sfn: [...OF_ALL, ...OF_WRITES, 'THROTTLE', 'STALE'],
  sqs: [...OF_ALL, ...OF_WRITES, 'THROTTLE'],
  kms: [...OF_ALL, 'THROTTLE'],
  secrets: [...OF_ALL, 'THROTTLE'],
  pix: [...OF_ALL, ...OF_WRITES, 'STALE'],
  rpc: [...OF_ALL, ...OF_WRITES, 'STALE'],
  webhook: OF_ALL,
};
const FAULTS = Object.entries(OF_SERVICE).flatMap(([service, faults]) =>
  faults.map((fault) => `faults ${service} ${fault}`),
);
/** What the payer's bank does, and when. */
const TAKEN_BACK = [
  ...['whole', 'in part', 'before settlement', 'during settlement', 'once COMPLETED'],
  'while a refund is pending',
].map((what) => `MED ${what}`);
/** What else the world does. */
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
  'charges refused for want of tokens',
];

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
      // What held where hardly anybody bought, or nothing went wrong, would say nothing.
      expect(countOf(out, 'purchases COMPLETED')).toBeGreaterThan(50);
      for (const happened of HAPPENS) expect(countOf(out, happened), happened).toBeGreaterThan(0);
      expect(code).toBe(0);
    },
    LONG_MS,
  );

  it.each([...FAULTS, ...TAKEN_BACK])('meet "%s"', (fault) => {
    const times = printed.map((out) => countOf(out, fault)).reduce((sum, each) => sum + each, 0);

    expect(times).toBeGreaterThan(0);
  });
});

describe('a seed', () => {
  it(
    'replays exactly, and is another history than the next',
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
    'is found, told with the shortest history, and replayed from what was printed',
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
    'is found where all that it does is to throw, again and again',
    async () => {
      const plant = {
        file: 'functions/schedules/queue-due-deliveries.ts',
        was: 'const now = clock.now();',
        is: 'const now = (clock as unknown as { then(): number }).then();',
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
