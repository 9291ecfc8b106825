/**
 * `npm run contracts` compiles the test contracts and writes `contracts.json`, which the sandbox reads when
 * it starts.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { InterfaceAbi } from 'ethers';
import { getDefined } from '../../functions/domain/get.ts';
import { type Contract, type Contracts, NAMES } from './contracts.ts';

type Output = {
  errors?: { severity: string; formattedMessage: string }[];
  contracts: Record<string, Record<string, { abi: InterfaceAbi; evm: { bytecode: { object: string } } }>>;
};

/** Sources that the token contracts inherit from. No contract is deployed from them alone. */
const PARTS = ['Trap'] as const;
const SETTINGS = {
  evmVersion: 'cancun',
  optimizer: { enabled: true, runs: 200 },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
};

/** Compiles the test contracts from their sources, without the network. Throws the compiler's errors. */
export function compileContracts(): Contracts {
  const solc = createRequire(import.meta.url)('solc') as { compile(input: string): string };
  const input = { language: 'Solidity', sources: readSources(), settings: SETTINGS };
  const output = JSON.parse(solc.compile(JSON.stringify(input))) as Output;
  const errors = (output.errors ?? []).filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw new Error(errors.map((error) => error.formattedMessage).join('\n'));
  const contract = (name: string): Contract => {
    const { abi, evm } = getDefined(output.contracts[`${name}.sol`]?.[name], `contract ${name}`);
    return { abi, bytecode: `0x${evm.bytecode.object}` };
  };
  return Object.fromEntries(NAMES.map((name) => [name, contract(name)])) as Contracts;
}

function readSources(): Record<string, { content: string }> {
  const read = (name: string) => readFileSync(new URL(`${name}.sol`, import.meta.url), 'utf8');
  return Object.fromEntries([...NAMES, ...PARTS].map((name) => [`${name}.sol`, { content: read(name) }]));
}

if (import.meta.main) {
  const file = new URL('contracts.json', import.meta.url);
  writeFileSync(file, `${JSON.stringify(compileContracts(), null, 1)}\n`);
}
