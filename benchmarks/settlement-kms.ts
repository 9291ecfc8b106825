/** The sandbox's KMS stand-in with one secp256k1 key. It has its own thread, because KMS is another machine. */
import { createServer } from 'node:http';
import { parentPort } from 'node:worker_threads';
import { listen } from '../sandbox/cloud/http-server.ts';
import { startKms } from '../sandbox/cloud/kms.ts';
import type { Template } from '../sandbox/cloud/template.ts';
import { readBody } from '../sandbox/cloud/wire.ts';

const key = {
  logicalId: 'Treasury',
  type: 'AWS::KMS::Key',
  properties: { KeySpec: 'ECC_SECG_P256K1', KeyUsage: 'SIGN_VERIFY' },
};
const template = {
  ofType: (type: string) => (type === key.type ? [key] : []),
  properties: () => key.properties,
  ref: () => 'treasury',
  attribute: () => 'arn:aws:kms:us-east-1:000000000000:key/treasury',
} as unknown as Template;

const kms = startKms(template);
const server = createServer(async (request, response) => {
  const operation = String(request.headers['x-amz-target']).split('.')[1] ?? '';
  const answer = await kms.call(operation, JSON.parse((await readBody(request)).toString()));
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(answer));
});
parentPort?.postMessage(await listen(server, 0));
