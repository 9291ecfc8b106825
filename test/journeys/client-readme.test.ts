import { expect, test, vi } from 'vitest';
import { importExample } from '../client/readme-blocks.ts';
import { newPartner, sandbox } from '../support/sandbox.ts';

// Spec, What the service does: "A client library wraps the REST endpoints"
test('the client library’s first example buys in the sandbox, as its README has it', async () => {
  const { apiKey } = await newPartner();
  vi.stubEnv('ONRAMP_URL', sandbox().url);
  vi.stubEnv('ONRAMP_API_KEY', apiKey);
  vi.spyOn(console, 'log').mockReturnValue();
  const { tryOut } = await importExample('tryOut');

  expect(await tryOut()).toMatchObject({ status: 'COMPLETED', txHash: expect.stringMatching(/^0x/) });
});
