import type { Asset } from '../assets.ts';
import type { ChargePromise, PromiseTerms } from '../purchase/promise-ports.ts';
import type { ChargeClaim } from '../purchase/usage-ports.ts';
import type { Reserved } from './liquidity.ts';

/** All that a charge takes before anybody can pay it. */
type ChargeNeeds = {
  claim: ChargeClaim;
  promise: ChargePromise;
  reserved: Reserved & { asset: Asset };
};

export type Charges = {
  /**
   * Claims the limits, opens the promise and reserves the units in one write. False: probably nothing was written.
   * Something has no room, an earlier try has taken a part, or the outcome is unknown. The caller then takes each part
   * alone, and learns which it is.
   */
  take(needs: ChargeNeeds, terms: PromiseTerms): Promise<boolean>;
};
