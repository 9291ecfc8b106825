import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

/** The files of `ethers` that check an address. Keccak is all that they use of the cryptography. */
const OF_ADDRESSES = /\/ethers\/lib\.esm\/address\/[\w-]+\.js$/;

/**
 * Makes the check of an address load Keccak alone. esbuild splits chunks by files. The index file of the
 * cryptography imports secp256k1 (50 kB), which only the signers need.
 */
export const keccakAlone: Plugin = {
  name: 'keccak-alone',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/crypto\/index\.js$/ }, ({ importer, resolveDir }) =>
      OF_ADDRESSES.test(importer) ? { path: join(dirname(resolveDir), 'crypto/keccak.js') } : undefined,
    );
  },
};

/** The files of zod that write a schema as JSON Schema. */
const OF_JSON_SCHEMA = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/;
const EXPORTED = /^export (?:const|function) (\w+)/gm;

/**
 * Leaves out the part of zod that writes JSON Schema (15 kB), which every schema of zod would import. Only the API's
 * document uses that part, and it is made before the bundle.
 */
export const schemasUnwritten: Plugin = {
  name: 'schemas-unwritten',
  setup({ onLoad }) {
    onLoad({ filter: OF_JSON_SCHEMA }, ({ path }) => {
      const names = [...readFileSync(path, 'utf8').matchAll(EXPORTED)].map(([, name]) => name);
      const absent = "const absent = () => () => { throw new Error('a function writes no JSON Schema'); };";
      return { contents: [absent, ...names.map((name) => `export const ${name} = absent;`)].join('\n') };
    });
  },
};
