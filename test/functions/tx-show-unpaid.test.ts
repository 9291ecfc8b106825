/** The operators’ story of a purchase that fails outside the state machine. */
import { generateSync } from 'otplib';
import { describe, expect, test } from 'vitest';
import { confirmMfa } from '../../functions/api/confirm-mfa.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { livenessIdOf } from '../../functions/domain/kyc/identity.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { newTotpSecret } from '../../functions/logic/purchase/totp.ts';
import { processCallback } from '../../functions/queues/process-callback.ts';
import type { Desk } from '../../operations/desk.ts';
import { type Shown, shownLines } from '../../operations/shown.ts';
import { dossier } from '../../operations/stores/dossier.ts';
import { txCommands } from '../../operations/tx.ts';
import { aClient, aPartner } from '../support/builders.ts';
import { openPorts, putPurchaseIn, reread, START_AT, type TestPorts } from '../support/ports.ts';
import { memoryTables } from '../support/tables.ts';

const partner = aPartner({ id: 'p1' });

/** A client at the challenge of a purchase, and the first five lines that `tx show` prints about it. */
async function atChallenge(challenge: 'MFA_TOTP' | 'LIVENESS') {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const liveness = { attempt: 1, url: 'https://identity.example/', urlExpiresAt: START_AT + 600_000 };
  const purchase = await putPurchaseIn(ports, 'AWAITING_MFA', {
    partnerId: partner.id,
    challenge: { type: challenge },
    ...(challenge === 'LIVENESS' && { liveness }),
  });
  const { clientId: id } = purchase;
  const secret = newTotpSecret(ports.random);
  const totpCipher = await ports.totpSealer.encrypt(secret, id);
  const cpfCipher = await ports.vault.encrypt('52998224725', id);
  await ports.clients.create(aClient({ id, partnerId: partner.id, totpCipher, cpfCipher }));
  await ports.register.create(partner);
  const visit = { name: purchase.id, status: 'RUNNING', step: 'AwaitAuthentication' };
  const desk = {
    ...ports,
    dossier: dossier(tables.client, tables.names),
    executions: { findExecution: async () => undefined },
    visits: { findVisit: async () => visit },
  } as unknown as Desk;
  const [{ run }] = txCommands as [(typeof txCommands)[number]];
  return {
    ports,
    purchase,
    async code() {
      const ids = reservedIds(newReservation(ports.clock.now(), ports.random));
      const totpCode = generateSync({ secret, epoch: ports.clock.now() / 1000 });
      await confirmMfa({ id: purchase.id, totpCode }, { partner, keyId: 'key1', ids }, ports);
    },
    news: (ids: Parameters<typeof processCallback>[0]) => processCallback(ids, ports),
    async head() {
      const given = { words: [purchase.id], flags: {}, ask: async () => '' };
      return shownLines((await run(given, desk)) as Shown)
        .slice(0, 5)
        .join('\n');
    },
  };
}

const down = (name: string) => async () => {
  throw new Unavailable(name);
};

type Cut = [dependency: string, arrange: (ports: TestPorts) => void, cause: string, todo: string];
const CUTS: Cut[] = [
  [
    'the payment provider',
    (ports) => Object.assign(ports.pix, { createCharge: down('the Pix provider') }),
    'making the Pix charge: the Pix provider is unavailable',
    '$PixSecret',
  ],
  [
    'KMS',
    (ports) => Object.assign(ports.vault, { decrypt: down('KMS') }),
    'making the Pix charge: KMS is unavailable',
    'AWS’s status page',
  ],
  [
    'KMS, at the code',
    (ports) => Object.assign(ports.totpOpener, { decrypt: down('KMS') }),
    'checking the code: KMS is unavailable',
    'AWS’s status page',
  ],
  [
    'every price exchange',
    (ports) => Object.assign(ports.prices, { findBooks: async () => ({ USDT: [], USDC: [] }) }),
    'making the Pix charge: no price can be trusted',
    'treasury show',
  ],
];

// docs/decisions.md, "Facts that partners learn"
describe('the first five lines of a purchase that is not paid', () => {
  test.each(CUTS)(
    'name the cause while %s is cut, although the code is right',
    async (_, arrange, cause, todo) => {
      const { ports, code, head } = await atChallenge('MFA_TOTP');
      arrange(ports);
      await expect(code()).rejects.toThrow();
      await expect(code()).rejects.toThrow();

      expect(await head()).toContain(`${cause}, 2 times since `);
      expect(await head()).toContain(todo);
    },
  );

  test('name the identity provider whose answer about the face is missing', async () => {
    const { ports, purchase, news, head } = await atChallenge('LIVENESS');
    const { findLiveness } = ports.identity;
    Object.assign(ports.identity, { findLiveness: down('the identity provider') });
    const ids = { livenessIds: [livenessIdOf(purchase.id, 1)] };
    await expect(news(ids)).rejects.toThrow('unavailable');

    expect(await head()).toContain(
      'reading the face check: the identity provider is unavailable, once since ',
    );
    expect(await head()).toContain('$IdentitySecret');

    Object.assign(ports.identity, { findLiveness });
    await news(ids);
    expect(await head()).toContain('the client has not passed the face check');
  });

  test('name the payment provider that reports a payment, and cannot be asked about it', async () => {
    const { ports, purchase, code, news, head } = await atChallenge('MFA_TOTP');
    await code();
    Object.assign(ports.pix, { findCharge: down('the Pix provider') });
    await expect(news({ txids: [purchase.id] })).rejects.toThrow('unavailable');

    expect(await head()).toMatch(/^state +AWAITING_PIX since /m);
    expect(await head()).toContain('reading the payment: the Pix provider is unavailable, once since ');
  });

  test.each([
    [14, 'the client has not paid'],
    [
      16,
      'no payment is known, but the payments at the Pix provider were not read, since 2098-12-31 20:44:00',
    ],
  ])('say what is known %i minutes after the provider was read', async (minutes, cause) => {
    const { ports, code, head } = await atChallenge('MFA_TOTP');
    await code();
    await ports.unmatchedPayments.moveCursor(START_AT - minutes * 60_000);

    expect(await head()).toContain(cause);
  });

  test('say nothing of a late report about a purchase that has ended', async () => {
    const { ports, news } = await atChallenge('MFA_TOTP');
    const ended = await putPurchaseIn(ports, 'COMPLETED');
    Object.assign(ports.pix, { findCharge: down('the Pix provider') });
    await expect(news({ txids: [ended.id] })).rejects.toThrow('unavailable');

    expect(await reread(ports, ended)).toEqual(ended);
  });

  test('no longer have the cause once the purchase has moved on', async () => {
    const { ports, purchase, code, head } = await atChallenge('MFA_TOTP');
    const { createCharge } = ports.pix;
    Object.assign(ports.pix, { createCharge: down('the Pix provider') });
    await expect(code()).rejects.toThrow('unavailable');
    Object.assign(ports.pix, { createCharge });
    ports.clock.advance(30_000);
    await code();

    expect((await reread(ports, purchase)).status).toBe('AWAITING_PIX');
    expect(await head()).toContain('the client has not paid');
  });
});
