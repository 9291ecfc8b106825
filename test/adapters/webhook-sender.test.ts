import type { LookupOptions } from 'node:dns';
import net from 'node:net';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { verifyWebhook } from '../../client/webhook.ts';
import {
  isPublic,
  judgedLookup,
  type Resolve,
  webhookSender,
} from '../../functions/adapters/webhook-sender.ts';
import { type Stub, type StubAnswer, startStub } from '../support/stub-server.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NOW = Date.parse('2026-11-02T12:00:00.789Z');
const clock = { now: () => NOW, minuteMs: 60_000 };
const message = {
  id: '01JBZ.3',
  body: '{"type":"transaction.completed","timestamp":"2026-11-02T12:00:00Z","data":{"nome":"ção"}}',
  secrets: [SECRET],
  timeoutMs: 3_000,
};

let stub: Stub;
let answer: StubAnswer;
beforeEach(async () => {
  answer = { status: 204 };
  stub = await startStub(() => answer);
});
afterEach(() => stub.close());

/** A resolver that gives `addresses`, one list per question, and counts the questions. */
function resolver(...lists: string[][]) {
  const asked: string[] = [];
  const resolve: Resolve = async (name) => {
    asked.push(name);
    const list = lists[Math.min(asked.length, lists.length) - 1] ?? [];
    return list.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
  };
  return { asked, resolve };
}

/** The result of a name for a socket: its addresses, or the reason of the refusal. */
const resolved = (resolve: Resolve, options: LookupOptions) =>
  new Promise((done) => {
    const asking = judgedLookup((name) => resolve(name, new AbortController().signal), isPublic);
    asking('partner.example', options, (error, answer) => done(error ? error.message : answer));
  });

const local = () => webhookSender({ allowLoopback: true }, { clock });
const strict = (resolve?: Resolve) => webhookSender({ allowLoopback: false }, { clock, resolve });

describe('a delivery', () => {
  // Spec, Events: "HTTP POST to the partner"
  test('carries the headers and the signature of Standard Webhooks', async () => {
    expect(await local().post(stub.url, message)).toMatchObject({ statusCode: 204 });

    const [request] = stub.requests;
    expect(request).toMatchObject({ method: 'POST', text: message.body });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'webhook-id': message.id,
      'webhook-timestamp': String(Math.floor(NOW / 1000)),
      'webhook-signature': new Webhook(SECRET).sign(message.id, new Date(NOW), message.body),
    });
  });

  test('is accepted by our own client library, and not after a change', async () => {
    await local().post(stub.url, message);
    const { headers, text } = stub.requests[0]!;
    const verify = (payload: string) => verifyWebhook({ payload, headers, secret: SECRET, now: () => NOW });

    expect(await verify(text)).toMatchObject({ type: 'transaction.completed' });
    await expect(verify(text.replace('completed', 'expired'))).rejects.toMatchObject({
      code: 'INVALID_WEBHOOK',
    });
  });

  test('carries a signature for each secret during a rotation', async () => {
    const former = 'whsec_bm90IHRoZSBzYW1lIHNlY3JldCBhcyBhYm92ZQ==';
    await local().post(stub.url, { ...message, secrets: [SECRET, former] });

    const { headers, text: payload } = stub.requests[0]!;
    expect(headers['webhook-signature']).toMatch(/^v1,\S+ v1,\S+$/);
    for (const secret of [SECRET, former]) {
      const event = await verifyWebhook({ payload, headers, secret, now: () => NOW });
      expect(event).toMatchObject({ type: 'transaction.completed' });
    }
    const stranger = verifyWebhook({ payload, headers, secret: 'whsec_c3RyYW5nZXI=', now: () => NOW });
    await expect(stranger).rejects.toMatchObject({ code: 'INVALID_WEBHOOK' });
  });

  test.each([200, 404, 410, 500])('gives the status %s', async (status) => {
    answer = { status, body: { any: 'thing' } };
    expect(await local().post(stub.url, message)).toEqual({ statusCode: status, excerpt: '{"any":"thing"}' });
  });

  test('follows no redirect', async () => {
    answer = { status: 302, headers: { location: `${stub.url}/elsewhere` } };
    expect(await local().post(stub.url, message)).toMatchObject({ statusCode: 302 });
    expect(stub.requests).toHaveLength(1);
  });

  test('does not wait for the end of an endless body', async () => {
    answer = { raw: 'x', headers: { 'content-length': '1000000' } };
    expect(await local().post(stub.url, { ...message, timeoutMs: 20_000 })).toEqual({
      statusCode: 200,
      excerpt: 'x',
    });
  });

  test.each<[string, StubAnswer]>([
    ['silence', { fault: 'hang' }],
    ['a cut connection', { fault: 'reset' }],
  ])('has no status after %s', async (_, bad) => {
    answer = bad;
    expect(await local().post(stub.url, message)).toEqual({});
  });

  test('resolves localhost if loopback is allowed', async () => {
    const { port } = new URL(stub.url);
    expect(await local().post(`http://localhost:${port}/hook`, message)).toMatchObject({ statusCode: 204 });
    expect(await local().post(`https://localhost:${port}/hook`, message)).toEqual({});
    expect(stub.requests).toHaveLength(1);
  });
});

describe('an address of ours', () => {
  const literals = [
    '127.0.0.1',
    '127.1',
    '0x7f000001',
    '2130706433',
    '0.0.0.0',
    '10.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '169.254.169.254',
    '169.254.170.2',
    '192.0.0.1',
    '198.18.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:a9fe:a9fe]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '[2001:0:7f00:1::]',
    '[fe80::1]',
    '[fd00:ec2::254]',
    '[fc00::1]',
    '[ff02::1]',
  ];

  test.each(literals)('is refused if it is written out: %s', async (host) => {
    const { asked, resolve } = resolver(['93.184.216.34']);
    expect(await strict(resolve).post(`https://${host}/`, message)).toEqual({});
    expect(asked).toEqual([]);
  });

  const addresses = ['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fd00:ec2::254'];

  // The name is localhost, because the suite's network guard refuses other hosts. The test's resolver answers with the
  // addresses.
  const name = () => `https://localhost:${new URL(stub.url).port}/`;

  test.each(addresses)('is refused if a name resolves to it: %s', async (address) => {
    const { resolve } = resolver([address]);
    expect(await resolved(resolve, { all: true })).toBe('address not allowed');
    expect(await resolved(resolve, { all: false })).toBe('address not allowed');
  });

  test('is refused if it hides among public ones', async () => {
    const { resolve } = resolver(['93.184.216.34', '127.0.0.1']);
    expect(await resolved(resolve, { all: true })).toBe('address not allowed');
  });

  test('is not among the addresses of the socket, which are exactly the judged ones', async () => {
    const { resolve } = resolver(['93.184.216.34', '2606:4700::1111']);
    expect(await resolved(resolve, { all: false })).toBe('93.184.216.34');
    expect(await resolved(resolve, { all: true })).toEqual([
      { address: '93.184.216.34', family: 4 },
      { address: '2606:4700::1111', family: 6 },
    ]);
  });

  test('gets no connection, not even one that TLS would end', async () => {
    const tcp = net.createServer();
    let connections = 0;
    tcp.on('connection', (socket) => {
      connections += 1;
      socket.destroy();
    });
    await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done));
    const { asked, resolve } = resolver(['127.0.0.1']);
    const url = `https://localhost:${(tcp.address() as net.AddressInfo).port}/`;

    expect(await strict(resolve).post(url, message)).toEqual({});

    expect({ asked, connections }).toEqual({ asked: ['localhost'], connections: 0 });
    tcp.close();
  });

  test('is refused if the name of an earlier delivery has changed', async () => {
    const { asked, resolve } = resolver(['127.0.0.1'], ['10.0.0.1']);
    const sender = webhookSender({ allowLoopback: true }, { clock, resolve });
    const url = name().replace('https', 'http');
    expect(await sender.post(url, message)).toMatchObject({ statusCode: 204 });
    expect(await sender.post(url, message)).toEqual({});
    expect(asked).toHaveLength(2);
  });

  test('is not called if a name resolves to nothing', async () => {
    const { asked, resolve } = resolver([]);
    expect(await strict(resolve).post(name(), message)).toEqual({});
    expect(asked).toHaveLength(1);
  });
});

describe('a URL', () => {
  test.each([
    'http://93.184.216.34/',
    'http://partner.example/',
    'ftp://partner.example/',
    'file:///etc/passwd',
    'https://user:hush@partner.example/',
    'not a url',
    '',
  ])('is not called in production: %j', async (url) => {
    const { asked, resolve } = resolver(['93.184.216.34']);
    expect(await strict(resolve).post(url, message)).toEqual({});
    expect(asked).toEqual([]);
  });

  test('is not called in production if it is of this machine', async () => {
    expect(await strict().post(stub.url, message)).toEqual({});
    expect(stub.requests).toHaveLength(0);
  });

  test.each([
    'http://10.0.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://93.184.216.34/',
    'https://10.0.0.1/',
  ])('is not called by the sandbox beyond this machine: %s', async (url) => {
    expect(await local().post(url, message)).toEqual({});
  });

  test('is not called by the sandbox with plain http that resolves beyond this machine', async () => {
    const { asked, resolve } = resolver(['203.0.113.7']);
    const sender = webhookSender({ allowLoopback: true }, { clock, resolve });
    expect(await sender.post('http://localhost/', message)).toEqual({});
    expect(asked).toHaveLength(1);
  });
});

describe('isAllowed', () => {
  test.each([
    ['https://partner.example/hooks?of=us', true, true],
    ['https://93.184.216.34/', true, true],
    ['http://127.0.0.1:9000/hook', false, true],
    ['http://localhost:9000/hook', false, true],
    ['http://[::1]:9000/hook', false, true],
    ['http://partner.example/', false, false],
    ['http://localhost.partner.example/', false, false],
    ['http://127.0.0.1.partner.example/', false, false],
    ['http://user:hush@127.0.0.1/', false, false],
    ['http://10.0.0.1/', false, false],
    ['https://10.0.0.1/', false, false],
    ['https://127.0.0.1/', false, false],
    ['https://user:hush@partner.example/', false, false],
    ['ftp://partner.example/', false, false],
    ['partner.example', false, false],
    ['', false, false],
  ])('is for %j %s in production and %s in a sandbox', (url, inProduction, inSandbox) => {
    expect({ url, allowed: strict().isAllowed(url) }).toEqual({ url, allowed: inProduction });
    expect({ url, allowed: local().isAllowed(url) }).toEqual({ url, allowed: inSandbox });
  });

  test('makes no call', () => {
    const { asked, resolve } = resolver(['93.184.216.34']);
    expect(strict(resolve).isAllowed('https://partner.example/')).toBe(true);
    expect(asked).toEqual([]);
  });
});

describe('isPublic', () => {
  test.each([
    '93.184.216.34',
    '1.1.1.1',
    '172.32.0.1',
    '100.128.0.1',
    '2606:4700:4700::1111',
    '2a00:1450::1',
  ])('accepts %s', (address) => {
    expect(isPublic(address)).toBe(true);
  });

  test('refuses an IPv4 address in every IPv6 form', () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(isPublic(`::ffff:${address}`)).toBe(false);
        expect(isPublic(`::${address}`)).toBe(false);
        expect(isPublic(`64:ff9b::${address}`)).toBe(false);
      }),
    );
  });

  test('refuses a text that is not an address', () => {
    fc.assert(fc.property(fc.domain(), (name) => !isPublic(name)));
  });
});
