/** Writes `wire.txt` anew. A change that breaks a partner is refused, unless it is accepted with `--accept`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { type Fact, factsOf } from '../../docs/openapi/contract.ts';
import { changesBetween } from '../../docs/openapi/contract-changes.ts';
import { sandboxDocument } from '../support/openapi.ts';

const FILE = new URL('wire.txt', import.meta.url);

export const HOW_TO_ACCEPT =
  'The wire contract only grows. If no partner can notice, or every partner has agreed, accept the change with ' +
  '`npm run docs -- --accept`, and announce it in CHANGELOG.md.';

export function readContract(): Fact[] {
  return existsSync(FILE) ? (readFileSync(FILE, 'utf8').trimEnd().split('\n') as Fact[]) : [];
}

export const presentContract = async (): Promise<Fact[]> => factsOf(await sandboxDocument());

async function main(isAccepted: boolean): Promise<void> {
  const after = await presentContract();
  const { broken } = changesBetween(readContract(), after);
  if (broken.length === 0 || isAccepted) return writeFileSync(FILE, `${after.join('\n')}\n`);
  console.error(['The change breaks partners:', ...broken, HOW_TO_ACCEPT].join('\n'));
  process.exitCode = 1;
}

if (import.meta.main) await main(process.argv.includes('--accept'));
