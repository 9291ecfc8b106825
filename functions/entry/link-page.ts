import { createHash } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { live } from '../adapters/live.ts';
import type { Need, Needs } from '../domain/ports.ts';
import { withHeaders } from './answer.ts';

export type LinkPage = { statusCode: number; body: string };

type Definition<List extends readonly Need[]> = {
  needs: List;
  /** The style sheet of the pages. The pages may use no other. */
  style: string;
  /** The page that is shown after an error of ours. */
  failed: string;
};

type Parameters = Readonly<Record<string, string | undefined>>;

/**
 * Wraps a function that answers a page to anybody who has its link. The headers forbid to store the page, to
 * embed it in another page and to run scripts. They also keep the URL of the page from other sites.
 */
export function linkPage<const List extends readonly Need[]>(
  { needs, style, failed }: Definition<List>,
  show: (parameters: Parameters, ports: Needs<List>) => Promise<LinkPage>,
) {
  const headers = pageHeaders(style);
  return async ({ requestContext, pathParameters }: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const { requestId } = requestContext;
    const answer = (page: LinkPage) => withHeaders(page, { ...headers, 'X-Request-Id': requestId });
    try {
      return answer(await show(pathParameters ?? {}, await live(needs)));
    } catch (error) {
      const { log } = await live(['log']);
      log.raise('RequestFailed', error, { requestId });
      return answer({ statusCode: 500, body: failed });
    }
  };
}

function pageHeaders(style: string): Record<string, string> {
  const hash = createHash('sha256').update(style).digest('base64');
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'no-store',
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'sha256-${hash}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex',
  };
}
