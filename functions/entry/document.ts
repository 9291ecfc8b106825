import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { withHeaders } from './answer.ts';
import { headerOf } from './header.ts';

/** How the data of an answer becomes a file: as text, or as bytes of a media type that API Gateway treats as binary. */
export type DocumentForm<Data> = { type: string; render: (data: Data) => Promise<string | Uint8Array> };

/**
 * Whether the caller asks for this media type. Only the first type in `Accept` counts. API Gateway also looks
 * only at the first type when it decides whether to turn base64 into bytes.
 */
export function isAskedFor(event: Pick<APIGatewayProxyEvent, 'headers'>, type: string): boolean {
  return (
    headerOf(event, 'accept')
      ?.replace(/[,;].*$/s, '')
      .trim() === type
  );
}

export async function documentAnswer<Data>(
  data: Data,
  { type, render }: DocumentForm<Data>,
): Promise<APIGatewayProxyResult> {
  const file = await render(data);
  const isText = typeof file === 'string';
  const body = isText ? file : Buffer.from(file).toString('base64');
  const answer = withHeaders({ statusCode: 200, body }, { 'Content-Type': type });
  return isText ? answer : { ...answer, isBase64Encoded: true };
}
