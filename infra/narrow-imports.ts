import { dirname, join } from 'node:path';
import type { Plugin } from 'esbuild';

/** The modules of `ethers` that check an address. They use no cryptography but Keccak. */
const OF_ADDRESSES = /\/ethers\/lib\.esm\/address\/[\w-]+\.js$/;

/**
 * Makes the check of an address load Keccak alone. Chunks are split by files, and the index of the cryptography leads
 * to secp256k1 (50 kB), which only the signers need.
 */
export const keccakAlone: Plugin = {
  name: 'keccak-alone',
  setup({ onResolve }) {
    onResolve({ filter: /^\.\.\/crypto\/index\.js$/ }, ({ importer, resolveDir }) =>
      OF_ADDRESSES.test(importer) ? { path: join(dirname(resolveDir), 'crypto/keccak.js') } : undefined,
    );
  },
};
