/**
 * Makes X.509 certificates for mutual TLS on this machine, in DER (RFC 5280), because Node can sign but
 * cannot make certificates. Each start makes new certificates, and so the repository holds no private key.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { DAY_MS } from '../../functions/domain/time.ts';

/** A certificate and its private key, in PEM. */
export type Identity = { cert: string; key: string };
type Authority = Identity & { name: string; signer: KeyObject };

const DAYS = 30;

const tlv = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from([tag]), lengthOf(body.length), body]);
};
const lengthOf = (length: number): Buffer => {
  if (length < 0x80) return Buffer.from([length]);
  return length < 0x100 ? Buffer.from([0x81, length]) : Buffer.from([0x82, length >> 8, length & 0xff]);
};
const sequence = (...parts: Uint8Array[]) => tlv(0x30, ...parts);
const oid = (hex: string) => tlv(0x06, Buffer.from(hex, 'hex'));

const ECDSA_WITH_SHA256 = sequence(oid('2a8648ce3d040302'));
const COMMON_NAME = oid('550403');
const BASIC_CONSTRAINTS = oid('551d13');
const SUBJECT_ALT_NAME = oid('551d11');
const IS_AUTHORITY = sequence(BASIC_CONSTRAINTS, tlv(0x04, sequence(tlv(0x01, Buffer.from([0xff])))));
/** The certificate extension that names 127.0.0.1, the address of this machine. */
const LOOPBACK = sequence(SUBJECT_ALT_NAME, tlv(0x04, sequence(tlv(0x87, Buffer.from([127, 0, 0, 1])))));

const nameOf = (name: string) => sequence(tlv(0x31, sequence(COMMON_NAME, tlv(0x0c, Buffer.from(name)))));
/** The time as `YYMMDDHHMMSSZ`, which X.509 uses for years before 2050. */
const timeOf = (at: number) =>
  tlv(0x17, Buffer.from(`${new Date(at).toISOString().replace(/\D/g, '').slice(2, 14)}Z`));

type Wanted = { name: string; issuer: string; publicKey: KeyObject; signer: KeyObject; extension: Buffer };

function certificate({ name, issuer, publicKey, signer, extension }: Wanted): string {
  const now = Date.now();
  const body = sequence(
    tlv(0xa0, tlv(0x02, Buffer.from([2]))),
    tlv(0x02, Buffer.from([1]), randomBytes(8)),
    ECDSA_WITH_SHA256,
    nameOf(issuer),
    sequence(timeOf(now - DAY_MS), timeOf(now + DAYS * DAY_MS)),
    nameOf(name),
    publicKey.export({ type: 'spki', format: 'der' }),
    tlv(0xa3, sequence(extension)),
  );
  const signature = tlv(0x03, Buffer.from([0]), sign('sha256', body, signer));
  const text = sequence(body, ECDSA_WITH_SHA256, signature).toString('base64');
  return `-----BEGIN CERTIFICATE-----\n${text.match(/.{1,64}/g)?.join('\n')}\n-----END CERTIFICATE-----\n`;
}

const newKeys = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pemOf = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Makes a certificate authority. It signs its own certificate. */
export function newAuthority(name: string): Authority {
  const { publicKey, privateKey: signer } = newKeys();
  const cert = certificate({ name, issuer: name, publicKey, signer, extension: IS_AUTHORITY });
  return { name, signer, cert, key: pemOf(signer) };
}

/** Makes a certificate that the authority signs, for a client or for a server at 127.0.0.1. */
export function issued(name: string, { name: issuer, signer }: Authority): Identity {
  const { publicKey, privateKey } = newKeys();
  const cert = certificate({ name, issuer, publicKey, signer, extension: LOOPBACK });
  return { cert, key: pemOf(privateKey) };
}
