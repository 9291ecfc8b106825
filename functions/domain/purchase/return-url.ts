import { refuseField } from '../errors.ts';

export const LONGEST_RETURN_URL = 1_000;
/**
 * The only form of a return URL that is accepted. Parsers of URLs disagree about other characters, and about
 * a host with escapes, a port or credentials.
 */
const FORM = /^https:\/\/[a-z0-9.-]+([/?][\x21-\x7e]*)?$/;
const AMBIGUOUS = /[\\<>"'`{}|^#]/;

/**
 * Whether every URL parser finds the same https host in the text: docs/decisions.md,
 * "The liveness check".
 */
export function isReturnUrl(text: string): boolean {
  if (!FORM.test(text) || AMBIGUOUS.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === '';
  // A parser may rewrite a host, for example a number as an IP address. The client would then arrive at a
  // host that the text does not name.
  return isPlain && hostname === text.slice('https://'.length).split(/[/?]/)[0];
}

/** Refuses a return URL whose host is not among `returnHosts` of the partner's settings. */
export function requireListed(returnUrl: string | undefined, hosts: readonly string[] = []): void {
  if (returnUrl === undefined || hosts.includes(new URL(returnUrl).hostname)) return;
  refuseField('returnUrl', 'must have a host of returnHosts in your settings');
}

/** The URL to which the client returns. It names the purchase, but not the result of the face check. */
export function returnAddress(returnUrl: string, transactionId: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('transactionId', transactionId);
  return url.href;
}
