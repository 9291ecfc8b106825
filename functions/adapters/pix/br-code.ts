import { generatePixPayload } from '@brazilian-utils/brazilian-utils/generate-pix-payload';
import { getPixPayloadInfo } from '@brazilian-utils/brazilian-utils/get-pix-payload-info';
import type { PixSettings } from './settings.ts';
import { malformedPix, type WireCharge } from './wire.ts';

/**
 * A host and a path of plain characters only. With other characters, two parsers could read two different
 * hosts in one URL.
 */
const LOCATION = /^([a-z0-9][a-z0-9.-]{0,70})(\/[\w.~/-]+)$/i;
const PAYLOAD = /^[\x20-\x7e]{1,512}$/;
const GUI = /br\.gov\.bcb\.pix/gi;

type Charge = Pick<WireCharge, 'locations' | 'copyAndPaste'>;
type Trust = Pick<PixSettings, 'locationHosts' | 'merchantName' | 'merchantCity'>;

/**
 * Returns the BR Code that the client copies into the bank's app. It is the provider's code, or a code built
 * from the charge's location. Both are checked. Throws if the check fails, because with a wrong code the
 * client would pay a stranger.
 */
export function payloadOf(charge: Charge, trust: Trust): string {
  const location = requireLocation(charge.locations, trust.locationHosts);
  const payload = charge.copyAndPaste ?? builtPayload(location, trust);
  const fault = payloadFault(payload, location);
  if (fault) throw malformedPix(fault);
  return payload;
}

function requireLocation(locations: string[], hosts: string[]): string {
  const [location = '', ...others] = locations.map((each) => each.replace(/^https?:\/\//, ''));
  if (others.some((each) => each !== location)) throw malformedPix('two different locations');
  const host = LOCATION.exec(location)?.[1]?.toLowerCase();
  if (!host) throw malformedPix('location');
  if (!hosts.includes(host)) throw malformedPix('location of a foreign host');
  return location;
}

function builtPayload(location: string, { merchantName, merchantCity }: Trust): string {
  const payload = generatePixPayload({ url: location, merchantName, merchantCity });
  if (payload === null) throw malformedPix('location that no BR Code can carry');
  return payload;
}

/**
 * The reason why the client must not see this payload for the charge at `location`. Undefined if the payload
 * is correct.
 */
export function payloadFault(payload: string, location: string): string | undefined {
  if (!PAYLOAD.test(payload) || payload.trim() !== payload) return 'BR Code characters';
  const info = getPixPayloadInfo(payload);
  if (!info) return 'BR Code structure or checksum';
  if (info.url === undefined) return 'BR Code is not dynamic';
  if (info.url !== location) return 'BR Code of another location';
  return hasOnlyAccount(payload, location) ? undefined : 'BR Code with a second account';
}

// True if the code has exactly one template of a Pix account, which contains only the location. If a field
// comes twice, our parser keeps the last one, but the payer's bank may keep the first.
function hasOnlyAccount(payload: string, location: string): boolean {
  const sized = (text: string) => `${String(text.length).padStart(2, '0')}${text}`;
  const template = sized(`0014br.gov.bcb.pix25${sized(location)}`);
  return payload.match(GUI)?.length === 1 && payload.replace(GUI, 'br.gov.bcb.pix').includes(template);
}
