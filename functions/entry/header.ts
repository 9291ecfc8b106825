import type { APIGatewayProxyEvent } from 'aws-lambda';

/** The header of this name in lower case. The case of names has no meaning, and clients and gateways differ in it. */
export function headerOf(
  { headers }: Pick<APIGatewayProxyEvent, 'headers'>,
  name: string,
): string | undefined {
  return Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
}
