import { describe, expect, it } from 'vitest';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { checkWalletRisk } from '../../functions/steps/check-wallet-risk.ts';
import { confirmPixPayment } from '../../functions/steps/confirm-pix-payment.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { correctable, payFor } from '../support/corrected.ts';
import { reread } from '../support/ports.ts';
import { indexOf, onList } from '../support/rescreening.ts';

const NEAR = onList('OFAC_SDN', 0.8, { zone: 'REVIEW' });

/** A purchase whose client's data are noted as wrong while it has the status. */
async function correctedIn(status: 'AWAITING_MFA' | 'AWAITING_PIX' | 'PROCESSING') {
  const world = await correctable();
  const { ports, buyer } = world;
  const opened = await buyer.initiate();
  const transactionId = opened.transactionId;
  const correctIn = async (now: typeof status) => {
    expect(await reread(ports, { id: transactionId })).toMatchObject({ status: now });
    ports.clock.advance(MINUTE_MS / 4);
    if (now === status) expect(await world.correct()).toContain('ended');
  };
  await correctIn('AWAITING_MFA');
  await buyer.confirm(opened);
  await correctIn('AWAITING_PIX');
  await payFor(transactionId, ports);
  await correctIn('PROCESSING');
  await expect(buyer.initiate()).rejects.toMatchObject({ code: 'KYC_TOKEN_EXPIRED' });
  return { ...world, transactionId, check: () => checkWalletRisk({ transactionId }, ports) };
}

// docs/operations.md, "A client's rights"
describe('an open purchase of a person whose data are noted as wrong', () => {
  it.each(['AWAITING_MFA', 'AWAITING_PIX', 'PROCESSING'] as const)(
    'goes on with its own checks from %s',
    async (status) => {
      const { transactionId, check, ports } = await correctedIn(status);

      const { checkedAt, decision } = await check();

      expect(decision).toBe('CLEAR');
      expect(await confirmPixPayment({ transactionId, checkedAt }, ports)).toMatchObject({ transactionId });
    },
  );

  it('is refused by a list that has changed since', async () => {
    const { ports, check } = await correctedIn('PROCESSING');
    ports.sanctions.index = indexOf(31);
    ports.sanctions.candidates = [onList('OFAC_SDN')];

    await expect(check()).rejects.toMatchObject({ name: 'CLIENT_REFUSED' });
  });

  it('does not wait for ever for a review of the ended record', async () => {
    const { ports, check } = await correctedIn('AWAITING_PIX');
    ports.sanctions.index = indexOf(31);
    ports.sanctions.candidates = [NEAR];
    await expect(check()).rejects.toMatchObject({ name: 'ReviewPending' });
    ports.clock.advance(2 * MINUTE_MS);
    await reviewPendingKyc(ports);
    await expect(check()).rejects.toMatchObject({ name: 'ReviewPending' });

    const [found] = await ports.cases.listOpen();
    const decision = { decidedBy: 'ana', decidedAt: ports.clock.now(), reason: 'another person' };
    await ports.cases.decide(found!.id, { status: 'CLEARED', ...decision });

    expect(await check()).toMatchObject({ decision: 'CLEAR' });
  });
});
