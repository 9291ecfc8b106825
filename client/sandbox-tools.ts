/** Helpers that play a client of the sandbox: the code of an authenticator app, and a new CPF. */
import { decodeBase32 } from './encoding.ts';

const STEP_SECONDS = 30;
const SECRET_FORM = 'totpCode needs a secret in base 32, or the otpauth URI of an enrollment';

/**
 * Returns the six digits that an authenticator app shows at the time `at` (RFC 6238 with SHA-1). `secret` is
 * the secret in base 32, or the whole `otpauthUri` of the enrollment. `at` is in milliseconds since 1970. The
 * default is now.
 */
export async function totpCode(secret: string, at: number = Date.now()): Promise<string> {
  const bytes = decodeBase32(secretOf(secret).toUpperCase());
  if (!bytes?.length) throw new TypeError(SECRET_FORM);
  const algorithm = { name: 'HMAC', hash: 'SHA-1' };
  const key = await crypto.subtle.importKey('raw', bytes, algorithm, false, ['sign']);
  const counter = new DataView(new ArrayBuffer(8));
  counter.setBigUint64(0, BigInt(Math.floor(at / 1000 / STEP_SECONDS)));
  return truncate(new DataView(await crypto.subtle.sign('HMAC', key, counter)));
}

function secretOf(text: string): string {
  return text.startsWith('otpauth:') ? (new URL(text).searchParams.get('secret') ?? '') : text;
}

/**
 * Takes the six digits from the MAC. The last four bits of the MAC say at which byte its number begins (RFC
 * 4226, section 5.3).
 */
function truncate(mac: DataView): string {
  const offset = mac.getUint8(mac.byteLength - 1) & 0xf;
  const number = mac.getUint32(offset) & 0x7fff_ffff;
  return String(number % 1_000_000).padStart(6, '0');
}

/**
 * Beginnings of CPFs that `freshCpf` must not return. The sandbox forces an outcome for some of these CPFs.
 * The others begin with nine equal digits, and most checks refuse such a CPF.
 */
const TAKEN = /^(900000|111444777|700000001|(\d)\2{8})/;

/**
 * Returns a random CPF with valid check digits, in the form `NNN.NNN.NNN-NN`. The sandbox forces no outcome
 * for it.
 */
export function freshCpf(): string {
  const [random = 0] = crypto.getRandomValues(new Uint32Array(1));
  const nine = String(random % 1_000_000_000).padStart(9, '0');
  if (TAKEN.test(nine)) return freshCpf();
  const ten = `${nine}${checkDigit(nine)}`;
  return `${ten}${checkDigit(ten)}`.replace(/(...)(...)(...)(..)/, '$1.$2.$3-$4');
}

/**
 * Returns the check digit of a CPF's digits. The last digit has the weight 2, and each digit before it has a
 * weight larger by 1.
 */
function checkDigit(digits: string): number {
  const weighted = Array.from(digits, (digit, index) => Number(digit) * (digits.length + 1 - index));
  const sum = weighted.reduce((total, each) => total + each, 0);
  return ((sum * 10) % 11) % 10;
}
