/** The page before the liveness check in a browser, behind the headers that the service sends. */
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { APIGatewayProxyEvent } from 'aws-lambda';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { showLiveness } from '../../functions/api/show-liveness.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { linkPage } from '../../functions/entry/link-page.ts';
import { livenessUrlOf } from '../../functions/logic/purchase/liveness-link.ts';
import { failedPage, LIVENESS_STYLE } from '../../functions/logic/purchase/liveness-page.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { findChromium, openChromium, PHONE, SCREENS } from '../support/chromium.ts';
import { lowContrasts, SIDEWAYS } from '../support/legible.ts';
import { aPurchaseIn, openPorts, START_AT } from '../support/ports.ts';

// Without Chromium these tests are skipped. `apt-get install chromium` installs it, or CHROMIUM_PATH names it.
const chromium = findChromium();

const NAME = '<img src=x onerror="document.title=1"> Loja de Criptomoedas Muito Grande';

type Answer = Awaited<ReturnType<ReturnType<typeof linkPage>>>;

describe.skipIf(chromium === undefined)('in a browser', () => {
  let browser: Awaited<ReturnType<typeof openChromium>>;
  let server: http.Server;
  let url: string;
  let asked: http.IncomingMessage[];
  const ports = openPorts();

  /** Our page, and the provider's at `/check`. */
  beforeAll(async () => {
    asked = [];
    const shown = {
      ...ports,
      partners: { ...ports.partners, findPartner: async () => ({ name: NAME }) as Partner },
    };
    server = http.createServer(async (request, response) => {
      asked.push(request);
      const [, , id, token] = request.url!.split('/');
      if (token === undefined) return response.end('<title>Check</title><h1>Provider</h1>');
      const page = linkPage({ needs: [], style: LIVENESS_STYLE, failed: failedPage() }, () =>
        showLiveness({ id, token }, shown),
      );
      send(response, await page({ requestContext: { requestId: 'r1' } } as APIGatewayProxyEvent));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    browser = await openChromium(chromium!);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  async function newLink(liveFor = 10 * MINUTE_MS): Promise<string> {
    const urlExpiresAt = START_AT + liveFor;
    const liveness = { attempt: 1, url: `${url}/check`, urlExpiresAt, withDocuments: true } as const;
    const row = await ports.transactions.create(aPurchaseIn('AWAITING_MFA', { liveness }));
    return livenessUrlOf(url, row.id, liveness);
  }

  it.each(SCREENS)('the page fits %s and can be read', async (_, screen) => {
    const tab = await browser.open(screen);

    await tab.goTo(await newLink());

    expect(await tab.evaluate(SIDEWAYS)).toBe(false);
    expect(await tab.evaluate(lowContrasts('.none'))).toEqual([]);
    // The page's policy admits its own style, and the partner's name stays text.
    expect(await tab.evaluate('getComputedStyle(document.querySelector("main")).display')).toBe('flex');
    expect(await tab.evaluate('[document.title, document.images.length]')).toEqual(['Confira a compra', 0]);
  });

  it.each(SCREENS)('the page of a wrong link fits %s and can be read', async (_, screen) => {
    const tab = await browser.open(screen);

    await tab.goTo(`${url}/liveness/1/2`);

    await tab.heading('Este link não vale');
    expect(await tab.evaluate(SIDEWAYS)).toBe(false);
    expect(await tab.evaluate(lowContrasts('.none'))).toEqual([]);
  });

  it('the button leads to the provider by finger and by key, and tells it no address', async () => {
    const link = await newLink();
    for (const go of ['press', 'key'] as const) {
      const tab = await browser.open({ ...PHONE, script: false });
      await tab.goTo(link);
      if (go === 'press') await tab.press('.button');
      else for (const key of ['Tab', 'Enter']) await tab.key(key);

      await tab.heading('Provider');
    }
    const arrived = asked.filter((each) => each.url === '/check');
    expect(arrived.map(({ headers }) => headers.referer)).toEqual([undefined, undefined]);
  });

  it('the page becomes that of an ended link by itself', async () => {
    const tab = await browser.open(PHONE);
    await tab.goTo(await newLink(1_000));
    await tab.heading('Confira a compra');
    ports.clock.advance(1_000);

    await tab.heading('Este link não vale mais');
    expect(await tab.evaluate('document.links.length')).toBe(0);
  });
});

function send(response: http.ServerResponse, { statusCode, headers, body }: Answer): void {
  response.writeHead(statusCode, headers as Record<string, string>).end(body);
}
