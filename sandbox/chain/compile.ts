import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { InterfaceAbi } from 'ethers';
import { getDefined } from '../../functions/domain/get.ts';
import { TOKEN_CONTRACTS, type TokenContract } from './tokens.ts';

export type Contract = { abi: InterfaceAbi; bytecode: string };
export type Contracts = Record<(typeof NAMES)[number], Contract>;

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: InterfaceAbi; evm: { bytecode: { object: string } } }>>;
};

const TOKENS = Object.keys(TOKEN_CONTRACTS) as TokenContract[];
const NAMES = [...TOKENS, 'SanctionsOracle'] as const;
/** The token contracts inherit from these sources. They are not deployed on their own. */
const PARTS = ['Trap'] as const;
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
};
const require = createRequire(import.meta.url);
const repositoryRoot = new URL('../../', import.meta.url);

/**
 * The test contracts, compiled offline. The result is cached by the sources' hash, because loading the compiler alone
 * takes 0.3 s.
 */
export function compileContracts(cacheDirectory = new URL('.cache/solc/', repositoryRoot)): Contracts {
  const input = JSON.stringify({ language: 'Solidity', sources: readSources(), settings: SETTINGS });
  const { version } = require('solc/package.json') as { version: string };
  const hash = createHash('sha256').update(version).update(input).digest('hex').slice(0, 32);
  const cached = new URL(`${hash}.json`, cacheDirectory);
  if (existsSync(cached)) return JSON.parse(readFileSync(cached, 'utf8')) as Contracts;

  const contracts = compile(input);
  mkdirSync(cacheDirectory, { recursive: true });
  // Writes to another file and renames it, so that a second process never reads half a file.
  const partial = new URL(`${hash}.${randomUUID()}.tmp`, cacheDirectory);
  writeFileSync(partial, JSON.stringify(contracts));
  renameSync(partial, cached);
  return contracts;
}

function readSources(): Record<string, { content: string }> {
  const read = (name: string) => readFileSync(new URL(`${name}.sol`, import.meta.url), 'utf8');
  return Object.fromEntries([...NAMES, ...PARTS].map((name) => [`${name}.sol`, { content: read(name) }]));
}

function compile(input: string): Contracts {
  const solc = require('solc') as { compile(input: string): string };
  const output = JSON.parse(solc.compile(input)) as Output;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  const contract = (name: string): Contract => {
    const { abi, evm } = getDefined(output.contracts[`${name}.sol`]?.[name], `contract ${name}`);
    return { abi, bytecode: `0x${evm.bytecode.object}` };
  };
  return Object.fromEntries(NAMES.map((name) => [name, contract(name)])) as Contracts;
}
