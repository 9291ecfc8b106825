import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type GenericWebhookEvent,
  isKnownEvent,
  type VerifyWebhookInput,
  verifyWebhook,
  type WebhookEvent,
  webhooks,
} from '../../client/webhook.ts';
import { rejection } from './stub-server.ts';

const secret = secretOf(1);
const otherSecret = secretOf(2);
const nowSeconds = 1_795_176_000;
const completed = JSON.stringify({
  type: 'transaction.completed',
  timestamp: '2026-11-20T12:00:00.000Z',
  data: {
    transactionId: 'T1',
    status: 'COMPLETED',
    sequence: 4,
    txHash: '0x1',
    amount: '46.21',
    asset: 'USDC',
  },
});

function secretOf(byte: number): string {
  return `whsec_${Buffer.alloc(32, byte).toString('base64')}`;
}

/** Signs with the reference implementation, like the service. */
function delivery(payload = completed, { key = secret, id = 'evt_1', at = nowSeconds } = {}) {
  const headers = {
    'webhook-id': id,
    'webhook-timestamp': String(at),
    'webhook-signature': new Webhook(key).sign(id, new Date(at * 1000), payload),
  };
  return { payload, headers, secret: key as string | readonly string[], now: () => nowSeconds * 1000 };
}

async function faultOf(input: VerifyWebhookInput) {
  const error = await rejection(verifyWebhook(input));
  expect(error).toMatchObject({ name: 'WebhookError', code: 'INVALID_WEBHOOK' });
  return (error as { details: { reason: string } }).details.reason;
}

// docs/decisions.md, "Webhooks"
describe('a message that the reference implementation signed', () => {
  it('is returned as an event', async () => {
    await expect(verifyWebhook(delivery())).resolves.toEqual(JSON.parse(completed));
  });

  it('verifies with any content', async () => {
    const anyEvent = fc.record({
      type: fc.string(),
      timestamp: fc.string(),
      data: fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue()),
    });
    const anyDelivery = fc.record({ key: anySecret(), id: fc.stringMatching(/^[\w.-]{1,40}$/) });

    await fc.assert(
      fc.asyncProperty(anyEvent, anyDelivery, async (event, options) => {
        const payload = JSON.stringify(event);
        expect(await verifyWebhook(delivery(payload, options))).toEqual(JSON.parse(payload));
      }),
    );
  });

  it.each([
    ['a Headers object', (headers: Record<string, string>) => new Headers(headers)],
    ['a record in capitals', upperCased],
    ['a record of lists, as Node gives', listed],
  ])('verifies with its headers in %s', async (_form, convert) => {
    const { headers, ...rest } = delivery();

    await expect(verifyWebhook({ ...rest, headers: convert(headers) })).resolves.toBeDefined();
  });

  it('verifies with the clock of the machine', async () => {
    const { now: _now, ...message } = delivery(completed, { at: Math.floor(Date.now() / 1000) });

    await expect(verifyWebhook(message)).resolves.toBeDefined();
  });

  it('verifies as bytes, also with a byte order mark', async () => {
    for (const payload of [completed, `\u{feff}${completed}`, completed.replace('USDC', 'ÜSDC')]) {
      const { headers, secret: key, now } = delivery(payload);
      const bytes = new TextEncoder().encode(payload);

      const event = verifyWebhook({ payload: bytes, headers, secret: key, now });

      if (payload.startsWith('{')) expect(await event).toEqual(JSON.parse(payload));
      // A mark is no JSON, so the signature was good.
      else expect(await rejection(event)).toMatchObject({ details: { reason: 'INVALID_PAYLOAD' } });
    }
  });

  it('verifies in the short form, with one secret or several', async () => {
    const { payload, headers } = delivery(completed, { at: Math.floor(Date.now() / 1000) });

    expect(await webhooks.verify(payload, headers, secret)).toEqual(JSON.parse(completed));
    expect(await webhooks.verify(payload, headers, [otherSecret, secret])).toEqual(JSON.parse(completed));
    await expect(webhooks.verify(payload, headers, otherSecret)).rejects.toMatchObject({
      details: { reason: 'SIGNATURE_MISMATCH' },
    });
  });

  // docs/decisions.md, "Versions"
  it('is returned if its type is of a later version', async () => {
    const payload =
      '{"type":"transaction.teleported","timestamp":"2026-11-20T12:00:00.000Z","data":{"to":"Mars"}}';

    const event = await verifyWebhook(delivery(payload));

    expect(event).toMatchObject({ type: 'transaction.teleported', data: { to: 'Mars' } });
  });
});

describe('the rotation of secrets', () => {
  it('accepts a message signed with any of the secrets', async () => {
    const message = delivery(completed, { key: otherSecret });

    await expect(verifyWebhook({ ...message, secret: [secret, otherSecret] })).resolves.toBeDefined();
  });

  it('accepts a message signed with several secrets, if we have one of them', async () => {
    const signatures = [secretOf(3), secret].map(
      (key) => delivery(completed, { key }).headers['webhook-signature'],
    );
    const { headers, ...rest } = delivery();
    const signature = ['v1a,c29tZSBrZXk=', 'v1,???', ...signatures].join(' ');

    await expect(
      verifyWebhook({ ...rest, headers: { ...headers, 'webhook-signature': signature } }),
    ).resolves.toBeDefined();
  });

  it('refuses a message signed with none of them', async () => {
    const message = delivery(completed, { key: secretOf(3) });

    expect(await faultOf({ ...message, secret: [secret, otherSecret] })).toBe('SIGNATURE_MISMATCH');
  });
});

describe('a message that was tampered with', () => {
  const signature = delivery().headers['webhook-signature'];

  it.each(['payload', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const)(
    'is refused if one character of %s changed, was added or removed',
    async (part) => {
      const message = delivery();
      const parts: Record<string, string> = { ...message.headers, payload: message.payload };
      const original = parts[part] ?? '';

      await fc.assert(
        fc.asyncProperty(editOf(original), async (edited) => {
          const { payload, ...headers } = { ...parts, [part]: edited };
          const input = { ...message, headers, payload: payload ?? '', toleranceSeconds: Number.MAX_VALUE };
          expect(await rejection(verifyWebhook(input))).toMatchObject({ code: 'INVALID_WEBHOOK' });
        }),
      );
    },
  );

  it('is not assumed for spaces around a signature: they separate a list, as in the reference', async () => {
    const { headers, ...message } = delivery(completed, { at: Math.floor(Date.now() / 1000) });
    const signed = headers['webhook-signature'];

    for (const spaced of [` ${signed}`, `${signed} `, `v1,c29tZSBrZXk=  ${signed}`]) {
      const spacedHeaders = { ...headers, 'webhook-signature': spaced };
      expect(new Webhook(secret).verify(completed, spacedHeaders)).toEqual(JSON.parse(completed));
      const event = await verifyWebhook({ ...message, headers: spacedHeaders, now: Date.now });
      expect(event).toEqual(JSON.parse(completed));
    }
  });

  it('is refused if the signature is anything else', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 64 }), async (bytes) => {
        const message = delivery();
        const forged = `v1,${Buffer.from(bytes).toString('base64')}`;
        fc.pre(forged !== signature);
        const headers = { ...message.headers, 'webhook-signature': forged };
        expect(['SIGNATURE_MISMATCH', 'MISSING_HEADER']).toContain(await faultOf({ ...message, headers }));
      }),
    );
  });

  it('is refused in every other spelling of the same signature', async () => {
    const message = delivery();
    const looser = [
      signature.replace('=', ''),
      `${signature}=`,
      `v1, ${signature.slice(3)}`,
      nextSpelling(signature),
    ];

    for (const spelling of looser) {
      const headers = { ...message.headers, 'webhook-signature': spelling };
      expect(await faultOf({ ...message, headers })).toBe('SIGNATURE_MISMATCH');
    }
  });

  it('is refused in another spelling of the same time', async () => {
    const message = delivery();
    const headers = { ...message.headers, 'webhook-timestamp': `0${nowSeconds}` };

    expect(await faultOf({ ...message, headers })).toBe('SIGNATURE_MISMATCH');
  });

  it('is refused if the signature is of another version', async () => {
    const message = delivery();
    const headers = { ...message.headers, 'webhook-signature': signature.replace('v1,', 'v2,') };

    expect(await faultOf({ ...message, headers })).toBe('SIGNATURE_MISMATCH');
  });
});

describe('a replayed message', () => {
  it.each([-300, 300])('verifies %i seconds away', async (offset) => {
    await expect(verifyWebhook(delivery(completed, { at: nowSeconds + offset }))).resolves.toBeDefined();
  });

  it.each([-301, 301])('is refused %i seconds away', async (offset) => {
    const message = delivery(completed, { at: nowSeconds + offset });

    expect(await faultOf(message)).toBe('TIMESTAMP_OUT_OF_TOLERANCE');
    await expect(verifyWebhook({ ...message, toleranceSeconds: 301 })).resolves.toBeDefined();
  });

  it('is refused if the tolerance is no number, such as that of an unset variable', async () => {
    const message = delivery(completed, { at: nowSeconds - 86_400 });

    expect(await faultOf({ ...message, toleranceSeconds: Number.NaN })).toBe('TIMESTAMP_OUT_OF_TOLERANCE');
  });

  it.each(['soon', '1e9', '-1', '1795176000.5', '0x6b000000'])('is refused at the time %j', async (time) => {
    const message = delivery();

    expect(await faultOf({ ...message, headers: { ...message.headers, 'webhook-timestamp': time } })).toBe(
      'INVALID_TIMESTAMP',
    );
  });
});

describe('an incomplete message', () => {
  it.each(['webhook-id', 'webhook-timestamp', 'webhook-signature'])('is refused without %s', async (name) => {
    const message = delivery();

    for (const value of [undefined, '']) {
      expect(await faultOf({ ...message, headers: { ...message.headers, [name]: value } })).toBe(
        'MISSING_HEADER',
      );
    }
  });

  it.each([
    '',
    'not json',
    'null',
    '[]',
    '{}',
    '{"type":"a","timestamp":"b"}',
    '{"type":1,"timestamp":"b","data":{}}',
  ])('is refused if it is signed but says %j', async (payload) => {
    expect(await faultOf(delivery(payload))).toBe('INVALID_PAYLOAD');
  });
});

describe('a wrong secret', () => {
  it.each(['', 'whsec_', 'whsec_not base64!', 'c2VjcmV0'])('is the caller’s mistake: %j', async (wrong) => {
    const expected = new TypeError('A webhook secret has the form whsec_<base64>');

    await expect(verifyWebhook({ ...delivery(), secret: wrong })).rejects.toThrow(expected);
  });

  it('is also a list without any secret', async () => {
    await expect(verifyWebhook({ ...delivery(), secret: [] })).rejects.toThrow(TypeError);
  });
});

describe('isKnownEvent', () => {
  const eventOf = (type: string): WebhookEvent => ({ type, timestamp: '2026-11-20T12:00:00.000Z', data: {} });

  it.each([
    'mfa_cleared',
    'pix_ready',
    'processing',
    'completed',
    'failed',
    'expired',
    'refunded',
    'pix_returned',
    'med_opened',
    'med_closed',
  ])('knows transaction.%s', (name) => {
    expect(isKnownEvent(eventOf(`transaction.${name}`))).toBe(true);
  });

  it.each(['kyc.approved', 'kyc.rejected'])('knows %s', (type) => {
    expect(isKnownEvent(eventOf(type))).toBe(true);
  });

  it.each(['transaction.teleported', '', 'constructor', '__proto__'])('does not know %j', (type) => {
    expect(isKnownEvent(eventOf(type))).toBe(false);
  });

  it('lets the type narrow the data', () => {
    const read = (event: WebhookEvent) => {
      if (!isKnownEvent(event)) return expectTypeOf(event).toEqualTypeOf<GenericWebhookEvent>();
      if (event.type === 'transaction.completed') expectTypeOf(event.data.amount).toEqualTypeOf<string>();
      if (event.type === 'transaction.refunded') {
        expectTypeOf(event.data.refund.amountBrl).toEqualTypeOf<number>();
      }
      return event.type === 'kyc.rejected' && expectTypeOf(event.data.token).toEqualTypeOf<string>();
    };

    expectTypeOf(read).toBeFunction();
  });
});

function anySecret() {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 64 });
  return bytes.map((key) => `whsec_${Buffer.from(key).toString('base64')}`);
}

/** One character replaced, inserted or removed, never to the same text or to the same list with more spaces. */
function editOf(text: string) {
  const edits = fc.record({
    at: fc.nat(text.length - 1),
    character: fc.string({ unit: 'grapheme-ascii', maxLength: 1 }),
    removed: fc.integer({ min: 0, max: 1 }),
  });
  return edits
    .map(({ at, character, removed }) => text.slice(0, at) + character + text.slice(at + removed))
    .filter((edited) => edited.trim() !== text);
}

/** The last character before the padding has two bits that decoders ignore. */
function nextSpelling(signature: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
  return `${signature.slice(0, -2)}${alphabet[alphabet.indexOf(signature.at(-2) ?? '') + 1]}=`;
}

function upperCased(headers: Record<string, string>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]));
}

function listed(headers: Record<string, string>) {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]]));
}
