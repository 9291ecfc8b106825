import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { submitKyc } from '../../functions/api/submit-kyc.ts';
import { Refusal } from '../../functions/domain/errors.ts';
import { vouchFor } from '../../sandbox/partner-keys.ts';
import type { Told } from './risk/sale-guard.ts';
import { type Bought, request, type Shop } from './shop.ts';

/** Opens the purchase. The service must refuse the quote of another partner, or for other terms. */
export async function open(bought: Opening, used: Told | undefined, shop: Shop): Promise<Opened | undefined> {
  const { quoting } = bought.plan;
  if (!used) return initiate('InitiateTransaction', bought, shop);
  const tries = [initiate('InitiateTransaction quoted', { ...bought, quoteId: used.quoteId }, shop)];
  if (quoting === 'twice at once')
    tries.push(initiate('InitiateTransaction again', { ...bought, quoteId: used.quoteId }, shop));
  const [opened] = (await Promise.all(tries)).filter((each) => each !== undefined);
  const isRefused = quoting === 'of another partner' || quoting === 'for other terms';
  return isRefused && !opened ? initiate('InitiateTransaction', bought, shop) : opened;
}

type Opening = Bought & { kycToken: string; quoteId?: string };
type Opened = { transactionId: string };

function initiate(name: string, { kycToken, quoteId, ...bought }: Opening, shop: Shop) {
  const { plan } = bought;
  const { asset, wallet: walletAddress } = plan;
  const order = { kycToken, asset, walletAddress, amountBrl: plan.amountCentavos / 100 };
  return request(name, bought, shop, (ports, ids) =>
    initiateTransaction(
      quoteId ? { ...order, quoteId } : order,
      { partner: shop.partnerOf(plan), ids },
      ports,
    ),
  ) as Promise<Opened | undefined>;
}

/**
 * Exchanges the partner's KYC token for ours (Model 2). The partner repeats the same request until it is answered.
 */
export async function vouch({ plan, ...bought }: Bought, shop: Shop): Promise<string | undefined> {
  const { cpf, scope } = plan;
  const { kernel, report } = shop;
  const partner = shop.partnerOf(plan);
  const partnerKycToken = await kernel.outOfTime(
    vouchFor(cpf, { id: `token of ${scope}`, now: kernel.now() }),
  );
  const submitted = { cpf, partnerKycToken, personType: 'PF' as const };
  const answer = await request('SubmitKyc', { plan, ...bought }, shop, (ports, ids) =>
    submitKyc(submitted, { partner, ids }, ports).catch((error: unknown) => {
      // Invariant 7: only this request uses the token, so a refusal means that the token was spent without a record.
      if (error instanceof Refusal && error.name === 'KYC_REJECTED')
        report({ invariant: 7, says: `${scope}: a partner's token was spent without its record`, scope });
      throw error;
    }),
  );
  return (answer as { token: string } | undefined)?.token;
}
