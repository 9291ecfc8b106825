import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundle, bundleWithLists, type CodeBundle } from '../../infra/bundle.ts';
import { CHUNKS } from '../../infra/chunks.ts';
import { type FunctionSource, readSources } from '../../infra/sources.ts';
import { type Folder, folderOf } from '../adapters/lists-published-fixtures.ts';
import { entry } from '../adapters/screening-fixtures.ts';

const ROOT = new URL('../../functions/', import.meta.url).pathname;

/** One use of `z.core` as a value adds 330 kB: the whole of zod, in all its languages. */
const COLD_START_BYTES = 260 * 1024;
/** Each file costs a cold start some 0.3 ms. */
const COLD_START_FILES = 32;

let sources: FunctionSource[];
let bundled: CodeBundle;
beforeAll(async () => {
  sources = await readSources(ROOT);
  bundled = await bundle(ROOT, sources);
});

describe('a bundle', () => {
  it('has a handler for every function, and each loads without an environment', async () => {
    for (const { path } of sources) {
      const module = (await import(pathToFileURL(join(bundled.directory, `${path}.mjs`)).href)) as object;
      expect(module, path).toHaveProperty('handler', expect.any(Function));
    }
  });

  it('is the same for the same code', async () => {
    expect(await bundle(ROOT, sources)).toEqual(bundled);
  });

  it('loads the clients of AWS and of the chain only when they are first used', () => {
    for (const { path } of sources) {
      const text = [...closureOf(`${path}.mjs`)].map((file) => readFileSync(file, 'utf8')).join('');
      expect(text, path).not.toMatch(/DynamoDB_20120810|TrentService|eth_sendRawTransaction/);
    }
  });

  it('is small enough for a cold start without its clients', () => {
    for (const { path } of sources) {
      const bytes = [...closureOf(`${path}.mjs`)].reduce((sum, file) => sum + statSync(file).size, 0);
      expect(bytes, path).toBeLessThan(COLD_START_BYTES);
    }
  });

  it('is in few files, because each costs a cold start time', () => {
    for (const { path } of sources) {
      expect(closureOf(`${path}.mjs`).size, path).toBeLessThanOrEqual(COLD_START_FILES);
    }
  });

  it('has a file for each row of shared modules', () => {
    const names = readdirSync(bundled.directory);

    for (const { name } of CHUNKS) {
      expect(
        names.some((file) => file.startsWith(`${String(name)}-`)),
        String(name),
      ).toBe(true);
    }
  });

  it('has no two files that import each other', () => {
    for (const file of readdirSync(bundled.directory).filter((name) => name.endsWith('.mjs'))) {
      for (const target of importsOf(join(bundled.directory, file))) {
        expect(closureOf(relative(bundled.directory, target)), `${file} imports ${target}`).not.toContain(
          join(bundled.directory, file),
        );
      }
    }
  });

  it('reads Node’s own modules without an import, so that none of their lazy parts is loaded', () => {
    for (const file of readdirSync(bundled.directory, { recursive: true, encoding: 'utf8' })) {
      if (!file.endsWith('.mjs')) continue;
      const text = readFileSync(join(bundled.directory, file), 'utf8');
      const names = [...text.matchAll(/(?:from|import)\s*\(?\s*"([^"./][^"]*)"/g)].map(([, name]) => name);
      expect(
        names.filter((name) => name !== 'node:module' && isBuiltin(name!)),
        file,
      ).toEqual([]);
    }
  });

  it('checks a wallet’s address without the curve of the signers', () => {
    const text = [...closureOf('api/initiate-transaction.mjs')]
      .map((file) => readFileSync(file, 'utf8'))
      .join('');

    // The order of secp256k1 ends so.
    expect(text).not.toMatch(/baaedce6af48a03bbfd25e8cd0364141/i);
  });

  it('asks the contract of a token without the library that parses signatures of functions', () => {
    const chain = readdirSync(bundled.directory).find((name) => name.startsWith('chain-'));
    const text = [...closureOf(chain!)].map((file) => readFileSync(file, 'utf8')).join('');

    expect(text).not.toMatch(/forEachFunction/);
  });

  it('checks requests without the part of zod that writes JSON Schema', () => {
    for (const { path } of sources) {
      const text = [...closureOf(`${path}.mjs`)].map((file) => readFileSync(file, 'utf8')).join('');
      expect(text, path).not.toMatch(/draft-2020-12/);
    }
  });

  it('lets zod interpret its schemas, because a cold start checks only one request', async () => {
    await import(pathToFileURL(join(bundled.directory, 'api/partner/get-partner.mjs')).href);

    expect(globalThis).toHaveProperty('__zod_globalConfig.jitless', true);
  });

  it('draws QR codes without a library that draws', () => {
    const text = readdirSync(bundled.directory, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.mjs'))
      .map((file) => readFileSync(join(bundled.directory, file), 'utf8'))
      .join('');

    expect(text).not.toMatch(/Paeth|inflateChunkSize/);
  });

  it('has no source map and nothing else that a function does not run', () => {
    const files = readdirSync(bundled.directory, { recursive: true, withFileTypes: true });

    expect(files.filter((file) => file.isFile() && !file.name.endsWith('.mjs'))).toEqual([]);
  });

  describe('with a copy of the lists', () => {
    const copyOf = (folder: Folder) => {
      const directory = mkdtempSync(join(tmpdir(), 'lists-'));
      mkdirSync(join(directory, 'indexes'));
      for (const name of ['current.json', folder.indexName]) {
        writeFileSync(join(directory, name), folder.objects.get(name)!);
      }
      return directory;
    };
    const folder = folderOf('2026-11-20T10:00:00.000Z', [entry({ name: 'Zeno Fictel' })]);
    const filesOf = ({ directory }: CodeBundle) =>
      readdirSync(directory, { recursive: true, withFileTypes: true })
        .filter((file) => file.isFile())
        .map((file) => relative(directory, join(file.parentPath, file.name)))
        .sort();

    it('has the same code, the publication and its index', () => {
      const both = bundleWithLists(bundled, copyOf(folder));

      const added = ['lists/current.json', `lists/${folder.indexName}`];
      expect(filesOf(both)).toEqual([...filesOf(bundled), ...added].sort());
      expect(readFileSync(join(both.directory, added[1]!))).toEqual(
        Buffer.from(folder.objects.get(folder.indexName)!),
      );
    });

    it('changes with the lists and with the code, and not otherwise', () => {
      const both = bundleWithLists(bundled, copyOf(folder));
      const others = copyOf(folderOf('2026-11-20T12:00:00.000Z', []));

      expect(bundleWithLists(bundled, copyOf(folder))).toEqual(both);
      expect(both.hash).not.toBe(bundled.hash);
      expect(bundleWithLists(bundled, others).hash).not.toBe(both.hash);
      expect(bundleWithLists({ ...bundled, hash: 'other' }, copyOf(folder)).hash).not.toBe(both.hash);
    });
  });

  /** The static imports of one file. */
  function importsOf(file: string): string[] {
    const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*"(\.[^"]+)"/g);
    return [...imports].map(([, target = '']) => join(dirname(file), target));
  }

  /** The files that a cold start reads: the handler's file and all its static imports. */
  function closureOf(name: string): Set<string> {
    const seen = new Set<string>();
    const visit = (file: string): void => {
      if (seen.has(file)) return;
      seen.add(file);
      importsOf(file).forEach(visit);
    };
    visit(join(bundled.directory, name));
    expect([...seen].every((file) => !relative(bundled.directory, file).startsWith('..'))).toBe(true);
    return seen;
  }
});
