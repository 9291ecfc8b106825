import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { CallerIdentity } from '../../functions/domain/acts/operator.ts';
import { Unavailable } from '../../functions/domain/errors.ts';

const BODY = 'Action=GetCallerIdentity&Version=2011-06-15';
const HEADERS = { 'content-type': 'application/x-www-form-urlencoded' };

/** `endpoint` is the URL of STS. The default is STS in the region of the AWS client. */
type CallerWay = { endpoint?: string; fetch: typeof fetch; timeoutMs: number };

/**
 * Asks STS which role or user our AWS credentials belong to. The DynamoDB client signs the request with its
 * credentials, so no client of STS is loaded for one call.
 */
export function stsCaller(
  { config }: Pick<DynamoDBDocumentClient, 'config'>,
  { endpoint, fetch, timeoutMs }: CallerWay,
): CallerIdentity {
  return {
    async findArn() {
      const signingRegion = await config.region();
      const url = new URL(endpoint ?? `https://sts.${signingRegion}.amazonaws.com`);
      const signer = await config.signer();
      // The signer belongs to the DynamoDB client. Without `signingService` it would sign for DynamoDB.
      const { headers } = await signer.sign(requestTo(url), { signingService: 'sts', signingRegion });
      const signal = AbortSignal.timeout(timeoutMs);
      try {
        const answer = await fetch(url, { method: 'POST', headers, body: BODY, signal });
        return arnIn(answer.status, await answer.text());
      } catch (cause) {
        throw isSilence(cause) ? new Unavailable('STS', { cause }) : cause;
      }
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

/** Whether STS gave no answer: the connection broke (`TypeError` of fetch), or the time limit ended the call. */
const isSilence = (error: unknown) =>
  error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');

function arnIn(status: number, text: string): string {
  const arn = /<Arn>([^<]+)<\/Arn>/.exec(text)?.[1];
  if (status >= 500) throw new Unavailable('STS');
  if (status !== 200 || !arn) throw new Error(`STS does not know these credentials: ${status}`);
  return arn;
}
