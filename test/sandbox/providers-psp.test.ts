import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { brCode } from '../../sandbox/providers/psp/charge.ts';
import { setSwitches } from '../../sandbox/providers/psp/switches.ts';
import {
  basic,
  CHAVE,
  chargeBody,
  openWorld,
  problemOf,
  pspClient,
  type Sandbox,
  TXID,
} from './providers-support.ts';

function requestToken(sandbox: Sandbox, headers: Record<string, string>, form: Record<string, string>) {
  const body = new URLSearchParams(form).toString();
  const type = { 'content-type': 'application/x-www-form-urlencoded' };
  return sandbox.app.request('/psp/oauth/token', { method: 'POST', headers: { ...type, ...headers }, body });
}

describe('PSP authentication', () => {
  const { clientId, clientSecret } = openWorld().world.settings.psp;

  it('answers invalid_client in the form of OAuth to a wrong secret', async () => {
    const response = await requestToken(
      openWorld(),
      { authorization: basic(clientId, 'wrong') },
      { grant_type: 'client_credentials' },
    );

    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toMatch(/^Basic/);
    expect(await response.json()).toMatchObject({ error: 'invalid_client' });
  });

  it('issues a bearer token with the scopes that were asked for', async () => {
    const form = { grant_type: 'client_credentials', scope: 'cob.read pix.read' };
    const response = await requestToken(openWorld(), { authorization: basic(clientId, clientSecret) }, form);

    expect(await response.json()).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'cob.read pix.read',
    });
  });

  it('issues a token for a body in JSON, as Efí does, with the scope of the balance', async () => {
    const { app } = openWorld();
    const response = await app.request('/psp/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: basic(clientId, clientSecret) },
      body: JSON.stringify({ grant_type: 'client_credentials', scope: 'gn.balance.read' }),
    });
    const { access_token } = (await response.json()) as { access_token: string };

    const headers = { authorization: `Bearer ${access_token}` };
    const shown = await app.request('/psp/v2/gn/saldo?bloqueios=true', { headers });

    expect(await shown.json()).toEqual({
      saldo: '1000000.00',
      bloqueios: { judicial: '0.00', med: '0.00', total: '0.00' },
    });
  });

  it.each([true, false])('shows as Efí does whether only the debtor may pay: %s', async (payerIsDebtor) => {
    const { app, world } = openWorld();
    await setSwitches(world, { payerIsDebtor });
    const token = await app.request('/psp/oauth/token', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: basic(clientId, clientSecret) },
      body: JSON.stringify({ grant_type: 'client_credentials', scope: 'gn.settings.read' }),
    });
    const { access_token } = (await token.json()) as { access_token: string };

    const headers = { authorization: `Bearer ${access_token}` };
    const shown = await app.request('/psp/v2/gn/config', { headers });

    const recebimento = { documentoPagadorIgualDevedor: payerIsDebtor };
    expect(await shown.json()).toMatchObject({
      pix: { chaves: { [world.settings.psp.chave]: { recebimento } } },
    });
  });

  it.each([
    ['no token', undefined],
    ['a forged token', 'Bearer e30.x'],
    ['something else', 'Basic abc'],
  ])('answers 401 to %s', async (_, authorization) => {
    const headers: Record<string, string> = authorization ? { authorization } : {};
    const response = await openWorld().call('GET', `/psp/v2/cob/${TXID}`, undefined, headers);

    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token"/);
    expect((await problemOf(response)).status).toBe(401);
  });

  it('answers 401 to a token that is an hour old or revoked', async () => {
    const sandbox = openWorld();
    const early = await pspClient(sandbox);
    await sandbox.call('POST', '/control/psp/tokens/revoke');

    expect((await early('GET', `/cob/${TXID}`)).status).toBe(401);
    sandbox.wait(1);
    const call = await pspClient(sandbox);
    expect((await call('GET', `/cob/${TXID}`)).status).toBe(404);
    sandbox.wait(3_600_000);
    expect((await call('GET', `/cob/${TXID}`)).status).toBe(401);
  });

  it('answers 403 AcessoNegado to a token without the scope', async () => {
    const call = await pspClient(openWorld(), 'cob.read');

    expect(await problemOf(await call('PUT', `/cob/${TXID}`, chargeBody()))).toMatchObject({
      kind: 'AcessoNegado',
      status: 403,
    });
  });
});

describe('PSP outage', () => {
  it('answers 503 to the next calls and then serves again', async () => {
    const sandbox = openWorld();
    const call = await pspClient(sandbox);
    await sandbox.call('POST', '/control/psp/outage', { calls: 2 });

    const statuses: number[] = [];
    for (let i = 0; i < 3; i++) statuses.push((await call('PUT', `/cob/${TXID}`, chargeBody())).status);

    expect(statuses).toEqual([503, 503, 201]);
  });

  it('answers problem+json to an unknown path', async () => {
    const response = await openWorld().call('GET', '/psp/v2/unknown');

    expect(await problemOf(response)).toMatchObject({ kind: 'NaoEncontrado', status: 404 });
  });
});

describe('webhook registration', () => {
  const webhookUrl = 'https://callbacks.example/pix/hook';

  it('keeps one URL for our key, shows it and forgets it', async () => {
    const call = await pspClient(openWorld());

    expect((await call('PUT', `/webhook/${CHAVE}`, { webhookUrl })).status).toBe(200);
    expect(await (await call('GET', `/webhook/${CHAVE}`)).json()).toEqual({
      webhookUrl,
      chave: CHAVE,
      criacao: '2026-11-20T12:00:00.000Z',
    });
    expect((await call('DELETE', `/webhook/${CHAVE}`)).status).toBe(204);
    expect(await problemOf(await call('GET', `/webhook/${CHAVE}`))).toMatchObject({
      kind: 'WebhookNaoEncontrado',
    });
  });

  it.each([
    ['another key', 'other@example.com', { webhookUrl }],
    ['no URL', CHAVE, {}],
    ['plain http beyond this machine', CHAVE, { webhookUrl: 'http://callbacks.example/pix' }],
    ['plain http to this machine', CHAVE, { webhookUrl: 'http://127.0.0.1:9001/pix' }],
  ])('refuses %s', async (_, chave, body) => {
    const call = await pspClient(openWorld());

    expect(await problemOf(await call('PUT', `/webhook/${chave}`, body))).toMatchObject({
      kind: 'WebhookOperacaoInvalida',
    });
  });

  it.each([
    ['http://127.0.0.1:4000/pix', 200],
    ['http://localhost:4000/pix', 200],
    ['http://127.0.0.1.callbacks.example/pix', 400],
    ['http://callbacks.example/pix', 400],
  ])('of a sandbox on a laptop at %s is answered %i', async (url, status) => {
    const call = await pspClient(openWorld({ settings: { allowLoopback: true } }));

    expect((await call('PUT', `/webhook/${CHAVE}`, { webhookUrl: url })).status).toBe(status);
  });
});

// The vectors are no part of the project. Without them the report shows a skipped test.
const VECTORS = resolve('..', 'shared', 'pix', 'brcode-vectors.json');
type Vector = { name: string; brcode: string; expect: string };

/** CRC-16/CCITT-FALSE, written here so that the library does not check itself. */
function crc16(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = (crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}

function codeFor(location: string, merchantName: string, merchantCity: string): string {
  const { world } = openWorld();
  const psp = { ...world.settings.psp, merchantName, merchantCity };
  return brCode(location, { ...world, settings: { ...world.settings, psp } });
}

describe('BR Code', () => {
  it('ends with the CRC of everything before it', () => {
    const code = codeFor('pix.sandbox.example/qr/v2/0123456789abcdef0123456789abcdef', 'ONRAMP', 'SAO PAULO');

    expect(crc16('123456789')).toBe('29B1');
    expect(code.slice(-4)).toBe(crc16(code.slice(0, -4)));
    expect(code.slice(0, 12)).toBe('000201010212');
  });

  it.skipIf(!existsSync(VECTORS))('agrees with the published dynamic codes field by field', () => {
    const { vectors } = JSON.parse(readFileSync(VECTORS, 'utf8')) as { vectors: Vector[] };
    const dynamic =
      /^000201(?:010212)?26\d\d0014br\.gov\.bcb\.pix25\d\d(.+?)5204.*BR59\d\d(.+?)60\d\d(.+?)62/;
    const known = vectors.filter(({ brcode, expect }) => expect === 'valid' && dynamic.test(brcode));

    expect(known).toHaveLength(4);
    for (const { brcode } of known) {
      const [, location = '', name = '', city = ''] = dynamic.exec(brcode) ?? [];
      const upToTxid = (code: string) => code.replace('000201010212', '000201').split('62070503***')[0];
      const code = codeFor(location, name, city);
      expect(upToTxid(code)).toBe(upToTxid(brcode));
      expect(brcode.slice(-4)).toBe(crc16(brcode.slice(0, -4)));
    }
  });
});
