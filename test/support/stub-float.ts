import { perAsset } from '../../functions/domain/assets.ts';
import type { Float, Reserved } from '../../functions/domain/treasury/liquidity.ts';
import type { Floats, Liquidity } from '../../functions/domain/treasury/liquidity-ports.ts';

/** A treasury that was read at this instant and has ten million tokens to spare. */
export type StubFloats = Floats & { changes: Partial<Float> };

export function stubFloats(now: () => number): StubFloats {
  const changes: Partial<Float> = {};
  const most = 10n ** 13n;
  const wallets = { block: 1, isGasLow: false, hotWallets: ['0xhot'] };
  const plenty = { ...wallets, room: most, largest: most, hourlyPayout: most };
  return {
    changes,
    findFloat: async (asset) => ({ asset, ...plenty, readAt: now(), ...changes }),
    findRevision: async () => 1,
    listReserved: async () => perAsset(() => []),
    save: async () => true,
    release: async () => {},
    noteLow: async () => true,
  };
}

/** The reservations of charges. While `isEmpty` is true, every further reservation is refused. */
export type StubLiquidity = Liquidity & { isEmpty: boolean; reserved: Reserved[] };

export function stubLiquidity(): StubLiquidity {
  const stub: StubLiquidity = {
    isEmpty: false,
    reserved: [],
    async reserve(_asset, reserved) {
      if (!stub.isEmpty) stub.reserved.push(reserved);
      return !stub.isEmpty;
    },
  };
  return stub;
}
