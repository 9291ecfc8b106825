import type { APIGatewayProxyEvent } from 'aws-lambda';
import { refuse } from '../domain/errors.ts';

const MAX_BODY_BYTES = 64 * 1024;

/** The body as it was sent: a signature is over these very bytes. */
export function textOf({ body, isBase64Encoded }: APIGatewayProxyEvent): string {
  return isBase64Encoded ? Buffer.from(body ?? '', 'base64').toString() : (body ?? '');
}

/** Asked once the caller is known, for a stranger learns nothing here. */
export function requireSmall(text: string): void {
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) refuse('REQUEST_TOO_LARGE');
}
