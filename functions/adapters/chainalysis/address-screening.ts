/**
 * Chainalysis, "Entity Risking API" (docs.chainalysis.com/api/address-screening): one GET for each address. Since
 * December 2024 an address need not be registered first ("What's new", January 2025). Therefore a query changes nothing
 * and may be repeated. The API knows only main networks, and allows 40 requests a second.
 */
import { Unavailable } from '../../domain/errors.ts';
import { VENDOR_RISKS, type VendorFinding } from '../../domain/screening/wallet-risk.ts';
import { jsonClient, reopening } from '../http.ts';

export type AddressScreeningSettings = {
  /** For example `https://api.chainalysis.com/api/risk`. The version and the path are appended. */
  baseUrl: string;
  token: string;
};

/**
 * Asks the vendor how risky an address is. Throws `Unavailable` if there is no definite answer, and another error if
 * the vendor refuses the query.
 */
export type AddressScreening = { assess(address: string): Promise<VendorFinding> };

const PROVIDER = 'the wallet screening provider';
/** The vendor's explanation is cut to this length for the evidence. */
const REASON_LENGTH = 200;

export function addressScreening(
  loadSettings: () => Promise<AddressScreeningSettings>,
  { timeoutMs }: { timeoutMs?: number } = {},
): AddressScreening {
  const session = reopening(loadSettings, (settings) => ({
    settings,
    send: jsonClient({ provider: PROVIDER, timeoutMs }),
  }));
  return {
    async assess(address) {
      const { settings, send } = await session();
      const url = `${settings.baseUrl}/v2/entities/${address}`;
      const { status, body } = await send({ method: 'GET', url, headers: { Token: settings.token } });
      if (status !== 200) throw new Error(`${PROVIDER} refused a query: HTTP ${status}`);
      return findingOf(body, address);
    },
  };
}

/** Translates the answer. Throws if the answer is unfinished, unknown, or about another address. */
function findingOf(body: unknown, address: string): VendorFinding {
  const answer = Object(body) as Record<string, unknown>;
  const risk = VENDOR_RISKS.find((each) => each === upper(answer.risk));
  if (upper(answer.address) !== address.toUpperCase()) throw malformedScreening('address');
  if (answer.status !== 'COMPLETE') throw malformedScreening('status');
  if (!risk) throw malformedScreening('risk');
  const { riskReason } = answer;
  const reason = typeof riskReason === 'string' ? riskReason.slice(0, REASON_LENGTH) : undefined;
  return { name: 'CHAINALYSIS', risk, ...(reason && { reason }) };
}

const upper = (value: unknown) => (typeof value === 'string' ? value.toUpperCase() : undefined);

function malformedScreening(what: string): Unavailable {
  return new Unavailable(PROVIDER, { cause: new Error(`malformed answer: ${what}`) });
}
