import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { withHeaders } from './answer.ts';
import { headerOf } from './header.ts';

/** The data of an answer as a file. `type` must be one of the media types that the API treats as bytes. */
export type DocumentForm<Data> = { type: string; render: (data: Data) => Promise<Uint8Array> };

/**
 * Whether the caller asks for this type. Only the first type of `Accept` counts, because API Gateway turns base64 into
 * bytes by that one alone.
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
  const body = Buffer.from(await render(data)).toString('base64');
  return { ...withHeaders({ statusCode: 200, body }, { 'Content-Type': type }), isBase64Encoded: true };
}
