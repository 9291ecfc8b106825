import { refuseField } from '../errors.ts';

export const LONGEST_RETURN_URL = 1_000;
/** Parsers disagree about other characters, and about a host with escapes, a port or credentials. */
const FORM = /^https:\/\/[a-z0-9.-]+([/?][\x21-\x7e]*)?$/;
const AMBIGUOUS = /[\\<>"'`{}|^#]/;

/**
 * Whether the text is an https address that every parser reads alike: docs/decisions.md, "The way back from the
 * liveness page".
 */
export function isReturnUrl(text: string): boolean {
  if (!FORM.test(text) || AMBIGUOUS.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, port, username, password } = new URL(text);
  const isPlain = protocol === 'https:' && port === '' && username === '' && password === '';
  // A parser may read another host than the one that stands there, as with an address of numbers.
  return isPlain && hostname === text.slice('https://'.length).split(/[/?]/)[0];
}

/** Refuses an address whose host the partner has not listed in its settings. */
export function requireListed(returnUrl: string | undefined, hosts: readonly string[] = []): void {
  if (returnUrl === undefined || hosts.includes(new URL(returnUrl).hostname)) return;
  refuseField('returnUrl', 'must have a host of returnHosts in your settings');
}

/** The address at which the client arrives. It names the purchase, and not how the check ended. */
export function returnAddress(returnUrl: string, transactionId: string): string {
  const url = new URL(returnUrl);
  url.searchParams.set('transactionId', transactionId);
  return url.href;
}
