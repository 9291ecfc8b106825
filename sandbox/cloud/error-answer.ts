import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { awsError, isAwsError, text } from './wire.ts';

/** Answers with an error in the format of the service: XML from S3 and STS, JSON from the others. */
export function refuse(request: IncomingMessage, response: ServerResponse, error: unknown): void {
  if (response.headersSent) return void response.destroy();
  const known = isAwsError(error) ? error : awsError('InternalServerError', String(error), 500);
  const { name, message, status } = known;
  const { 'x-amzn-query-error': queryError, ...more } = known.fields;
  const [, scope = ''] = /\/(s3|sts)\/aws4_request/.exec(text(request.headers.authorization)) ?? [];
  if (scope) {
    const inner = `<Error><Code>${name}</Code><Message>${escapeXml(message)}</Message></Error>`;
    const root = scope === 's3' ? inner : `<ErrorResponse>${inner}</ErrorResponse>`;
    const xml = `<?xml version="1.0" encoding="UTF-8"?>${root}`;
    return void response
      .writeHead(status === 400 ? 403 : status, { 'content-type': 'application/xml' })
      .end(xml);
  }
  response
    .writeHead(status, {
      'content-type': 'application/x-amz-json-1.0',
      'x-amzn-errortype': name,
      'x-amzn-requestid': randomUUID(),
      ...(queryError ? { 'x-amzn-query-error': String(queryError) } : {}),
    })
    .end(JSON.stringify({ __type: name, message, Message: message, ...more }));
}

function escapeXml(value: string): string {
  return value.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
}
