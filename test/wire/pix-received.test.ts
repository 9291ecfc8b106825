import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { simulatorSecrets } from '../../infra/sandbox.ts';
import { issued, newAuthority } from '../../sandbox/cloud/certificates.ts';
import { defaultSettings } from '../../sandbox/providers/world.ts';
import { callbacksProcessed } from '../support/callback-queue.ts';
import {
  type Answer,
  call,
  codeOf,
  confirmMfa,
  executionsOf,
  expectRefusal,
  getStatus,
  type OpenPurchase,
  openPurchase,
} from '../support/partner-api.ts';
import { callAsProvider } from '../support/provider-call.ts';
import { chargeAtPsp } from '../support/provider-faults.ts';
import { askControl, eventually, newPartner, rowOf, sandbox } from '../support/sandbox.ts';

const { callbackToken } = simulatorSecrets('').pixCallback as { callbackToken: string };
const KEY = defaultSettings.psp.chave;
const UNKNOWN_ID = '0'.repeat(26);

const pathOf = (token: string) => `/callbacks/pix/${token}/pix`;
const post = (path: string, body: unknown) => callAsProvider(path, { body });
const callBack = (body: unknown, token = callbackToken) => post(pathOf(token), body);
const rowIdOf = (text: string) => `PIX#${createHash('sha256').update(text).digest('hex')}`;

/** A provider's callback of a Pix, true or not. */
const aPix = (txid: string, fields: object = {}) => ({
  endToEndId: `E99999004202611201200${createHash('sha256').update(txid).digest('hex').slice(0, 11)}`,
  txid,
  chave: KEY,
  valor: '250.00',
  horario: new Date().toISOString(),
  ...fields,
});

function expectTaken(answer: Answer): void {
  expect(answer.status).toBe(200);
  expect(JSON.parse(answer.text)).toEqual({ success: true, data: {} });
  expect(answer.headers.get('x-request-id')).toBeTruthy();
}

async function awaitingPix(): Promise<OpenPurchase> {
  const purchase = await openPurchase();
  const { status } = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));
  expect(status).toBe(200);
  return purchase;
}

describe('404 NOT_FOUND', () => {
  test.each([
    ['another', 'sandbox-callback-token-0000000000000001'],
    ['shorter', callbackToken.slice(0, -1)],
    ['longer', `${callbackToken}0`],
    ['in upper case', callbackToken.toUpperCase()],
    ['a blank', '%20'],
    ['NUL', '%00'],
    ['not ASCII', '%C3%A9'],
    ['of ten thousand characters', 'x'.repeat(10_000)],
  ])('answers for a token that is %s like any unknown address', async (_, token) => {
    const body = JSON.stringify({ pix: [aPix(UNKNOWN_ID, { note: token.slice(0, 50) })] });

    const answer = await callBack(body, token);
    const elsewhere = await post('/callbacks/nowhere', body);

    expectRefusal(answer, 'NOT_FOUND', {});
    expect(answer.text).toBe(elsewhere.text);
    expect(await rowOf('TablesCallbacks', rowIdOf(body))).toBeUndefined();
  });

  test('answers for a partner’s key in the place of the token', async () => {
    const { apiKey } = await newPartner();

    expectRefusal(await callBack({ pix: [] }, apiKey), 'NOT_FOUND', {});
  });

  test('answers for a path without its last part', async () => {
    expectRefusal(await post(`/callbacks/pix/${callbackToken}`, {}), 'NOT_FOUND', {});
  });
});

// docs/security.md, "Providers calling us"
describe('a caller', () => {
  const body = JSON.stringify({ pix: [aPix(`${UNKNOWN_ID}2`)] });
  const { ca } = sandbox().pspCertificate;

  test('without a certificate is refused before it can say the token', async () => {
    await expect(callAsProvider(pathOf(callbackToken), { body, certificate: { ca } })).rejects.toThrow();

    expect(await rowOf('TablesCallbacks', rowIdOf(body))).toBeUndefined();
  });

  test('with a certificate of another authority of the same name is refused', async () => {
    const stranger = issued(
      'Callbacks of the simulated payment provider',
      newAuthority('Simulated payment provider'),
    );

    const answer = callAsProvider(pathOf(callbackToken), { body, certificate: { ...stranger, ca } });

    await expect(answer).rejects.toThrow();
    expect(await rowOf('TablesCallbacks', rowIdOf(body))).toBeUndefined();
  });

  test('of the partners’ API does not find the route of callbacks', async () => {
    expectRefusal(await call('POST', pathOf(callbackToken), { body }), 'NOT_FOUND', {});
  });
});

describe('413 REQUEST_TOO_LARGE', () => {
  test('answers for a body over 256 kB', async () => {
    expectRefusal(await callBack({ pix: [], padding: 'x'.repeat(256_000) }), 'REQUEST_TOO_LARGE', {});
  });
});

describe('200', () => {
  test.each<[string, unknown]>([
    ['nothing', ''],
    ['text', 'not json'],
    ['half of an object', '{"pix": ['],
    ['null', 'null'],
    ['a number', '1'],
    ['an array', '[]'],
    ['an object without pix', '{}'],
    ['no payment', { pix: [] }],
    ['pix that is text', { pix: 'E123' }],
    ['pix that is null', { pix: null }],
    ['payments that are not objects', { pix: [null, 1, 'x', [], {}] }],
    ['ids of other types', { pix: [{ endToEndId: 1, txid: {} }] }],
    ['ids with NUL', { pix: [aPix('\u0000')] }],
    ['an id of another script', { pix: [aPix('１２３')] }],
    ['half a character', '{"pix": [{"endToEndId": "\\ud800", "txid": "\\ud800"}]}'],
    ['an id of ten thousand characters', { pix: [aPix('x'.repeat(10_000))] }],
    ['a prototype', '{"__proto__": {"pix": [{}]}, "pix": {"__proto__": null}}'],
    ['five hundred payments', { pix: Array.from({ length: 500 }, (_, index) => ({ txid: `${index}` })) }],
    ['invalid UTF-8', Uint8Array.from([0xff, 0xfe, 0x00])],
  ])('takes %s without failing', async (_, body) => {
    expectTaken(await callBack(body));
  });

  test('takes a callback for an unknown transaction', async () => {
    const body = JSON.stringify({ pix: [aPix(UNKNOWN_ID)] });

    expectTaken(await callBack(body));

    await callbacksProcessed();
    expect(await rowOf('TablesTransactions', UNKNOWN_ID)).toBeUndefined();
    expect(await executionsOf(UNKNOWN_ID)).toEqual([]);
  });

  test('stores the ids of a callback, and no text of the payer', async () => {
    const pix = aPix(UNKNOWN_ID, { infoPagador: 'para a Maria', pagador: { cpf: '52998224725' } });
    const body = JSON.stringify({ pix: [pix] });

    expectTaken(await callBack(body));

    const row = await rowOf('TablesCallbacks', rowIdOf(body));
    expect(row).toMatchObject({ hints: [{ endToEndId: pix.endToEndId, txid: UNKNOWN_ID }] });
    expect(JSON.stringify(row)).not.toMatch(/Maria|52998224725/);
  });

  test('takes the same callback any number of times', async () => {
    const body = JSON.stringify({ pix: [aPix(`${UNKNOWN_ID}1`)] });

    const answers = await Promise.all(Array.from({ length: 5 }, () => callBack(body)));

    for (const answer of answers) expectTaken(answer);
    expect(await rowOf('TablesCallbacks', rowIdOf(body))).toBeDefined();
  });

  test('needs no API key, and ignores one', async () => {
    const answer = await callAsProvider(pathOf(callbackToken), { apiKey: 'anything', body: {} });

    expectTaken(answer);
    expect(answer.headers.has('ratelimit-limit')).toBe(false);
  });
});

describe('a forged callback', () => {
  // docs/security.md, "Providers calling us"
  test('moves nothing for a purchase whose charge nobody paid', async () => {
    const purchase = await awaitingPix();
    // The machine registers its wait at its own time.
    const facts = async () => ({ ...(await rowOf('TablesTransactions', purchase.id)), wait: undefined });
    const before = await facts();

    expectTaken(await callBack({ pix: [aPix(purchase.id)] }));
    expectTaken(await callBack({ pix: [aPix(purchase.id, { valor: '50000.00' })] }));
    await callbacksProcessed();

    expect(await facts()).toEqual(before);
    expect((await getStatus(purchase.apiKey, purchase.id)).data).toMatchObject({ status: 'AWAITING_PIX' });
    expect((await chargeAtPsp(purchase.id))?.status).toBe('ATIVA');
  });

  test('moves nothing for a purchase whose charge does not exist yet', async () => {
    const { apiKey, id } = await openPurchase();

    expectTaken(await callBack({ pix: [aPix(id)] }));
    await callbacksProcessed();

    expect((await getStatus(apiKey, id)).data).toMatchObject({ status: 'AWAITING_MFA' });
  });

  test('cannot change a true payment, because the provider is read again', async () => {
    const purchase = await awaitingPix();
    const body = JSON.stringify({ callback: false });
    await askControl(`/psp/pay/${purchase.id}`, { method: 'POST', body });

    expectTaken(await callBack({ pix: [aPix(purchase.id, { valor: '0.01' })] }));

    const moved = await eventually(
      () => rowOf('TablesTransactions', purchase.id),
      (row) => row?.status !== 'AWAITING_PIX',
    );
    expect(moved!.payment).toMatchObject({
      endToEndId: expect.not.stringContaining(aPix(purchase.id).endToEndId),
      amountCentavos: 25_000,
    });
  });
});
