import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { live } from '../adapters/live.ts';
import { refuse } from '../domain/errors.ts';
import type { Page } from '../domain/partners/page-ports.ts';
import type { Need, Needs } from '../domain/ports.ts';
import { failure, refusalOf, withHeaders } from './answer.ts';
import { headerOf } from './header.ts';

/** A page may load nothing from other sites, and may not be embedded in another page. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const PAGE_HEADERS = {
  'Cache-Control': 'public, max-age=300',
  'Content-Security-Policy': POLICY,
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
};

/** Wraps a function that answers public pages. It asks for no API key. */
export function page<const List extends readonly Need[]>(
  { needs }: { needs: List },
  find: (path: string, ports: Needs<List>) => Promise<Page | undefined>,
) {
  return async (event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> => {
    const { requestId } = event.requestContext;
    const headers = { 'X-Request-Id': requestId };
    try {
      const [, name] = /\/([\w-]+)\/+$/.exec(event.path) ?? [];
      if (name) return redirectTo(name, headers);
      const found = await find(requestedPath(event), await live(needs));
      return pageAnswer(found ?? refuse('NOT_FOUND'), event, headers);
    } catch (error) {
      const refusal = refusalOf(error);
      const { log } = await live(['log']);
      if (refusal.code === 'INTERNAL_ERROR') log.raise('RequestFailed', error, { requestId });
      return withHeaders(failure(refusal), headers);
    }
  };
}

/**
 * Redirects a URL that ends with a slash to the URL without it. The links of the pages are relative, so a
 * browser would resolve them wrongly after such a slash.
 */
function redirectTo(name: string, headers: Record<string, string>) {
  return withHeaders({ statusCode: 308, body: '' }, { Location: `../${name}`, ...headers });
}

function pageAnswer({ text, type, etag }: Page, event: APIGatewayProxyEvent, more: Record<string, string>) {
  const known = headerOf(event, 'if-none-match');
  const isKnown = known?.split(',').some((each) => each.trim().replace(/^W\//, '') === etag);
  const answer = isKnown ? { statusCode: 304, body: '' } : { statusCode: 200, body: text };
  return withHeaders(answer, { 'Content-Type': type, ETag: etag, ...PAGE_HEADERS, ...more });
}

/** The path without the stage, and without a slash at its end. */
function requestedPath({ resource, pathParameters }: APIGatewayProxyEvent): string {
  return resource.replace('{page+}', () => pathParameters?.page ?? '').replace(/\/+$/, '');
}
