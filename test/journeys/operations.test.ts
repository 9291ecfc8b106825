import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { announce } from '../support/events.ts';
import { operations } from '../support/operations.ts';
import { forgetCharges, rowsWhere } from '../support/partner-api.ts';
import { pspAt } from '../support/psp.ts';
import { clearMfa, endOf, eventsOf, openPix, openPurchase, SLOW_MS } from '../support/purchases.ts';
import { isSignedBy, startReceiver } from '../support/receiver.ts';
import {
  eventually,
  newPartner,
  randomCpf,
  rowOf,
  sandbox,
  totpCode,
  untilNextSecond,
} from '../support/sandbox.ts';

const { ops, write } = operations();

const WHY = ['--reason', 'journey'];
const clientOf = (apiKey: string) => createOnrampClient({ apiKey, baseUrl: sandbox().url });
const lines = ({ out }: { out: string }) => out.trimEnd().split('\n');
const newId = () => `o${crypto.randomUUID().replaceAll('-', '').slice(0, 16)}`;

/** The records of the operations about a subject, the oldest first. */
async function recordsOf(subject: string) {
  const rows = await rowsWhere('TablesEvidence', ({ id }) => String(id).startsWith(`${subject}#`));
  return rows.sort((a, b) => Number(a.at) - Number(b.at));
}

/** A partner made by the command, with its own key. */
async function created() {
  const id = newId();
  await ops(['partners', 'create', id, '--name', 'Acme Ltda', '--spread', '150', '--yes']);
  const [key = ''] = lines(await ops(['keys', 'create', id, '--yes']));
  return { id, key, client: clientOf(key) };
}

describe('a partner', () => {
  // docs/decisions.md, "API keys"
  test('is made, with keys that are shown once and open the service', async () => {
    const id = newId();

    const made = await ops(['partners', 'create', id, '--name', 'Acme Ltda', '--spread', '150'], `${id}\n`);
    const first = await ops(['keys', 'create', id], 'yes\n');
    const second = await ops(['keys', 'create', id, 'backup', '--yes']);

    expect([made, first, second].map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(made.err).toContain('margin of 1.5 %');
    const keys = [first, second].map(({ out }) => out.trimEnd());
    expect(keys).toEqual([
      expect.stringMatching(new RegExp(`^sk_sandbox_${id}_key1_[0-9a-f]{48}$`)),
      expect.stringMatching(new RegExp(`^sk_sandbox_${id}_backup_[0-9a-f]{48}$`)),
    ]);
    for (const key of keys) {
      const account = await clientOf(key).partner.get();
      expect(account).toMatchObject({ id, name: 'Acme Ltda', status: 'ACTIVE', spreadBasisPoints: 150 });
    }
    const shown = await ops(['partners', 'show', id]);
    expect(shown.out).toMatch(/key {2}key1 +ACTIVE.*\nkey {2}backup +ACTIVE/);
    expect((await ops(['partners', 'list'])).out).toMatch(
      new RegExp(`^${id} +ACTIVE +150 bp +Acme Ltda$`, 'm'),
    );
    const evidence = JSON.stringify(
      await rowsWhere('TablesEvidence', ({ id: row }) => String(row).startsWith(id)),
    );
    for (const key of keys) {
      expect(shown.out + evidence).not.toContain(key.split('_').at(-1));
    }
  });

  test('is refused from the next request after a suspension, and served after its end', async () => {
    const { id, client } = await created();
    expect((await client.partner.get()).id).toBe(id);

    const suspended = await ops(['partners', 'suspend', id, ...WHY], `${id}\n`);

    expect(suspended.code).toBe(0);
    await expect(client.partner.get()).rejects.toMatchObject({ status: 403, code: 'PARTNER_SUSPENDED' });
    expect((await ops(['partners', 'reinstate', id, '--yes'])).code).toBe(0);
    expect(await client.partner.get()).toMatchObject({ id, status: 'ACTIVE' });
    const [ordered] = (await recordsOf(id)).filter(
      ({ inputs }) => String((inputs as { command: string }).command) === 'partners suspend',
    );
    expect(ordered).toMatchObject({
      kind: 'operation',
      decidedBy: 'ana@onramp.example',
      inputs: { command: 'partners suspend', from: 'ACTIVE', to: 'SUSPENDED' },
      decision: { reason: 'journey', outcome: 'ORDERED' },
    });
  });

  // docs/decisions.md, "Accounts of partners"
  test('gets after a suspension all events of that time', async () => {
    const purchase = await openPix();
    const { partnerId, transactionId } = purchase;
    expect((await ops(['partners', 'suspend', partnerId, ...WHY, '--yes'])).code).toBe(0);
    expect(await pspAt(sandbox()).pay(transactionId)).toBe(200);
    const status = async () => (await rowOf('TablesTransactions', transactionId))?.status;
    await eventually(status, (now) => now === 'COMPLETED', SLOW_MS);
    const listed = () => ops(['deliveries', 'list', '--event', `${transactionId}.2`]);
    await eventually(listed, ({ out }) => / {2}HELD +0 tries {2}/.test(out), SLOW_MS);

    const reinstated = await ops(['partners', 'reinstate', partnerId, '--yes']);

    expect(reinstated.out).toContain(`${partnerId} is ACTIVE.`);
    await endOf(purchase, ['COMPLETED']);
    expect((await eventsOf(purchase, 2)).map(({ type }) => type)).toEqual([
      'transaction.processing',
      'transaction.completed',
    ]);
    expect((await listed()).out).toContain('DELIVERED  1 try ');
  });

  test('has a key revoked at once and for ever', async () => {
    const { id, client } = await created();
    const [other = ''] = lines(await ops(['keys', 'create', id, '--yes']));

    expect((await ops(['keys', 'revoke', id, 'key1', ...WHY, '--yes'])).code).toBe(0);

    await expect(client.partner.get()).rejects.toMatchObject({ status: 401, code: 'INVALID_API_KEY' });
    expect((await clientOf(other).partner.get()).keys).toMatchObject([
      { id: 'key1', status: 'REVOKED' },
      { id: 'key2', status: 'ACTIVE' },
    ]);
    const again = await ops(['keys', 'create', id, 'key1', '--yes']);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('has had a key key1 already') });
  });

  test('gets webhook endpoints and new secrets for them, and loses endpoints', async () => {
    const receiver = await startReceiver();
    const { id } = await created();

    const [secret = '', told = ''] = lines(
      await ops(['endpoints', 'add', id, '--url', receiver.url, '--yes']),
    );
    const endpointId = told.split(' ').at(-1)!.replace('.', '');
    const [rotated = ''] = lines(await ops(['endpoints', 'rotate', id, endpointId, '--yes']));

    const [eventId] = await announce(id, 1);
    const find = async () => receiver.received.find((each) => each.id === eventId);
    const event = (await eventually(find, (found) => found !== undefined, SLOW_MS))!;
    expect(await isSignedBy(secret, event)).toBe(true);
    expect(await isSignedBy(rotated, event)).toBe(true);
    const listed = await ops(['deliveries', 'list', '--event', eventId!]);
    expect(listed.out).toContain(`${eventId}  ${endpointId}  DELIVERED  1 try  HTTP 204`);
    expect((await ops(['endpoints', 'remove', id, endpointId, '--yes'])).code).toBe(0);
    expect((await ops(['partners', 'show', id])).out).not.toContain(receiver.url);
    for (const url of ['https://10.0.0.1/', 'http://partner.example/hook']) {
      const { code, err } = await ops(['endpoints', 'add', id, '--url', url, '--yes']);
      expect({ url, code, err }).toMatchObject({ code: 2, err: expect.stringContaining('an https address') });
    }
  });

  test('registers a vendor for the KYC tokens of its clients, with public keys only', async () => {
    const { id } = await created();
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const jwks = (key: object) => write(`${newId()}.json`, { keys: [{ ...key, kid: 'vendor-1' }] });
    const audience = `onramp-${id}`;
    const flags = ['--issuer', 'https://vendor.example', '--audience', audience, ...WHY, '--yes'];
    const register = (file: string, partnerId = id) =>
      ops(['partners', 'kyc-tokens', partnerId, ...flags, '--jwks', file]);

    const leaked = await register(jwks(privateKey.export({ format: 'jwk' })));
    const good = await register(jwks(publicKey.export({ format: 'jwk' })));

    expect(leaked).toMatchObject({ code: 2, err: expect.stringContaining('holds a private key') });
    expect(good.code).toBe(0);
    expect((await ops(['partners', 'show', id])).out).toContain(
      `KYC tokens of https://vendor.example for ${audience}`,
    );
    // The same partner may register again, with a new key of its vendor. At two partners one token would serve twice.
    const file = jwks(publicKey.export({ format: 'jwk' }));
    const other = await created();
    expect((await register(file)).code).toBe(0);
    expect(await register(file, other.id)).toMatchObject({
      code: 1,
      err: expect.stringContaining(`${id} accepts tokens of https://vendor.example for ${audience}`),
    });
    expect((await ops(['partners', 'show', other.id])).out).not.toContain('vendor.example');
  });
});

describe('a client who lost the authenticator app', () => {
  // Spec, Authentication: "TOTP for STANDARD, liveness verification for HIGH and PEP"
  // docs/decisions.md, "Codes of a challenge"
  test('proves themselves by liveness after a reset, then enrols again; no old code is accepted', async () => {
    const cpf = randomCpf();
    const partner = await newPartner();
    const purchase = await openPurchase({ partner, cpf });
    await clearMfa(purchase);

    const reset = await ops(['totp', 'reset', '--partner', partner.partnerId, ...WHY], `${cpf}\nyes\n`);

    expect(reset.code).toBe(0);
    expect(reset.out + reset.err).not.toContain(cpf);
    // The provider gives times in seconds. A face of the second of the reset may be older than the reset.
    await untilNextSecond();
    const { client, kycToken, walletAddress } = purchase;
    await forgetCharges({ id: purchase.transactionId });
    const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress } as const;
    const proof = await client.initiateTransaction(request);
    expect(proof.authChallenge).toMatchObject({ type: 'LIVENESS' });
    await client.sandbox.liveness(proof.transactionId, { outcome: 'PASSED' });
    await client.waitForStatus(proof.transactionId, ['AWAITING_PIX'], { timeoutMs: SLOW_MS });
    await forgetCharges({ id: proof.transactionId });
    const next = await client.initiateTransaction(request);
    const { otpauthUri } = next.authChallenge.enrollment!;
    expect(otpauthUri).not.toBe(purchase.otpauthUri);
    const { transactionId } = next;
    const old = client.confirmMfa({ transactionId, totpCode: totpCode(purchase.otpauthUri, 30) });
    await expect(old).rejects.toMatchObject({ code: 'MFA_INVALID_CODE' });
    expect((await client.confirmMfa({ transactionId, totpCode: totpCode(otpauthUri, 30) })).status).toBe(
      'AWAITING_PIX',
    );
    const [record] = await recordsOf(partner.partnerId);
    expect(record).toMatchObject({ decidedBy: 'ana@onramp.example', decision: { reason: 'journey' } });
    expect(JSON.stringify(record)).not.toContain(cpf);
  });
});

describe('the command', () => {
  test('changes nothing without a confirmation', async () => {
    const { id, client } = await created();

    const ends = [
      await ops(['partners', 'suspend', id, ...WHY], 'no\n'),
      await ops(['partners', 'suspend', id, ...WHY], 'another\n'),
      await ops(['partners', 'suspend', id, ...WHY]),
    ];

    expect(ends.map(({ code }) => code)).toEqual([1, 1, 1]);
    expect((await client.partner.get()).status).toBe('ACTIVE');
    expect(JSON.stringify(await recordsOf(id))).not.toContain('partners suspend');
  });

  test('refuses what cannot be done', async () => {
    const id = newId();
    const unknown = await newPartner();

    const refused = [
      ['partners', 'show', id],
      ['partners', 'suspend', id, ...WHY, '--yes'],
      ['keys', 'create', id, '--yes'],
      ['keys', 'revoke', unknown.partnerId, 'key9', ...WHY, '--yes'],
      ['endpoints', 'rotate', unknown.partnerId, 'nothing', '--yes'],
      ['deliveries', 'list', '--event', 'unknown.1'],
      ['partners', 'reinstate', unknown.partnerId, '--yes'],
      ['partners', 'create', unknown.partnerId, '--name', 'x', '--spread', '1', '--yes'],
    ];

    for (const args of refused) expect({ args, code: (await ops(args)).code }).toEqual({ args, code: 1 });
  });
});
