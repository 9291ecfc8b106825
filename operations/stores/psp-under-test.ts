import { proofSubject } from '../../functions/adapters/pix/payer-proof.ts';
import { PROFILES, type Profile } from '../../functions/adapters/pix/profile.ts';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import type { PixContract, PixDeps, PixSettings } from '../../functions/adapters/pix/settings.ts';
import type { PixProvider } from '../../functions/domain/purchase/pix-ports.ts';

/**
 * The payment provider as `psp verify` uses it. This part creates charges without the `payerProof` that production
 * requires, and registers no callback.
 */
type PspUnderTest = Pick<
  PixProvider,
  'createCharge' | 'findCharge' | 'closeCharge' | 'findPayer' | 'refund'
> & {
  /** How the provider tells who has paid, and the subject of the evidence. */
  describe(): Promise<{ payer: Profile['payer']; subject: string }>;
};

export function pspUnderTest(load: () => Promise<PixContract>, deps: PixDeps): PspUnderTest {
  const loadAll = async (): Promise<PixSettings> => ({ ...(await load()), callbackUrl: '' });
  return {
    ...pixProvider(loadAll, deps),
    async describe() {
      const settings = await loadAll();
      return { payer: PROFILES[settings.profile ?? 'bacen'].payer, subject: proofSubject(settings) };
    },
  };
}
