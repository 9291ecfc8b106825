import { describe, expect, test } from 'vitest';
import { limitsFrom } from '../../functions/domain/purchase/charge-limits.ts';
import { issueCharge } from '../../functions/logic/purchase/issue-charge.ts';
import { limitedClient, outcomeOf } from '../support/limited-client.ts';

const PERSON = 'f'.repeat(64);
const RAISED = { raisedAt: Number.MAX_SAFE_INTEGER, raisedTier: 'HIGH' } as const;

/** A purchase that was opened with a TOTP challenge, and has no charge yet. */
async function opened() {
  const world = await limitedClient();
  const { ports, partner, row, purchase } = world;
  const bought = { ...(await purchase(100)), personId: PERSON };
  const { spreadBasisPoints, limits } = partner;
  const chargedBy = async (trigger: 'MFA code accepted' | 'liveness completed') =>
    outcomeOf(issueCharge(bought, { trigger, client: await row(), spreadBasisPoints, limits }, ports));
  const raise = () => ports.clients.noteVerdict(world.clientId, RAISED);
  return { ports, chargedBy, raise };
}

// docs/decisions.md, "Charge limits of a client"
describe('a client who answered by a code', () => {
  test('gets no charge once the tier was raised', async () => {
    const { ports, chargedBy, raise } = await opened();
    await raise();

    expect(await chargedBy('MFA code accepted')).toBe('CHALLENGE_TYPE_MISMATCH');
    expect([ports.pix.charges.size, ports.liquidity.reserved]).toEqual([0, []]);
    expect(await chargedBy('liveness completed')).toBe('AWAITING_PIX');
  });

  test('gets no charge while a bank disputes a payment of the person at any partner', async () => {
    const { ports, chargedBy } = await opened();
    const open: Record<string, string[]> = { [PERSON]: ['MED_REFUND#1'] };
    ports.personBlocks.listOpenMeds = async (personId) => open[personId] ?? [];

    expect(await chargedBy('MFA code accepted')).toBe('CHALLENGE_TYPE_MISMATCH');
    expect([ports.pix.charges.size, ports.liquidity.reserved]).toEqual([0, []]);
    delete open[PERSON];
    expect(await chargedBy('MFA code accepted')).toBe('AWAITING_PIX');
  });
});

describe('the caps of a charge', () => {
  test('are those of the client’s tier at the charge', async () => {
    const { ports, chargedBy, raise } = await opened();
    ports.chargeLimits = limitsFrom({ tiers: { HIGH: { purchaseBrl: 99 } } });
    await raise();

    expect(await chargedBy('liveness completed')).toBe('LIMIT_EXCEEDED PURCHASE_AMOUNT');
  });
});
