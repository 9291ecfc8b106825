import { expect, test } from 'vitest';
import { strangerAt } from '../support/stranger.ts';
import { CHAVE, chargeBody, openWorld, pspClient, TXID, tokenFrom } from './providers-support.ts';

const OUR_URL = 'https://onramp.example/callbacks/pix/token';

async function twoMerchants() {
  const sandbox = openWorld();
  const ours = await pspClient(sandbox);
  await ours('PUT', `/cob/${TXID}`, chargeBody());
  await ours('PUT', `/webhook/${CHAVE}`, { webhookUrl: OUR_URL });
  const stranger = strangerAt({ simulatorsUrl: 'http://psp' }, (url, init) => sandbox.app.request(url, init));
  await stranger.copyCharge(TXID, '500.00');
  return { sandbox, ours, stranger };
}

test('another merchant may use our txid, and register our address for its own key', async () => {
  const { sandbox, stranger } = await twoMerchants();

  const { pix } = await stranger.payItself(TXID, { callback: true });

  expect(pix).toMatchObject({ txid: TXID, valor: '500.00' });
  expect(pix.chave).not.toBe(CHAVE);
  expect(sandbox.sent).toMatchObject([{ url: `${OUR_URL}/pix`, body: { pix: [pix] } }]);
});

test('a payment to another merchant is only in that account', async () => {
  const { ours, stranger } = await twoMerchants();

  const { pix } = await stranger.payItself(TXID, { callback: false });

  expect(await stranger.paidWith(TXID)).toMatchObject([pix]);
  const charge = (await (await ours('GET', `/cob/${TXID}`)).json()) as object;
  expect(charge).toMatchObject({ status: 'ATIVA' });
  expect(charge).not.toHaveProperty('pix');
  const query = 'inicio=2026-11-20T00:00:00Z&fim=2026-11-21T00:00:00Z';
  expect(await (await ours('GET', `/pix?${query}`)).json()).toMatchObject({ pix: [] });
  expect((await ours('GET', `/pix/${pix.endToEndId}`)).status).toBe(404);
});

test('a token of one merchant gives no access to the other', async () => {
  const { sandbox } = await twoMerchants();
  const strangers = await sandbox.call('GET', `/psp-stranger/v2/cob/${TXID}`, undefined, {
    authorization: `Bearer ${await tokenFrom(sandbox)}`,
  });

  expect(strangers.status).toBe(401);
});
