/** The pages for partners in a browser, behind the headers that the service sends. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NAVIGATION } from '../../docs/site/layout.ts';
import type { SiteStage } from '../../docs/site/partner-site.ts';
import { siteFiles } from '../../docs/site.ts';
import { pageReader } from '../../functions/adapters/page-reader.ts';
import { getDocs } from '../../functions/api/get-docs.ts';
import { page } from '../../functions/entry/page.ts';
import { siteFolder } from '../../infra/site.ts';
import { DESK, findChromium, openChromium, PHONE, SCREENS } from '../support/chromium.ts';
import { lowContrasts, SIDEWAYS } from '../support/legible.ts';
import { allOperations } from '../support/openapi.ts';

// Without Chromium these tests are skipped. `apt-get install chromium` installs it, or CHROMIUM_PATH names it.
const chromium = findChromium();

const PAGES = ['', '/reference', '/webhooks', '/errors', '/scenarios', '/changelog'];

/** The function of a stage, with the pages of that stage. */
async function functionOf(stage: SiteStage) {
  const pages = pageReader(join(await writeSite(stage), 'site'));
  const answer = page({ needs: [] }, (path) => getDocs(path, { pages }));
  return (path: string) => answer(eventFor(path));
}

function eventFor(path: string): APIGatewayProxyEvent {
  const page = path.replace(/^\/docs\//, '');
  const isBelow = page !== path;
  const event = {
    path,
    resource: isBelow ? '/docs/{page+}' : path,
    pathParameters: isBelow ? { page } : null,
    headers: {},
    requestContext: { requestId: 'request-1' },
  };
  return event as unknown as APIGatewayProxyEvent;
}

async function writeSite(stage: SiteStage): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), 'site-'));
  mkdirSync(join(root, 'site'));
  const others = stage === 'sandbox' ? await allOperations() : [];
  const files = siteFolder(await siteFiles({ stage, others }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(root, 'site', name), text);
  return root;
}

describe.skipIf(chromium === undefined)('in a browser', () => {
  let browser: Awaited<ReturnType<typeof openChromium>>;
  let listener: http.Server;
  let server: string;
  let url: string;
  let functions: Record<string, Awaited<ReturnType<typeof functionOf>>>;

  /** The API has its stage before the path, as API Gateway's own address does. */
  beforeAll(async () => {
    functions = { production: await functionOf('production'), sandbox: await functionOf('sandbox') };
    listener = http.createServer(async (request, response) => {
      const { pathname } = new URL(request.url!, 'http://host');
      const [, stage = '', path = ''] = /^\/(\w+)(\/.*)$/.exec(pathname) ?? [];
      if (path.startsWith('/v1/')) return response.end(JSON.stringify({ asked: path, ...request.headers }));
      const answer = await functions[stage]!(path);
      response.writeHead(answer.statusCode, answer.headers as Record<string, string>).end(answer.body);
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    server = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
    url = `${server}/sandbox/docs`;
    browser = await openChromium(chromium!);
  });
  afterAll(async () => {
    await browser?.close();
    listener?.close();
  });

  describe.each(SCREENS)('on %s', (_, screen) => {
    it.each(PAGES)('the page “%s” fits the width and can be read', async (page) => {
      const tab = await browser.open(screen);

      await tab.goTo(`${url}${page}`);

      expect(await tab.evaluate(SIDEWAYS)).toBe(false);
      expect(await tab.evaluate(lowContrasts('#reference'))).toEqual([]);
      expect(await tab.evaluate('document.styleSheets.length')).toBeGreaterThan(0);
    });
  });

  it('the keyboard reaches the content first, then every page', async () => {
    const tab = await browser.open(DESK);
    await tab.goTo(url);
    const focused = () => tab.evaluate<string>('document.activeElement.textContent');

    await tab.key('Tab');
    expect(await focused()).toBe('Skip to the content');
    await tab.key('Enter');
    await expect.poll(() => tab.evaluate('document.activeElement.id')).toBe('content');

    await tab.goTo(`${url}/errors`);
    const reached: string[] = [];
    for (let count = 0; count < 2 + NAVIGATION.length; count++) {
      await tab.key('Tab');
      reached.push(await focused());
    }
    expect(reached.slice(2)).toEqual(NAVIGATION.map(({ label }) => label));
  });

  it('an address with a slash at its end leads to the page, whose links work', async () => {
    const tab = await browser.open(PHONE);
    await tab.goTo(`${url}/`);
    await tab.evaluate('document.querySelector(\'a[href$="webhooks"]\').click()');

    await tab.heading('Webhooks');
  });

  const operations = 'document.querySelectorAll("#reference .opblock").length';
  const first = '#operations-Clients-submitKyc';

  it('the reference sends requests of the sandbox with the key, under the strict policy', async () => {
    const tab = await browser.open(DESK);
    await tab.goTo(`${url}/reference`);
    await expect.poll(() => tab.evaluate(operations)).toBeGreaterThan(15);
    expect(await tab.evaluate('document.querySelectorAll("#reference .authorize").length')).toBe(1);

    await tab.press('#operations-Sandbox-listScenarios .opblock-summary-control');
    await expect.poll(() => tab.evaluate('!!document.querySelector(".try-out__btn")')).toBe(true);
    await tab.press('.try-out__btn');
    await expect.poll(() => tab.evaluate('!!document.querySelector(".execute")')).toBe(true);
    await tab.press('.execute');

    const answered = () => tab.evaluate('document.querySelector(".live-responses-table")?.textContent ?? ""');
    await expect.poll(answered).toContain('/v1/laas/sandbox/scenarios');
  });

  it('the reference is dark on a dark screen', async () => {
    const tab = await browser.open({ ...DESK, dark: true });
    await tab.goTo(`${url}/reference`);
    await expect.poll(() => tab.evaluate(operations)).toBeGreaterThan(15);

    expect(await tab.evaluate('document.documentElement.className')).toBe('dark-mode');
  });

  it('the reference fits a phone when an operation is open', async () => {
    const tab = await browser.open(PHONE);
    await tab.goTo(`${url}/reference`);
    await expect.poll(() => tab.evaluate(`!!document.querySelector('${first}')`)).toBe(true);
    await tab.press(`${first} .opblock-summary-control`);
    await expect.poll(() => tab.evaluate(`!!document.querySelector('${first} .opblock-body')`)).toBe(true);

    expect(await tab.evaluate(SIDEWAYS)).toBe(false);
    const widths = `[...document.querySelectorAll('${first} td:has(.model-box)')].map((cell) => cell.clientWidth)`;
    const columns = await tab.evaluate<number[]>(widths);
    expect(columns.length).toBeGreaterThan(1);
    expect(Math.min(...columns)).toBeGreaterThan(300);
  });

  it('the reference of production sends no request and takes no key', async () => {
    const tab = await browser.open(DESK);
    await tab.goTo(`${server}/production/docs/reference`);
    await expect.poll(() => tab.evaluate(operations)).toBeGreaterThan(10);
    await tab.press(`${first} .opblock-summary-control`);
    await expect.poll(() => tab.evaluate(`!!document.querySelector('${first} .opblock-body')`)).toBe(true);

    expect(await tab.evaluate('document.querySelectorAll(".try-out, .authorize, .execute").length')).toBe(0);
  });
});
