import { readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Bundle, bundle } from '../../infra/bundle.ts';
import { readSources, type Source } from '../../infra/sources.ts';

const ROOT = new URL('../../functions/', import.meta.url).pathname;

/** One use of `z.core` as a value is 330 kB more: the whole of zod, in all its languages. */
const COLD_START_BYTES = 256 * 1024;

let sources: Source[];
let bundled: Bundle;
beforeAll(async () => {
  sources = await readSources(ROOT);
  bundled = await bundle(ROOT, sources);
});

describe('a bundle', () => {
  it('holds a handler of every function, which loads without an environment', async () => {
    for (const { path } of sources) {
      const module = (await import(pathToFileURL(join(bundled.directory, `${path}.mjs`)).href)) as object;
      expect(module, path).toHaveProperty('handler', expect.any(Function));
    }
  });

  it('is the same for the same code', async () => {
    expect(await bundle(ROOT, sources)).toEqual(bundled);
  });

  it('leaves the clients of AWS and of the chain to the first use', () => {
    for (const { path } of sources) {
      const text = [...closureOf(`${path}.mjs`)].map((file) => readFileSync(file, 'utf8')).join('');
      expect(text, path).not.toMatch(/DynamoDB_20120810|TrentService|eth_sendRawTransaction/);
    }
  });

  it('makes a cold start read little before its clients', () => {
    for (const { path } of sources) {
      const bytes = [...closureOf(`${path}.mjs`)].reduce((sum, file) => sum + statSync(file).size, 0);
      expect(bytes, path).toBeLessThan(COLD_START_BYTES);
    }
  });

  it('holds no source map and nothing else that a function does not run', () => {
    const files = readdirSync(bundled.directory, { recursive: true, withFileTypes: true });

    expect(files.filter((file) => file.isFile() && !file.name.endsWith('.mjs'))).toEqual([]);
  });

  /** What a cold start reads: the file with all that it imports statically. */
  function closureOf(name: string): Set<string> {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*"(\.[^"]+)"/g)) {
        visit(join(dirname(file), target));
      }
    };
    visit(join(bundled.directory, name));
    expect([...seen].every((file) => !relative(bundled.directory, file).startsWith('..'))).toBe(true);
    return seen;
  }
});
