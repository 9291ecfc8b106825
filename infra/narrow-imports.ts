import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Plugin } from 'rolldown';

/** The files of `ethers` that check an address. Keccak is all that they use of the cryptography. */
const OF_ADDRESSES = /\/ethers\/lib\.esm\/address\/[\w-]+\.js$/;

/**
 * Makes the check of an address load Keccak alone. Chunks are split by files. The index file of the
 * cryptography imports secp256k1 (50 kB), which only the signers need.
 */
export const keccakAlone: Plugin = {
  name: 'keccak-alone',
  resolveId: {
    filter: { id: /^\.\.\/crypto\/index\.js$/ },
    handler: (_, importer = '') =>
      OF_ADDRESSES.test(importer) ? join(dirname(importer), '../crypto/keccak.js') : undefined,
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
  load: {
    filter: { id: OF_JSON_SCHEMA },
    handler(path) {
      const names = [...readFileSync(path, 'utf8').matchAll(EXPORTED)].map(([, name]) => name);
      const absent = "const absent = () => () => { throw new Error('a function writes no JSON Schema'); };";
      return [absent, ...names.map((name) => `export const ${name} = absent;`)].join('\n');
    },
  },
};

/**
 * Makes zod interpret its schemas. Otherwise zod compiles each schema of an object at its first use. That costs a cold
 * start some 5 ms, and an instance checks few requests.
 */
export const schemasInterpreted: Plugin = {
  name: 'schemas-interpreted',
  transform: {
    filter: { id: /\/zod\/v4\/core\/core\.js$/ },
    handler: (code) => `${code}\nconfig({ jitless: true });`,
  },
};
