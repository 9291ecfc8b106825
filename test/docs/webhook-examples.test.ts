/** The examples of docs/partners/webhooks.md, judged by the reference library of Standard Webhooks. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { examplesIn, pageText } from '../support/partner-pages.ts';

const SECRET = 'whsec_c2VjcmV0IG9mIHRoZSBndWlkZQ==';
const BODY = '{"type":"kyc.approved","timestamp":"2026-09-10T00:26:40.000Z","data":{}}';
const [, receiver = ''] = examplesIn('webhooks.md', 'ts');
const [, byHand = ''] = examplesIn('webhooks.md', 'sh');

describe('the receiver', () => {
  let server: ChildProcess;
  let url: string;
  let output = '';

  beforeAll(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'receiver-'));
    await writeFile(join(folder, 'receiver.mts'), receiver);
    server = spawn(process.execPath, ['receiver.mts'], { cwd: folder, env: { ...process.env, PORT: '0' } });
    const port = await new Promise((resolve) => {
      server.stdout!.on('data', (chunk) => {
        output += chunk;
        const found = /port: (\d+)/.exec(output);
        if (found) resolve(found[1]);
      });
    });
    url = `http://127.0.0.1:${port}`;
  });
  afterAll(() => server.kill());

  async function send(id: string, changes: Record<string, string> = {}, at = new Date()) {
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(SECRET).sign(id, at, BODY),
      ...changes,
    };
    return (await fetch(url, { method: 'POST', headers, body: BODY })).status;
  }
  const timesOf = (id: string) => output.split(`${id} {`).length - 1;

  it('takes a genuine webhook once', async () => {
    expect([await send('evt_1'), await send('evt_1'), await send('evt_2')]).toEqual([204, 204, 204]);

    await expect.poll(() => timesOf('evt_2')).toBe(1);
    expect(timesOf('evt_1')).toBe(1);
  });

  it('takes a webhook that two secrets have signed', async () => {
    const at = new Date();
    const [other, own] = ['whsec_b3RoZXI=', SECRET].map((secret) =>
      new Webhook(secret).sign('evt_3', at, BODY),
    );

    expect(await send('evt_3', { 'webhook-signature': `${other} ${own}` }, at)).toBe(204);
  });

  it.each([
    [
      'another secret',
      { 'webhook-signature': new Webhook('whsec_b3RoZXI=').sign('evt_4', new Date(), BODY) },
    ],
    ['another id', { 'webhook-id': 'evt_5' }],
    ['another time', { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 60) }],
    ['no number for its time', { 'webhook-timestamp': 'now' }],
    ['no signature', { 'webhook-signature': '' }],
    ['a short signature', { 'webhook-signature': 'v1,AAAA' }],
  ])('refuses a webhook with %s', async (_, changes) => {
    expect(await send('evt_4', changes)).toBe(400);
    expect(timesOf('evt_4')).toBe(0);
  });

  it.each([-6, 6])('refuses a webhook whose time is %s minutes away', async (minutes) => {
    expect(await send('evt_6', {}, new Date(Date.now() + minutes * 60_000))).toBe(400);
  });
});

describe('the signature by hand', () => {
  it('is that of the reference library, and the one that the page prints', async () => {
    const { stdout } = await promisify(execFile)('bash', ['-c', byHand]);
    const expected = new Webhook(SECRET).sign(
      '01K9ZK3F0000000000000000AB.2',
      new Date(1_789_000_000_000),
      BODY,
    );

    expect(stdout.trim()).toBe(expected);
    expect(pageText('webhooks.md')).toContain(`\`${expected}\``);
  });
});
