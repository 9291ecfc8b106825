import { describe, expect, it } from 'vitest';
import { signatureHeaders } from '../../functions/adapters/identity/session.ts';
import { clearTriggers, type TriggerName, takeTrigger } from '../../sandbox/providers/triggers.ts';
import { chargeBody, openWorld, pspClient, type Sandbox, TXID } from './providers-support.ts';

const OTHER = '01JABCDEFGHJKMNPQRSTVWXYZ1';
const CLIENT = 'ab'.repeat(32);

type Pix = { endToEndId: string; horario: string; devolucoes?: { valor: string; status: string }[] };

async function trigger(sandbox: Sandbox, event: TriggerName, subject = TXID, more: object = {}) {
  const body = { event, partnerId: 'p1', subject, ...more };
  const response = await sandbox.call('POST', '/control/triggers', body);
  return { status: response.status, body: await response.json() };
}

/** A provider with two charges, and the service's calls to it. */
async function charged() {
  const sandbox = openWorld();
  const api = await pspClient(sandbox);
  for (const txid of [TXID, OTHER]) await api('PUT', `/cob/${txid}`, chargeBody());
  const pay = (txid: string, payment: object = {}) =>
    sandbox.call('POST', `/control/psp/pay/${txid}`, payment);
  const pixOf = async (txid = TXID) => {
    const { pix = [] } = (await (await api('GET', `/cob/${txid}`)).json()) as { pix?: Pix[] };
    return pix;
  };
  return { sandbox, api, pay, pixOf };
}

const statusOf = async (asked: Promise<Response>) => (await asked).status;

describe('MED', () => {
  it('takes back a paid Pix at once, and what is left of it only', async () => {
    const { sandbox, pay, pixOf } = await charged();
    await pay(TXID);
    const [{ endToEndId } = { endToEndId: '' }] = await pixOf();
    await sandbox.call('POST', `/control/psp/med/${endToEndId}`, { amountBrl: '100.00' });

    expect(await trigger(sandbox, 'MED')).toEqual({ status: 200, body: { waits: false } });

    const [pix] = await pixOf();
    expect(pix!.devolucoes!.map(({ valor }) => valor)).toEqual(['100.00', '400.00']);
    expect(await trigger(sandbox, 'MED')).toEqual({ status: 200, body: { waits: true } });
  });

  it('waits for the payment of this purchase', async () => {
    const { sandbox, pay, pixOf } = await charged();

    expect(await trigger(sandbox, 'MED')).toEqual({ status: 200, body: { waits: true } });
    await pay(OTHER);
    await pay(TXID);

    expect((await pixOf(OTHER))[0]).not.toHaveProperty('devolucoes');
    expect((await pixOf())[0]!.devolucoes).toMatchObject([{ valor: '500.00', status: 'DEVOLVIDO' }]);
  });
});

describe('LATE_PIX', () => {
  it('pays the charge of a purchase that is over, each time', async () => {
    const { sandbox, api, pay, pixOf } = await charged();
    await api('PATCH', `/cob/${TXID}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
    expect(await statusOf(pay(TXID))).toBe(409);

    for (let times = 0; times < 2; times++)
      expect(await trigger(sandbox, 'LATE_PIX', TXID, { isOver: true })).toMatchObject({ status: 200 });

    expect(await pixOf()).toHaveLength(2);
  });

  it('dates the next payment of an open charge after its end', async () => {
    const { sandbox, pay, pixOf } = await charged();

    expect(await trigger(sandbox, 'LATE_PIX')).toEqual({ status: 200, body: { waits: true } });
    await pay(TXID);

    expect((await pixOf())[0]!.horario).toBe('2026-11-20T12:30:01.000Z');
  });

  it('answers 409 without a charge', async () => {
    const sandbox = openWorld();

    expect(await trigger(sandbox, 'LATE_PIX', TXID, { isOver: true })).toMatchObject({ status: 409 });
  });
});

describe('PSP_OUTAGE', () => {
  it('refuses three calls about this purchase, whether they name its charge or its Pix', async () => {
    const { sandbox, api, pay, pixOf } = await charged();
    await pay(TXID);
    const [{ endToEndId } = { endToEndId: '' }] = await pixOf();
    const range = 'inicio=2026-11-20T00:00:00Z&fim=2026-11-21T00:00:00Z';

    await trigger(sandbox, 'PSP_OUTAGE');

    expect(await statusOf(api('GET', `/cob/${OTHER}`))).toBe(200);
    expect(await statusOf(api('GET', `/pix?${range}`))).toBe(200);
    expect(await statusOf(api('GET', `/cob/${TXID}`))).toBe(503);
    expect(await statusOf(api('GET', `/pix/${endToEndId}`))).toBe(503);
    expect(await statusOf(api('GET', `/pix?${range}&txid=${TXID}`))).toBe(503);
    expect(await statusOf(api('GET', `/cob/${TXID}`))).toBe(200);
  });
});

describe('REFUND_FAILS', () => {
  it('ends the next refund as not done, and the one after it as done', async () => {
    const { sandbox, api, pay, pixOf } = await charged();
    await pay(TXID);
    const [{ endToEndId } = { endToEndId: '' }] = await pixOf();
    const refund = (id: string) => api('PUT', `/pix/${endToEndId}/devolucao/${id}`, { valor: '500.00' });

    await trigger(sandbox, 'REFUND_FAILS');
    await refund('D1');
    sandbox.wait(60_000);
    // A repetition is the same refund, and uses up nothing.
    await trigger(sandbox, 'REFUND_FAILS');
    await refund('D1');
    await refund('D2');
    sandbox.wait(60_000);
    await refund('D3');
    sandbox.wait(60_000);

    const statuses = (await pixOf())[0]!.devolucoes!.map(({ status }) => status);
    expect(statuses).toEqual(['NAO_REALIZADO', 'NAO_REALIZADO', 'DEVOLVIDO']);
  });
});

describe('IDENTITY_OUTAGE', () => {
  it('refuses three calls about this person, whether the path or the body names them', async () => {
    const sandbox = openWorld();
    const { identity } = sandbox.world.settings;
    const ask = (method: string, path: string, body?: object) => {
      const text = body ? JSON.stringify(body) : '';
      const headers = signatureHeaders({ method, path, text }, identity, sandbox.clock.now.getTime());
      return statusOf(sandbox.call(method, path, body, headers));
    };
    const create = (externalUserId: string) =>
      ask('POST', `/identity/resources/applicants?levelName=${identity.levels.identity}`, { externalUserId });
    const find = (id: string) => ask('GET', `/identity/resources/applicants/-;externalUserId=${id}/one`);

    await trigger(sandbox, 'IDENTITY_OUTAGE', CLIENT);

    expect(await create('somebody')).toBe(201);
    expect(await find(CLIENT)).toBe(503);
    expect(await create(CLIENT)).toBe(503);
    expect(await find(CLIENT)).toBe(503);
    expect(await create(CLIENT)).toBe(201);
  });
});
describe('an event that waits', () => {
  it('is taken by its subject, as often as the table says, and begins again at another call', async () => {
    const sandbox = openWorld();
    const take = (subject?: string) => takeTrigger('LOW_LIQUIDITY', subject, sandbox.world);

    for (let times = 0; times < 2; times++) {
      await trigger(sandbox, 'LOW_LIQUIDITY', CLIENT);
      expect([await take(), await take('another'), await take(CLIENT), await take(CLIENT)]).toEqual([
        false,
        false,
        true,
        false,
      ]);
    }
  });

  it('is taken together with others of its subject, and not without being asked for', async () => {
    const sandbox = openWorld();
    for (const event of ['PRICE_PAUSE', 'LIMIT_REACHED', 'SCREENING_OUTAGE'] as const)
      await trigger(sandbox, event, CLIENT);
    const take = async () => {
      const events = ['LOW_LIQUIDITY', 'PRICE_PAUSE', 'SCREENING_OUTAGE'];
      const answer = await sandbox.call('POST', '/control/triggers/take', { subject: CLIENT, events });
      return ((await answer.json()) as { taken: string[] }).taken;
    };

    expect([await take(), await take(), await take(), await take()]).toEqual([
      ['PRICE_PAUSE', 'SCREENING_OUTAGE'],
      ['SCREENING_OUTAGE'],
      ['SCREENING_OUTAGE'],
      [],
    ]);
    expect(await takeTrigger('LIMIT_REACHED', CLIENT, sandbox.world)).toBe(true);
  });

  it('is cleared for its partner only', async () => {
    const sandbox = openWorld();
    await trigger(sandbox, 'LOW_LIQUIDITY', CLIENT);
    await trigger(sandbox, 'MED');
    await trigger(sandbox, 'MED', OTHER, { partnerId: 'p2' });

    const cleared = await sandbox.call('POST', '/control/triggers/clear', { partnerId: 'p1' });

    expect(await cleared.json()).toEqual({ cleared: 2 });
    expect(await takeTrigger('LOW_LIQUIDITY', CLIENT, sandbox.world)).toBe(false);
    expect(await takeTrigger('MED', OTHER, sandbox.world)).toBe(true);
    expect(await clearTriggers('p1', sandbox.world)).toBe(0);
  });

  it('is cleared together with the mode of the partner’s built-in receiver', async () => {
    const sandbox = openWorld();
    await sandbox.call('POST', '/control/webhooks/p1/mode', { status: 500 });
    const deliver = () => statusOf(sandbox.call('POST', '/webhook-receiver/p1', {}));
    expect(await deliver()).toBe(500);

    await sandbox.call('POST', '/control/triggers/clear', { partnerId: 'p1' });

    expect(await deliver()).toBe(401);
  });
});
