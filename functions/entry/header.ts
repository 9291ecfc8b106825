import type { APIGatewayProxyEvent } from 'aws-lambda';

/** Finds a header by its name in lower case, because clients and gateways write names in different cases. */
export function headerOf(
  { headers }: Pick<APIGatewayProxyEvent, 'headers'>,
  name: string,
): string | undefined {
  return Object.entries(headers ?? {}).find(([key]) => key.toLowerCase() === name)?.[1];
}
