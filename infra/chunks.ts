/**
 * The modules that share one file of the bundle. Each file costs a cold start some 0.3 ms, more than some kB of unused
 * code. Without these rows a function would load up to 170 files. A build needs some 600 MB of memory.
 */
import type { CodeSplittingGroup } from 'rolldown';

type Row = Omit<CodeSplittingGroup, 'name' | 'test'>;

/**
 * The folders of `functions/domain` that are a chunk each. The chunk `domain` comes before them. Each folder depends
 * only on those before it.
 */
const SUBJECTS = ['screening', 'kyc', 'purchase', 'treasury', 'books', 'watching'] as const;

const chunk = (name: string, test: RegExp, row: Row = {}) => ({ name, test, ...row });

/** The chunk of one AWS client with its commands. A function loads the chunk only if it uses this client. */
const client = (name: string) => chunk(name, new RegExp(`/(?:client-${name}/|aws/clients/${name}\\.ts)`));

/**
 * The chunk of one folder of the domain. It leaves out the check of an address, because only that check loads `ethers`.
 */
const subject = (name: string) =>
  chunk(`domain-${name}`, new RegExp(`/functions/domain/${name}/(?!wallet-address)`), { minShareCount: 2 });

/**
 * The rows in the order of their dependencies: a module goes to the first row that matches it, or that imports it.
 * In this order no two files import each other.
 */
const ROWS = [
  // Node's own modules, and what both the logger and the clients of AWS import.
  chunk('node', /^\0node:|\/@aws\/lambda-invoke-store\//),
  chunk('zod', /\/node_modules\/zod\//),
  chunk('address', /\/ethers\/lib\.esm\/address\//),
  chunk('domain', /\/functions\/domain\/(?:partners\/|[^/]+$)/, { minShareCount: 2 }),
  ...SUBJECTS.map(subject),
  chunk('live', /\/functions\/adapters\/live/),
  chunk('endpoint', /\/functions\/entry\/endpoint\.ts$/),
  // The queues need the batches, and must not load the logger with them: its import sets a variable.
  chunk('batch', /\/@aws-lambda-powertools\/batch\//),
  chunk('log', /\/adapters\/aws\/log\.ts$/),
  client('dynamodb'),
  chunk('stores', /\/functions\/adapters\/dynamodb\//),
  ...['kms', 's3', 'sfn', 'sqs', 'secrets-manager'].map(client),
  chunk(
    'chain',
    /\/adapters\/(?:chain\/(?:chain|erc20|post|rpc|sanctions-oracle|token-issuer)|wallet-risk)\.ts$/,
  ),
  chunk('lists', /\/adapters\/lists\/(?:folder|listed-wallets|publication|published|s3)\.ts$/),
];

export const CHUNKS: CodeSplittingGroup[] = ROWS.map((row, index) => ({
  ...row,
  priority: ROWS.length - index,
}));
