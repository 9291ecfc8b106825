import { readFileSync } from 'node:fs';
import type { InterfaceAbi } from 'ethers';
import { TOKEN_CONTRACTS, type TokenContract } from './tokens.ts';

export type Contract = { abi: InterfaceAbi; bytecode: string };
export type Contracts = Record<(typeof NAMES)[number], Contract>;

export const NAMES = [...(Object.keys(TOKEN_CONTRACTS) as TokenContract[]), 'SanctionsOracle'] as const;

let contracts: Contracts | undefined;

/**
 * The compiled test contracts. Their file is in the repository, because the compiler would take 2 s of CPU at
 * each first start.
 */
export function readContracts(): Contracts {
  contracts ??= JSON.parse(readFileSync(new URL('contracts.json', import.meta.url), 'utf8')) as Contracts;
  return contracts;
}
