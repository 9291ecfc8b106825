import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { makeClient } from '../../functions/adapters/aws/clients/dynamodb.ts';
import { stsCaller } from '../../operations/stores/caller.ts';
import { type StubAnswer, startStub } from '../support/stub-server.ts';

const ARN = 'arn:aws:sts::111122223333:assumed-role/Desk/ana@onramp.example';
const KNOWN = { raw: `<GetCallerIdentityResponse><Arn>${ARN}</Arn></GetCallerIdentityResponse>` };

/** Asks a stub of STS, which gives one answer. The client calls its own service before and after that. */
async function ask(answer: StubAnswer) {
  const sts = await startStub(({ text }) => (text.startsWith('{') ? { body: {} } : answer));
  const credentials = { accessKeyId: 'AKIAANA', secretAccessKey: 'secret' };
  const client = makeClient({ region: 'sa-east-1', credentials, endpoint: sts.url });
  const read = () => client.send(new GetCommand({ TableName: 'acts', Key: { id: 'a' } }));
  await read();
  const found = await stsCaller(client, { endpoint: sts.url, fetch, timeoutMs: 2_000 })
    .findArn()
    .catch((error: unknown) => error);
  await read();
  await sts.close();
  return { found, requests: sts.requests };
}

describe('the caller of AWS', () => {
  test('is who STS names for the credentials that signed the question', async () => {
    const { found, requests } = await ask(KNOWN);

    expect(found).toBe(ARN);
    const scopes = requests.map(({ headers }) => /AKIAANA\/\d{8}\/(\S+),/.exec(headers.authorization!)?.[1]);
    const [own, asked] = ['sa-east-1/dynamodb/aws4_request', 'sa-east-1/sts/aws4_request'];
    expect(scopes).toEqual([own, asked, own]);
    const [, question] = requests;
    expect(question).toMatchObject({ method: 'POST', text: 'Action=GetCallerIdentity&Version=2011-06-15' });
  });

  test.each<[string, StubAnswer, string]>([
    [
      'refuses the credentials',
      { status: 403, raw: '<ErrorResponse/>' },
      'does not know these credentials: 403',
    ],
    ['names nobody', { raw: '<html/>' }, 'does not know these credentials: 200'],
    ['is down', { status: 503, raw: '' }, 'STS is unavailable'],
    ['breaks the connection', { fault: 'reset' }, 'STS is unavailable'],
    ['does not answer', { fault: 'hang' }, 'STS is unavailable'],
  ])('is unknown if STS %s, and no secret is told', async (_, answer, words) => {
    const { found } = await ask(answer);

    expect(found).toBeInstanceOf(Error);
    expect(String(found)).toContain(words);
    expect(String(found)).not.toMatch(/secret|AKIAANA/);
  });
});
