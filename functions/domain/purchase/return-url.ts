import { refuseField } from '../errors.ts';

export const LONGEST_RETURN_URL = 1_000;
/**
 * The only form that is accepted. Parsers of URLs disagree about other characters, and about a host with escapes, a
 * port or credentials.
 */
const FORM = /^https:\/\/[a-z0-9.-]+([/?][\x21-\x7e]*)?$/;
const AMBIGUOUS = /[\\<>"'`{}|^#]/;

/**
 * Whether every parser reads the text as the same https address: docs/decisions.md, "The way back from the liveness
 * page".
 */
export function isReturnUrl(text: string): boolean {
  if (!FORM.test(text) || AMBIGUOUS.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === '';
  // A parser may replace the host, for example one that consists of numbers. Then the client would arrive somewhere
  // else.
  return isPlain && hostname === text.slice('https://'.length).split(/[/?]/)[0];
}

/** Refuses a return URL whose host is not among `returnHosts` of the partner's settings. */
export function requireListed(returnUrl: string | undefined, hosts: readonly string[] = []): void {
  if (returnUrl === undefined || hosts.includes(new URL(returnUrl).hostname)) return;
  refuseField('returnUrl', 'must have a host of returnHosts in your settings');
}

/** The address to which the client returns. It names the purchase, but not the result of the check. */
export function returnAddress(returnUrl: string, transactionId: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('transactionId', transactionId);
  return url.href;
}
