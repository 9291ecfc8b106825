import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';

/** The call at which a process dies, and whether the call had its effect. */
export type DeathAt = { call: number; isAfter: boolean };
export class Died extends Error {}

/** The client of a process that dies at a call, before it or after its effect. No later call has an effect. */
export function mortalClient(
  client: DynamoDBDocumentClient,
  { call, isAfter }: DeathAt = { call: Number.POSITIVE_INFINITY, isAfter: false },
): DynamoDBDocumentClient {
  let calls = 0;
  const send = async (command: never) => {
    const isLast = ++calls === call;
    if (calls > call || (isLast && !isAfter)) throw new Died();
    const answer = await client.send(command);
    if (isLast) throw new Died();
    return answer;
  };
  return sending(client, send);
}

/** The client with another `send`. */
export const sending = (
  client: DynamoDBDocumentClient,
  send: (command: never) => Promise<unknown>,
): DynamoDBDocumentClient => Object.assign(Object.create(client) as DynamoDBDocumentClient, { send });
