import { describe, expect, test } from 'vitest';
import { operations } from '../support/operations.ts';
import {
  approvedClient,
  confirmMfa,
  expectRefusal,
  getStatus,
  initiate,
  openPurchase,
  submitKyc,
} from '../support/partner-api.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { newPartner, totpCode } from '../support/sandbox.ts';

const { ops, opsAs } = operations();
const WHY = ['--reason', 'opened with a stolen document', '--yes'];
const personIn = (out: string) => /[0-9a-f]{64}/.exec(out)![0];

describe.concurrent('a person whom an operator blocks everywhere', () => {
  // docs/decisions.md, "MED refunds and fraud"
  test('is refused at each step and each partner, in one form, until the block is lifted', async () => {
    const client = await approvedClient();
    const opened = await openPurchase(client);
    const { apiKey: elsewhere } = await newPartner();
    const submission = aSubmission({ cpf: client.cpf });

    const blocked = await ops(['fraud', 'block', '--cpf', client.cpf, '--until', '2099-12-31', ...WHY]);

    expect(blocked).toMatchObject({
      code: 0,
      err: expect.stringContaining('at all partners until 2100-01-01 00:00'),
    });
    expectRefusal(await submitKyc(elsewhere, submission), 'CLIENT_BLOCKED', {});
    expectRefusal(await submitKyc(client.apiKey, submission), 'CLIENT_BLOCKED', {});
    expectRefusal(await initiate(client.apiKey, aPurchase(client.kycToken)), 'CLIENT_BLOCKED', {});
    const code = totpCode(opened.otpauthUri);
    expectRefusal(await confirmMfa(opened.apiKey, opened.id, code), 'CLIENT_BLOCKED', {});
    expect((await getStatus(opened.apiKey, opened.id)).data.status).toBe('AWAITING_MFA');
    const { out } = await ops(['fraud', 'list', '--cpf', client.cpf]);
    for (const part of ['ana@onramp.example', 'opened with a stolen document', 'until 2100-01-01'])
      expect(out).toContain(part);
    expect(out).not.toContain(client.cpf);

    const lifted = await ops(['fraud', 'lift', personIn(out), ...WHY]);

    expect(lifted).toMatchObject({ code: 0 });
    expect((await ops(['fraud', 'list', '--cpf', client.cpf, '--lifted'])).out).toContain('LIFTED by ana');
    expect((await submitKyc(elsewhere, submission)).status).toBe(200);
    expect((await initiate(client.apiKey, aPurchase(client.kycToken))).status).toBe(200);
  });

  test('is blocked once, with a reason, and not into the past', async () => {
    const { cpf } = aSubmission();
    const block = ['fraud', 'block', '--cpf', cpf];

    expect(await ops([...block, '--yes'])).toMatchObject({ code: 2 });
    expect(await ops([...block, '--until', '2020-01-01', ...WHY])).toMatchObject({ code: 2 });
    expect(await ops([...block, '--until', 'soon', ...WHY])).toMatchObject({ code: 2 });
    expect(await ops(['fraud', 'block', '--cpf', '11111111111', ...WHY])).toMatchObject({ code: 2 });
    expect(await ops(['fraud', 'lift', 'nobody', ...WHY])).toMatchObject({ code: 1 });
    expect(await ops([...block, ...WHY])).toMatchObject({ code: 0 });
    const again = await opsAs('rui')([...block, '--reason', 'x', '--yes']);
    expect(again).toMatchObject({ code: 1, err: expect.stringContaining('BLOCKED by ana@onramp.example') });
  });
});
