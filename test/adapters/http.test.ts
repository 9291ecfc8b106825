import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterEach, describe, expect, test } from 'vitest';
import { bearerClient, jsonClient, reopening, type SentRequest } from '../../functions/adapters/http.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { stubClock } from '../support/stub-clock.ts';
import { type Stub, type StubAnswer, type StubRequest, startStub } from '../support/stub-server.ts';

const provider = 'the stub';
let stub: Stub;
afterEach(() => stub?.close());

const answering = async (answer: StubAnswer | ((request: StubRequest) => StubAnswer)) => {
  stub = await startStub(typeof answer === 'function' ? answer : () => answer);
  return jsonClient({ provider, timeoutMs: 3_000, maxBytes: 1000 });
};
const failureOf = (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it answered'),
    (error: Unavailable) => error,
  );
const reasonOf = async (call: Promise<unknown>) => ((await failureOf(call)).cause as Error).message;

describe('an answer', () => {
  test('comes back with its status and parsed body, also for a refusal', async () => {
    const send = await answering({ status: 409, body: { nome: 'txid_duplicado' } });

    const answer = await send({ method: 'PUT', url: `${stub.url}/cob`, body: { a: 'ã' } });

    expect(answer).toMatchObject({ status: 409, body: { nome: 'txid_duplicado' } });
    expect(stub.requests[0]).toMatchObject({ text: '{"a":"ã"}' });
    expect(stub.requests[0]?.headers['content-type']).toBe('application/json');
  });

  test('is no error without a body', async () => {
    const send = await answering({ status: 204 });
    expect(await send({ method: 'GET', url: stub.url })).toMatchObject({ status: 204, body: undefined });
  });

  test('keeps its status if it is a refusal with a web page', async () => {
    const send = await answering({ status: 403, raw: '<html>no</html>' });
    expect(await send({ method: 'GET', url: stub.url })).toMatchObject({ status: 403, body: undefined });
  });

  test('is given back if it redirects, and not followed', async () => {
    const send = await answering({ status: 302, headers: { location: '/elsewhere' } });
    expect(await send({ method: 'GET', url: stub.url })).toMatchObject({ status: 302 });
    expect(stub.requests).toHaveLength(1);
  });
});

describe('an unusable answer', () => {
  test.each<[string, StubAnswer]>([
    ['TIMEOUT', { fault: 'hang' }],
    ['ECONNRESET', { fault: 'reset' }],
    ['ECONNRESET', { raw: '{"a":1}', fault: 'truncate' }],
    ['INVALID_JSON', { raw: '{"cpf":"11144477735"' }],
    ['ANSWER_TOO_LARGE', { raw: JSON.stringify('x'.repeat(2000)) }],
    ['HTTP 500', { status: 500, raw: 'stack of 11144477735' }],
    ['HTTP 503', { status: 503 }],
    ['HTTP 429', { status: 429 }],
    ['HTTP 408', { status: 408 }],
  ])('is Unavailable because of %s', async (reason, answer) => {
    const send = await answering(answer);

    const error = await failureOf(send({ method: 'GET', url: `${stub.url}/cpf/11144477735?token=hush` }));

    expect(error).toBeInstanceOf(Unavailable);
    expect((error.cause as Error).message).toBe(reason);
    expect(`${error.stack} ${(error.cause as Error).stack}`).not.toMatch(/11144477735|hush/);
  });

  test('is Unavailable if nobody listens', async () => {
    const send = await answering({});
    await stub.close();
    expect(await reasonOf(send({ method: 'GET', url: stub.url }))).toBe('ECONNREFUSED');
  });

  test('is Unavailable if the body arrives too slowly for the time-out', async () => {
    const send = await answering({ raw: '"x"', headers: { 'content-length': '100' } });
    expect(await reasonOf(send({ method: 'GET', url: stub.url }))).toBe('TIMEOUT');
  });

  test('gives the waiting time of the provider, within limits', async () => {
    const wait = async (text: string) => {
      const send = await answering({ status: 503, headers: { 'retry-after': text } });
      const { retryAfterSeconds } = await failureOf(send({ method: 'GET', url: stub.url }));
      await stub.close();
      return retryAfterSeconds;
    };
    expect([await wait('17'), await wait('86400'), await wait('tomorrow')]).toEqual([17, 300, 5]);
  });
});

describe('a kept connection that died', () => {
  const dyingAt = (n: number) => {
    let calls = 0;
    return answering(() => {
      calls += 1;
      return calls === n ? { fault: 'reset' } : { body: calls };
    });
  };

  test('repeats a read', async () => {
    const send = await dyingAt(2);
    await send({ method: 'GET', url: stub.url });
    expect((await send({ method: 'GET', url: stub.url })).body).toBe(3);
  });

  test.each(['POST', 'PUT', 'PATCH'] as const)('never repeats a %s', async (method) => {
    const send = await dyingAt(2);
    await send({ method: 'GET', url: stub.url });
    expect(await reasonOf(send({ method, url: stub.url, body: {} }))).toBe('ECONNRESET');
    expect(stub.requests).toHaveLength(2);
    expect(stub.requests[1]?.headers.connection).toBe('close');
  });
});

describe('a signature', () => {
  const signing = async (answer: StubAnswer | ((request: StubRequest) => StubAnswer)) => {
    await answering(answer);
    let calls = 0;
    const sign = (sent: SentRequest) => {
      calls += 1;
      return { 'x-signed': `${sent.method} ${sent.path} ${sent.text} ${calls}` };
    };
    return jsonClient({ provider, timeoutMs: 3_000, sign });
  };
  const signatures = () => stub.requests.map(({ headers }) => headers['x-signed']);

  test('covers the method, the path with its query, and the body as they are sent', async () => {
    const send = await signing({});
    await send({ method: 'POST', url: `${stub.url}/a;b=c/one?d=e%20f`, body: { g: 1 } });
    await send({ method: 'GET', url: stub.url });
    expect(signatures()).toEqual(['POST /a;b=c/one?d=e%20f {"g":1} 1', 'GET /  2']);
  });

  test('is made again for a repetition', async () => {
    const send = await signing(() => (stub.requests.length === 2 ? { fault: 'reset' } : {}));
    await send({ method: 'GET', url: stub.url });
    await send({ method: 'GET', url: stub.url });
    expect(signatures()).toEqual(['GET /  1', 'GET /  2', 'GET /  3']);
  });
});

describe('a bearer token', () => {
  const credentials = () => ({
    tokenUrl: `${stub.url}/token`,
    clientId: 'id',
    clientSecret: 'hush',
    scope: 'a b',
  });
  const clock = stubClock('2026-11-02T12:00:00Z');
  let issued = 0;
  let accepted: number | 'any' = 'any';
  let tokenAnswer: StubAnswer | undefined;

  async function client(options: { expiresIn?: number; tokenBody?: 'json'; scope?: string } = {}) {
    issued = 0;
    accepted = 'any';
    tokenAnswer = undefined;
    const send = await answering(({ path, headers }) => {
      if (path !== '/token') {
        const isKnown = accepted === 'any' || headers.authorization === `Bearer t${accepted}`;
        return { status: isKnown ? 200 : 401 };
      }
      if (tokenAnswer) return tokenAnswer;
      issued += 1;
      return {
        body: { access_token: `t${issued}`, expires_in: options.expiresIn ?? 3600, scope: options.scope },
      };
    });
    const granted: string[] = [];
    const onGranted = (scope: string) => granted.push(scope);
    const { tokenBody } = options;
    const authorized = bearerClient(send, { ...credentials(), tokenBody }, { provider, clock, onGranted });
    return { granted, get: () => authorized({ method: 'GET', url: `${stub.url}/x` }) };
  }

  test('is requested once, by HTTP Basic and a form, even by requests at the same time', async () => {
    const { get } = await client();

    await Promise.all([get(), get(), get()]);
    await get();

    const [asked] = stub.requests;
    expect(issued).toBe(1);
    expect(asked?.text).toBe('grant_type=client_credentials&scope=a+b');
    expect(asked?.headers.authorization).toBe(`Basic ${Buffer.from('id:hush').toString('base64')}`);
    expect(stub.requests.at(-1)?.headers.authorization).toBe('Bearer t1');
  });

  test('is requested in JSON if the provider needs that', async () => {
    const { get } = await client({ tokenBody: 'json' });
    await get();
    expect(stub.requests[0]?.text).toBe('{"grant_type":"client_credentials","scope":"a b"}');
  });

  test('is renewed 30 seconds before it expires', async () => {
    const { get } = await client({ expiresIn: 300 });
    await get();
    clock.advance(269_000);
    await get();
    expect(issued).toBe(1);

    clock.advance(1_000);
    await Promise.all([get(), get()]);
    expect(issued).toBe(2);
  });

  test('is still used for its first requests if it lives for a few seconds', async () => {
    const { get } = await client({ expiresIn: 10 });
    await get();
    await get();
    expect(issued).toBe(1);
  });

  test('is replaced once if it is refused mid-flow', async () => {
    const { get } = await client();
    await get();
    accepted = 2;

    const answers = await Promise.all([get(), get()]);

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(issued).toBe(2);
  });

  test('leaves the 401 to the caller if it is refused twice', async () => {
    const { get } = await client();
    accepted = 99;
    expect((await get()).status).toBe(401);
    expect(issued).toBe(2);
  });

  test('reports the granted scopes', async () => {
    const { get, granted } = await client({ scope: 'a' });
    await get();
    expect(granted).toEqual(['a']);
  });

  test('is a fault of the configuration if our credentials get none, reported without them', async () => {
    const { get } = await client();
    tokenAnswer = { status: 401, body: { error: 'invalid_client hush' } };

    const error = await failureOf(get());

    expect(error).not.toBeInstanceOf(Unavailable);
    expect(error.message).toBe('the stub gave no token for our credentials: HTTP 401');
  });

  test('is requested again after an outage', async () => {
    const { get } = await client();
    tokenAnswer = { status: 503 };
    await expect(get()).rejects.toBeInstanceOf(Unavailable);
    tokenAnswer = undefined;
    expect((await get()).status).toBe(200);
  });
});

test('changed settings open a new connection, equal settings do not', async () => {
  let settings = { secret: 'a' };
  let opened = 0;
  const open = reopening(
    async () => ({ ...settings }),
    () => {
      opened += 1;
      return opened;
    },
  );

  expect([await open(), await open()]).toEqual([1, 1]);
  settings = { secret: 'b' };
  expect([await open(), await open()]).toEqual([2, 2]);
});

const hasOpenssl = (() => {
  try {
    execFileSync('openssl', ['version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

describe.skipIf(!hasOpenssl)('mutual TLS', () => {
  /** A self-signed certificate for server, client and authority. */
  function selfSigned() {
    const folder = mkdtempSync(join(tmpdir(), 'mtls-'));
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const name = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const kind = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    execFileSync('openssl', [...kind, '-days', '1', '-keyout', key, '-out', cert, ...name], {
      stdio: 'ignore',
    });
    const pem = { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') };
    rmSync(folder, { recursive: true });
    return pem;
  }

  async function listen(pem: { key: string; cert: string }) {
    const server = https.createServer({ ...pem, ca: pem.cert, requestCert: true }, (request, response) => {
      response.end(JSON.stringify({ authorized: (request.socket as TLSSocket).authorized }));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
    stub = { url, requests: [], close: async () => void server.close().closeAllConnections() };
    return url;
  }

  test('presents the certificate, and again on the kept connection', async () => {
    const pem = selfSigned();
    const url = await listen(pem);
    const send = jsonClient({ provider, certificate: { ...pem, ca: pem.cert } });
    expect((await send({ method: 'GET', url })).body).toEqual({ authorized: true });
    expect((await send({ method: 'GET', url })).body).toEqual({ authorized: true });
  });

  test('presents only the given certificate, and trusts no unknown authority', async () => {
    const pem = selfSigned();
    const url = await listen(pem);
    const reason = await reasonOf(jsonClient({ provider })({ method: 'GET', url }));
    expect(reason).toMatch(/SELF_SIGNED/);
  });
});
