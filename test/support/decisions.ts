import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Decision } from '../../sandbox/cloud/iam.ts';

/** A shared sandbox runs for each kind of chain. */
export type ChainKind = 'anvil' | 'simulated';

/** The answers of the policies in the last run of the shared sandbox with a chain: one JSON object a line. */
const fileOf = (chain: ChainKind) =>
  fileURLToPath(new URL(`../../.cache/decisions-${chain}.jsonl`, import.meta.url));

/** Writes the first decision of each kind to the file. Two that differ only in an id are of one kind. */
export function collectDecisions(chain: ChainKind): (decision: Decision) => void {
  const file = fileOf(chain);
  mkdirSync(dirname(file), { recursive: true });
  rmSync(file, { force: true });
  const seen = new Set<string>();
  return (decision) => {
    const kind = kindOf(decision);
    if (seen.has(kind)) return;
    seen.add(kind);
    appendFileSync(file, `${JSON.stringify(decision)}\n`);
  };
}

export function readDecisions(chain: ChainKind): Decision[] {
  const file = fileOf(chain);
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => JSON.parse(line) as Decision);
}

function kindOf({ roleArn, action, resource, isAllowed, context = {} }: Decision): string {
  // The id of an execution and the key of an object follow the name that a policy can hold.
  const place = resource.replace(/(:execution:[^:]+:).*/, '$1').replace(/^(arn:aws:s3:::[^/]+\/).*/, '$1');
  const keys = Object.entries(context).map(([name, value]) =>
    Array.isArray(value) ? [name, [...new Set(value.map(withoutIds))].sort()] : [name],
  );
  return JSON.stringify([roleArn, action, place, isAllowed, keys]);
}

/** Puts 0 for each id and time. All of them have a digit, and no policy names an id or a time. */
const withoutIds = (value: string): string => value.replaceAll(/[\w-]*\d[\w-]*/g, '0');
