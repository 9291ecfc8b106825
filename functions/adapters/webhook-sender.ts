/**
 * Sends signed events to URLs that partners choose. No URL is trusted: only https, no redirects, and only
 * public IP addresses. The socket connects to exactly the IP address that was checked.
 */
import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { BlockList, isIP, type LookupFunction } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { EXCERPT_BYTES, excerptOf } from '../domain/partners/excerpt.ts';
import type { Posted, WebhookPost, WebhookSender } from '../domain/partners/webhook-ports.ts';
import type { Clock } from '../domain/ports.ts';

type WebhookSenderSettings = {
  /**
   * Allows http to this computer, only for a sandbox on a laptop. In Lambda, a loopback address would reach
   * Lambda's own runtime API.
   */
  allowLoopback: boolean;
};
/** Looks up the IP addresses of a host name. When the signal aborts, the look-up finds none or rejects. */
export type Resolve = (hostname: string, signal: AbortSignal) => Promise<LookupAddress[]>;
type WebhookSenderDeps = { clock: Clock; resolve?: Resolve };

export function webhookSender(settings: WebhookSenderSettings, deps: WebhookSenderDeps): WebhookSender {
  const { clock, resolve = nameResolver() } = deps;
  return {
    isAllowed: (address) => allowedTarget(address, settings) !== undefined,
    async post(address, { timeoutMs, ...message }) {
      const url = allowedTarget(address, settings);
      if (!url) return {};
      const { body } = message;
      const headers = signedHeaders(message, clock.now());
      const signal = AbortSignal.timeout(timeoutMs);
      const lookup = judgedLookup((name) => resolve(name, signal), judgeFor(url));
      return postTo(url, { headers, signal, lookup }, body).catch(() => ({}));
    },
  };
}

/**
 * Returns the URL if it may be called, and undefined otherwise. If its host is a name, the IP addresses of
 * the name are checked later, by `judgedLookup`.
 */
function allowedTarget(address: string, settings: WebhookSenderSettings): URL | undefined {
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  const isHttp = url.protocol === 'https:' || (url.protocol === 'http:' && settings.allowLoopback);
  if (!isHttp || url.username !== '' || url.password !== '') return undefined;
  // A host that is an IP address is not looked up, so it is checked here.
  const literal = hostOf(url);
  const isName = url.protocol === 'http:' ? literal === LOCALHOST : isIP(literal) === 0;
  return isName || judgeFor(url)(literal) ? url : undefined;
}

const LOCALHOST = 'localhost';
const hostOf = (url: URL) => url.hostname.replace(/^\[|\]$/g, '');

const judgeFor = ({ protocol }: URL) => (protocol === 'http:' ? isLoopback : isPublic);

/**
 * Returns a look-up that fails unless every IP address of the name is allowed. The socket uses its result,
 * and therefore connects only to an address that was checked.
 */
export function judgedLookup(
  resolve: (hostname: string) => Promise<LookupAddress[]>,
  isAllowed: (address: string) => boolean,
): LookupFunction {
  return (hostname, options, callback) => {
    const judge = (addresses: LookupAddress[]) => {
      const [first] = addresses;
      if (!first || !addresses.every(({ address }) => isAllowed(address)))
        callback(new Error('address not allowed'), '', 0);
      else if (options.all) callback(null, addresses);
      else callback(null, first.address, first.family);
    };
    resolve(hostname).then(judge, (error) => callback(error, '', 0));
  };
}

const LOCALHOST_ADDRESSES: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];
const QUESTIONS = { timeout: 500, tries: 3 };

/**
 * Asks the DNS servers directly, and stops when the signal aborts. `dns.lookup` cannot stop: a name server
 * that does not answer blocks one of the process's four threads for many seconds. Four such names would stop
 * all look-ups of the service. IPv6 is asked only if the name has no IPv4 address. A missing IPv6 answer
 * therefore delays few calls.
 */
export function nameResolver(servers?: string[]): Resolve {
  return async (hostname, signal) => {
    if (hostname === LOCALHOST) return LOCALHOST_ADDRESSES;
    // Each look-up has its own resolver, because `cancel` stops all queries of a resolver.
    const resolver = new Resolver(QUESTIONS);
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener('abort', cancel, { once: true });
    try {
      const v4 = await resolver.resolve4(hostname).catch(() => []);
      if (v4.length > 0) return v4.map((address) => ({ address, family: 4 }));
      signal.throwIfAborted();
      return (await resolver.resolve6(hostname)).map((address) => ({ address, family: 6 }));
    } finally {
      signal.removeEventListener('abort', cancel);
    }
  };
}

/** Resolves with the status of the answer, even if the body does not arrive within `BODY_MS`. */
function postTo(url: URL, options: https.RequestOptions, body: string): Promise<Posted> {
  const { request } = url.protocol === 'https:' ? https : http;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', agent: false, ...options }, (response) => {
      sent.off('error', reject).on('error', () => undefined);
      const { statusCode } = response;
      readExcerpt(response).then((text) => resolve({ statusCode, excerpt: excerptOf(text) }), reject);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/**
 * How long the body is read, in milliseconds. An endless or slow body of a partner takes no more time than
 * this.
 */
const BODY_MS = 250;

/** Returns the beginning of the body, at most `EXCERPT_BYTES`, as far as it arrives within `BODY_MS`. */
async function readExcerpt(response: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  const timer = setTimeout(() => response.destroy(), BODY_MS);
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      if (Buffer.concat(chunks).length >= EXCERPT_BYTES) break;
    }
  } catch {
    // If the body breaks off, the part that has arrived is returned.
  } finally {
    clearTimeout(timer);
    response.destroy();
  }
  return Buffer.concat(chunks).subarray(0, EXCERPT_BYTES).toString();
}

/**
 * Signs the message with each secret of the endpoint (https://www.standardwebhooks.com). The receiver accepts
 * the message if one signature is right.
 */
function signedHeaders({ id, body, secrets }: Omit<WebhookPost, 'timeoutMs'>, now: number) {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(id, new Date(now), body));
  return {
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
    'user-agent': 'onramp-webhooks/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(now / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}

const LOOPBACK = blockList(['127.0.0.0/8', '::1/128']);

/**
 * IANA's special IPv4 blocks, which are not public. Among them are the metadata service of AWS (169.254) and
 * carrier-grade NAT (100.64).
 */
const SPECIAL_V4 = blockList([
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
]);
/** The block of public IPv6 addresses. Addresses outside of it are private, local, mapped or unassigned. */
const GLOBAL_V6 = blockList(['2000::/3']);
/**
 * Special blocks within the public one: special purposes with Teredo, documentation, and 6to4. A 6to4 address
 * contains an IPv4 address, which may be private.
 */
const SPECIAL_V6 = blockList(['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20']);

export function isPublic(address: string): boolean {
  if (isIP(address) === 4) return !SPECIAL_V4.check(address, 'ipv4');
  return isIP(address) === 6 && GLOBAL_V6.check(address, 'ipv6') && !SPECIAL_V6.check(address, 'ipv6');
}

function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}

function blockList(ranges: string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [network = '', prefix] = range.split('/');
    list.addSubnet(network, Number(prefix), isIP(network) === 4 ? 'ipv4' : 'ipv6');
  }
  return list;
}
