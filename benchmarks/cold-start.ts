/**
 * Measures the imports of each function at a cold start. The floor is the import of the DynamoDB client alone, in the
 * same run on the same machine.
 *
 * The first figure is the function's own file; its budget is 1.25 times the floor. The second figure adds the
 * adapters that the function imports at its first request.
 */

import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getAt } from '../functions/domain/get.ts';
import { SETTINGS, tableSetting, variableOf } from '../functions/settings.ts';
import { TABLE_LIST } from '../functions/tables.ts';
import { bundle } from '../infra/bundle.ts';
import { readSources } from '../infra/sources.ts';

const ROOT = new URL('../functions/', import.meta.url).pathname;
const RUNS = 9;
const BUDGET = 1.25;

const median = (values: number[]) =>
  getAt(
    values.toSorted((a, b) => a - b),
    Math.floor(values.length / 2),
  );

/** Milliseconds that a new process takes to import the module, without the start of the process. */
function importMs(file: string): number {
  const script = `const t=performance.now();await import(${JSON.stringify(file)});console.log(performance.now()-t)`;
  return Number(
    execFileSync(process.execPath, ['--input-type=module', '-e', script], { env: ENVIRONMENT }).toString(),
  );
}

/** A module that imports the function and the adapters that its first request loads. */
function entryFor(folder: string, { id, path }: { id: string; path: string }) {
  const file = join(folder, `${id}.ts`);
  const from = (name: string) => JSON.stringify(join(ROOT, name));
  writeFileSync(
    file,
    `import { needs } from ${from(`${path}.ts`)};\nimport { live } from ${from('adapters/live.ts')};\n` +
      'export const ports = await live(needs);\n',
  );
  return { path: id, file };
}

/** Any values will do, because the import calls no service. */
const ENVIRONMENT: Record<string, string> = { PATH: process.env.PATH ?? '', AWS_REGION: 'us-east-1' };
for (const setting of [...SETTINGS, ...TABLE_LIST.map(({ name }) => tableSetting(name))]) {
  ENVIRONMENT[variableOf(setting)] = setting === 'chain' ? '{"chainId":1,"tokens":{}}' : '1';
}

const folder = mkdtempSync(join(tmpdir(), 'cold-start-'));
try {
  const floorSource = join(folder, 'floor.ts');
  const client = new URL('../node_modules/@aws-sdk/client-dynamodb/dist-es/index.js', import.meta.url)
    .pathname;
  writeFileSync(
    floorSource,
    `import { DynamoDBClient, GetItemCommand } from ${JSON.stringify(client)};\n` +
      "export const floor = [new DynamoDBClient({ region: 'us-east-1' }), GetItemCommand];\n",
  );
  const floorFile = join(
    (await bundle(folder, [{ path: 'floor', file: floorSource }])).directory,
    'floor.mjs',
  );
  const sources = await readSources(ROOT);
  const own = await bundle(ROOT, sources);
  const withAdapters = await bundle(
    ROOT,
    sources.map((source) => entryFor(folder, source)),
  );

  // The measurements are interleaved, so that a busy moment of the machine affects all of them.
  const floor: number[] = [];
  const taken = sources.map(({ id, path }) => ({ id, path, own: [] as number[], all: [] as number[] }));
  for (let run = 0; run < RUNS; run++) {
    floor.push(importMs(floorFile));
    for (const each of taken) {
      each.own.push(importMs(join(own.directory, `${each.path}.mjs`)));
      each.all.push(importMs(join(withAdapters.directory, `${each.id}.mjs`)));
    }
  }
  const floorMs = median(floor);
  const times = (values: number[]) => (median(values) / floorMs).toFixed(2);
  console.log(`floor (DynamoDB client alone)  ${floorMs.toFixed(1)} ms`);
  for (const { id, own: alone, all } of taken) {
    const verdict = median(alone) / floorMs <= BUDGET ? '' : '  OVER BUDGET';
    console.log(`${id.padEnd(24)} import ${times(alone)} × floor, with adapters ${times(all)} ×${verdict}`);
  }
} finally {
  rmSync(folder, { recursive: true });
}
