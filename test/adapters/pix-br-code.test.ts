import { existsSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload';
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils/get-pix-payload-info';
import { isValidPixPayload } from '@brazilian-utils/brazilian-utils/is-valid-pix-payload';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { payloadFault, payloadOf } from '../../functions/adapters/pix/br-code.ts';

const HOST = 'pix.example.com';
const LOCATION = `${HOST}/qr/v2/2353c790eefb11eaadc10242ac120002`;
const trust = { locationHosts: [HOST], merchantName: 'Fulano de Tal', merchantCity: 'BRASILIA' };

const tlv = (id: string, value: string) => `${id}${String(value.length).padStart(2, '0')}${value}`;
const gui = tlv('00', 'br.gov.bcb.pix');
const rest = '5204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***';

/** A code with a right checksum around any accounts. */
function signed(accounts: string, tail = rest): string {
  const text = `000201010212${accounts}${tail}6304`;
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return text + crc.toString(16).toUpperCase().padStart(4, '0');
}

const VECTORS = resolve('..', 'shared', 'pix', 'brcode-vectors.json');
type Vector = { name: string; brcode: string; expect: 'valid' | 'invalid'; kind: string };
const hasVectors = existsSync(VECTORS);
const vectors: Vector[] = hasVectors ? JSON.parse(readFileSync(VECTORS, 'utf8')).vectors : [];

describe.skipIf(!hasVectors)('public vectors (shared/pix/brcode-vectors.json)', () => {
  test.each(vectors.filter((each) => each.expect === 'invalid'))('refuses $name', ({ brcode }) => {
    expect(payloadFault(brcode, LOCATION)).toBe('BR Code structure or checksum');
  });

  test.each(vectors.filter((each) => each.kind === 'static'))(
    'refuses $name, because it is not dynamic',
    (vector) => {
      expect(payloadFault(vector.brcode, LOCATION)).toBe('BR Code is not dynamic');
    },
  );

  test.each(vectors.filter((each) => each.kind === 'dynamic'))(
    'shows $name for its own location',
    ({ brcode }) => {
      const url = getPixPayloadInfo(brcode)!.url!;
      expect(payloadFault(brcode, url)).toBeUndefined();
      expect(payloadFault(brcode, LOCATION)).toBe('BR Code of another location');
    },
  );

  test.each(vectors.filter((each) => each.kind === 'composite'))(
    'never shows $name, because it would bind to more',
    (vector) => {
      const url = getPixPayloadInfo(vector.brcode)?.url ?? LOCATION;
      expect(payloadFault(vector.brcode, url)).toBeDefined();
    },
  );
});

describe('payloadOf', () => {
  const code = signed(tlv('26', gui + tlv('25', LOCATION)));

  // Spec, What the service does: "the client pays from a Brazilian bank"
  // docs/decisions.md, "The payer must be the client"
  test('passes on the provider’s own code, byte for byte', () => {
    expect(payloadOf({ locations: [LOCATION, LOCATION], copyAndPaste: code }, trust)).toBe(code);
  });

  test('accepts a location with its scheme, and a GUI in capitals', () => {
    const capitals = signed(tlv('26', gui.toUpperCase() + tlv('25', LOCATION)));
    expect(payloadOf({ locations: [`https://${LOCATION}`], copyAndPaste: capitals }, trust)).toBe(capitals);
  });

  test('accepts an amount in a dynamic code, which some providers send', () => {
    const priced = signed(tlv('26', gui + tlv('25', LOCATION)), rest.replace('5802BR', '5406100.505802BR'));
    expect(payloadFault(priced, LOCATION)).toBeUndefined();
  });

  test('builds a code that reads back as the location, with our name', () => {
    const built = payloadOf({ locations: [LOCATION] }, trust);
    expect(getPixPayloadInfo(built)).toMatchObject({ url: LOCATION, merchantName: 'Fulano de Tal' });
    expect(built).toBe(code);
  });

  test.each([
    ['another location', signed(tlv('26', gui + tlv('25', `${HOST}/qr/v2/other`)))],
    ['a foreign host', signed(tlv('26', gui + tlv('25', 'evil.example/qr')))],
    ['a key instead of a location', signed(tlv('26', gui + tlv('01', 'a@b.com')))],
    [
      'a second account',
      signed(tlv('26', gui + tlv('25', LOCATION)) + tlv('27', gui + tlv('25', 'evil.example/qr'))),
    ],
    [
      'a first account that a parser would overwrite',
      signed(tlv('26', gui + tlv('25', 'evil.example/qr')) + tlv('26', gui + tlv('25', LOCATION))),
    ],
    [
      'a first location that a parser would overwrite',
      signed(tlv('26', gui + tlv('25', 'evil.example/qr') + tlv('25', LOCATION))),
    ],
    ['a line break', `${code}\n`],
    ['a wrong checksum', `${code.slice(0, -1)}${code.endsWith('0') ? '1' : '0'}`],
    ['nothing', ''],
  ])('refuses a code with %s', (_, copyAndPaste) => {
    expect(() => payloadOf({ locations: [LOCATION], copyAndPaste }, trust)).toThrow('unavailable');
  });

  test.each([
    'evil.example/qr/v2/x',
    `evil.example@${HOST}/qr`,
    `${HOST}@evil.example/qr`,
    `${HOST}.evil.example/qr`,
    `${HOST}:8443/qr`,
    `${HOST}\\.evil.example/qr`,
    `//${HOST}/qr`,
    `javascript://${HOST}/qr`,
    HOST,
    '',
  ])('refuses the location %j', (location) => {
    expect(() => payloadOf({ locations: [location] }, trust)).toThrow('unavailable');
  });
});

describe('a BR Code', () => {
  const path = fc.stringMatching(/^[a-zA-Z0-9]{1,40}$/);

  test('built for a location is shown for it, and for no other', () => {
    fc.assert(
      fc.property(path, path, (one, other) => {
        const url = `${HOST}/${one}`;
        const built = payloadOf({ locations: [url] }, trust);
        expect(isValidPixPayload(built)).toBe(true);
        if (one !== other) expect(payloadFault(built, `${HOST}/${other}`)).toBeDefined();
      }),
    );
  });

  test('with one changed character is never shown', () => {
    const built = generatePixPayload({ url: LOCATION, merchantName: 'A', merchantCity: 'B' })!;
    const at = fc.integer({ min: 0, max: built.length - 1 });
    fc.assert(
      fc.property(at, fc.string({ minLength: 1, maxLength: 1 }), (index, character) => {
        const isSame = built[index]?.toUpperCase() === character.toUpperCase();
        const changed = built.slice(0, index) + character + built.slice(index + 1);
        if (!isSame) expect(payloadFault(changed, LOCATION)).toBeDefined();
      }),
    );
  });

  test('is judged for any text without an exception', () => {
    fc.assert(fc.property(fc.string(), (text) => payloadFault(text, LOCATION) !== undefined));
  });
});
