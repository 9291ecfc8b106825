import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Caller } from '../../domain/acts/operator.ts';
import { Unavailable } from '../../domain/errors.ts';

const BODY = 'Action=GetCallerIdentity&Version=2011-06-15';
const HEADERS = { 'content-type': 'application/x-www-form-urlencoded' };

/** Without an endpoint, STS answers in the region of the client. */
type Way = { endpoint?: string; fetch: typeof fetch; timeoutMs: number };

/**
 * Asks STS whose credentials these are. The service has no client of STS: a client that is there signs the only call,
 * with the same credentials.
 */
export function stsCaller(
  { config }: Pick<DynamoDBDocumentClient, 'config'>,
  { endpoint, fetch, timeoutMs }: Way,
): Caller {
  return {
    async findArn() {
      const signingRegion = await config.region();
      const url = new URL(endpoint ?? `https://sts.${signingRegion}.amazonaws.com`);
      const signer = await config.signer();
      // The client keeps the service of its first signature, and this one is for another service.
      const { headers } = await signer.sign(requestTo(url), { signingService: 'sts', signingRegion });
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await fetch(url, { method: 'POST', headers, body: BODY, signal });
      return arnIn(answer.status, await answer.text());
    },
  };
}

const requestTo = ({ protocol, hostname, host }: URL) => ({
  method: 'POST',
  protocol,
  hostname,
  path: '/',
  query: {},
  headers: { ...HEADERS, host },
  body: BODY,
});

function arnIn(status: number, text: string): string {
  const arn = /<Arn>([^<]+)<\/Arn>/.exec(text)?.[1];
  if (status >= 500) throw new Unavailable('STS');
  if (status !== 200 || !arn) throw new Error(`STS does not know these credentials: ${status}`);
  return arn;
}
