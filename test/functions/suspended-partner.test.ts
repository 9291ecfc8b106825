import { generateSync } from 'otplib';
import { describe, expect, test } from 'vitest';
import { confirmMfa } from '../../functions/api/confirm-mfa.ts';
import { livenessIdOf } from '../../functions/domain/kyc/identity.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { newTotpSecret } from '../../functions/logic/purchase/totp.ts';
import { processCallback } from '../../functions/queues/process-callback.ts';
import { expireTransaction } from '../../functions/steps/expire-transaction.ts';
import { aClient, MINUTE_MS } from '../support/builders.ts';
import { eventsOf, MFA_UNTIL, openPorts, putPurchaseIn, reread, START_AT } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const tables = memoryTables();

/** A purchase in AWAITING_MFA, its client, and the partner's row, which the test changes. */
async function challenged(changes: Partial<Transaction>) {
  const ports = openPorts(tables);
  const purchase = await putPurchaseIn(ports, 'AWAITING_MFA', changes);
  const { id, clientId, partnerId } = purchase;
  const secret = newTotpSecret(ports.random);
  const cipher = (text: string) => ports.vault.encrypt(text, clientId);
  await ports.clients.create(
    aClient({
      id: clientId,
      partnerId,
      totpCipher: await ports.totpSealer.encrypt(secret, clientId),
      cpfCipher: await cipher('52998224725'),
    }),
  );
  const partner = (await ports.partners.findPartner(partnerId))!;
  const setStatus = async (status: Partner['status']) => {
    const now = (await ports.partners.findPartner(partnerId))!;
    expect(await ports.partners.save(now, { status })).toBe(true);
  };
  return {
    ports,
    purchase,
    suspend: () => setStatus('SUSPENDED'),
    reinstate: () => setStatus('ACTIVE'),
    row: () => reread(ports, purchase),
    eventTypes: async () => (await eventsOf(ports, purchase)).map(({ type }) => type),
    pass: () =>
      ports.identity.checks.set(livenessIdOf(id, 1), { status: 'PASSED', reviewedAt: START_AT + 1 }),
    news: () => processCallback({ livenessIds: [livenessIdOf(id, 1)] }, ports),
    expire: () => expireTransaction({ transactionId: id }, ports),
    /**
     * Confirms the challenge as the endpoint does after the check of the key, which was made while the partner was
     * active.
     */
    confirm: (totpCode = generateSync({ secret, epoch: ports.clock.now() / 1000 }), seed = 'one key') =>
      confirmMfa({ id, totpCode }, { partner, keyId: 'key1', ids: reservedIds({ at: 0, seed }) }, ports),
  };
}

const LIVENESS = {
  challenge: { type: 'LIVENESS' },
  riskTier: 'HIGH',
  liveness: { attempt: 1, url: 'https://identity.example/1', urlExpiresAt: START_AT + 10 * MINUTE_MS },
} as const;

describe('a liveness check that is passed while the partner is suspended', () => {
  // docs/decisions.md, "Accounts of partners"
  test('issues no charge and sends no event, and the purchase expires', async () => {
    const { ports, suspend, pass, news, expire, row, eventTypes } = await challenged(LIVENESS);
    pass();
    await suspend();

    await news();
    expect(await row()).toMatchObject({ status: 'AWAITING_MFA' });
    ports.clock.advance(MFA_UNTIL - START_AT);

    expect(await expire()).toMatchObject({ status: 'EXPIRED' });
    expect(ports.pix.charges.size).toBe(0);
    expect(await eventTypes()).toEqual(['transaction.expired']);
  });

  test('counts once the partner is reinstated within the fifteen minutes', async () => {
    const { suspend, reinstate, pass, news, row, eventTypes } = await challenged(LIVENESS);
    pass();
    await suspend();
    await news();
    await reinstate();

    await news();

    expect(await row()).toMatchObject({ status: 'AWAITING_PIX' });
    expect(await eventTypes()).toEqual(['transaction.mfa_cleared', 'transaction.pix_ready']);
  });

  test('issues no charge at the time-out of its machine either', async () => {
    const { ports, suspend, pass, expire, row } = await challenged(LIVENESS);
    pass();
    await suspend();
    ports.clock.advance(MFA_UNTIL - START_AT);

    await expire();

    expect(await row()).toMatchObject({ status: 'EXPIRED' });
    expect(ports.pix.charges.size).toBe(0);
  });
});

describe('a right code', () => {
  test('is refused if the partner was suspended after the check of its key; no try is used up', async () => {
    const { ports, suspend, confirm, row, eventTypes } = await challenged({});
    await suspend();

    for (let call = 0; call < 7; call++)
      await expect(confirm()).rejects.toMatchObject({ code: 'PARTNER_SUSPENDED' });

    expect(await row()).toMatchObject({ status: 'AWAITING_MFA', mfaAttempts: 0 });
    expect(ports.pix.charges.size).toBe(0);
    expect(await eventTypes()).toEqual([]);
  });

  test('is refused if the suspension comes at the last moment before the charge', async () => {
    const { ports, suspend, confirm, row } = await challenged({});
    const { open } = ports.promises;
    ports.promises.open = async (...promise) => {
      await open(...promise);
      await suspend();
    };

    await expect(confirm()).rejects.toMatchObject({ code: 'PARTNER_SUSPENDED' });

    expect(await row()).toMatchObject({ status: 'AWAITING_MFA' });
    expect(ports.pix.charges.size).toBe(0);
  });

  test('continues under its key once the partner is reinstated, even if the code is old', async () => {
    const { ports, suspend, reinstate, confirm } = await challenged({});
    await suspend();
    const code = '000000';
    await expect(confirm()).rejects.toMatchObject({ code: 'PARTNER_SUSPENDED' });
    ports.clock.advance(10 * MINUTE_MS);
    await reinstate();

    await expect(confirm(code, 'another key')).rejects.toMatchObject({ code: 'MFA_INVALID_CODE' });
    expect(await confirm(code)).toMatchObject({ status: 'AWAITING_PIX' });
  });
});
