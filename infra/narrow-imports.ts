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
