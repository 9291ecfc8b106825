import { expect, test } from 'vitest';
import { askControl, sandbox } from '../support/sandbox.ts';

test.each<Record<string, string>>([{}, { 'x-control-key': 'sesame' }])(
  'the control interface of a deployed sandbox refuses %o',
  async (headers) => {
    const answer = await fetch(`${sandbox().simulatorsUrl}/control/scenarios`, { headers });

    expect(answer.status).toBe(403);
  },
);

test('the control interface accepts the key of the deployment', async () => {
  expect(sandbox().controlKey).toMatch(/^[A-Za-z0-9]{32}$/);
  expect((await askControl('/scenarios')).status).toBe(200);
});
