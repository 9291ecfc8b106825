import type { APIGatewayProxyEvent } from 'aws-lambda';
import { describe, expect, it, test, vi } from 'vitest';
import { showLiveness } from '../../functions/api/show-liveness.ts';
import type { Liveness } from '../../functions/domain/kyc/identity.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { STATUS_NAMES, type Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { linkPage } from '../../functions/entry/link-page.ts';
import { livenessUrlOf } from '../../functions/logic/purchase/liveness-link.ts';
import { failedPage, LIVENESS_STYLE } from '../../functions/logic/purchase/liveness-page.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { aPurchaseIn, openPorts, START_AT, type TestPorts } from '../support/ports.ts';
import { writtenLines } from '../support/written-lines.ts';

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const PROVIDER = 'https://identity.example/check?a=1&b=2';
const LINK: Liveness = { attempt: 1, url: PROVIDER, urlExpiresAt: START_AT + 10 * MINUTE_MS };

type World = { partner?: Partial<Partner>; purchase?: Partial<Transaction>; status?: Status };

/** A purchase whose client was given a link, and the link's parts. */
async function linked({ partner = {}, purchase = {}, status = 'AWAITING_MFA' }: World = {}) {
  const ports = openPorts();
  const row = aPurchaseIn(status, {
    walletAddress: WALLET,
    amountCentavos: 1_234_50,
    liveness: LINK,
    ...purchase,
  });
  await ports.transactions.create(row);
  const findPartner = vi.fn(async () => ({ name: 'Exchange', ...partner }) as Partner);
  const findTransaction = vi.fn(ports.transactions.findTransaction);
  const watched = {
    ...ports,
    partners: { ...ports.partners, findPartner },
    transactions: { ...ports.transactions, findTransaction },
  };
  return { ports: watched, row, ...partsOf(row, row.liveness ?? LINK), findPartner, findTransaction };
}

function partsOf({ id }: Transaction, liveness: Liveness) {
  const [token, path] = new URL(livenessUrlOf('https://api.test/sandbox', id, liveness)).pathname
    .split('/')
    .reverse();
  return { id: path!, token: token! };
}

const TAGS = /<[^>]*>/g;
const visit = ({ id, token, ports }: { id: string; token: string; ports: TestPorts }) =>
  showLiveness({ id, token }, ports);

// docs/decisions.md, "The liveness check"
describe('200', () => {
  it('names the partner and the purchase in both languages, and leads to the provider', async () => {
    const { statusCode, body } = await visit(await linked({ partner: { displayName: 'Loja Exemplo' } }));

    expect(statusCode).toBe(200);
    for (const shown of ['Loja Exemplo', 'R$ 1.234,50', 'USDC', '0x8ba1…BA72', WALLET])
      expect(body).toContain(shown);
    for (const words of ['Confira a compra', 'Check your purchase', 'Continuar', 'Continue']) {
      expect(body).toContain(words);
    }
    expect(body).toContain('href="https://identity.example/check?a=1&amp;b=2" rel="noreferrer"');
    expect(body).toContain('identity.example</bdi>');
  });

  it('names the partner by its own name without a display name', async () => {
    expect((await visit(await linked())).body).toContain('<bdi>Exchange</bdi>');
  });

  it('says that a document is asked for, where it is', async () => {
    const plain = await visit(await linked());
    const asked = await visit(await linked({ purchase: { liveness: { ...LINK, withDocuments: true } } }));

    expect(plain.body).not.toContain('documento');
    expect(asked.body).toContain('um documento com foto e seu rosto');
  });

  it('says that nothing is real in the sandbox alone', async () => {
    const world = await linked();

    const [sandbox, production] = await Promise.all(
      ['sandbox', 'production'].map((stage) => visit({ ...world, ports: { ...world.ports, stage } })),
    );

    expect(sandbox!.body).toContain('ambiente de testes');
    expect(production!.body).not.toContain('ambiente de testes');
  });

  it('loads itself again when the link ends, because no script counts', async () => {
    const world = await linked();
    world.ports.clock.advance(9 * MINUTE_MS + 500);

    expect((await visit(world)).body).toContain('<meta http-equiv="refresh" content="60">');
  });

  it('shows nothing about the client, and not the partner’s own words', async () => {
    const { ports, row, ...parts } = await linked({
      purchase: {
        externalId: 'order-of-maria',
        metadataCipher: 'cipher',
        returnUrl: 'https://shop.test/?maria',
      },
    });

    const { body } = await visit({ ports, ...parts });

    for (const hidden of [row.clientId, row.kycToken, row.id, 'maria', 'cipher'])
      expect(body).not.toContain(hidden);
  });

  test.each([
    '<script>alert(1)</script>',
    '</title><img src=x onerror=alert(1)>',
    '"><a href="https://evil.test">',
    "' onmouseover='alert(1)",
    '</style><style>*{display:none}</style>',
    '&lt;b&gt;',
    '{{7*7}}',
  ])('shows a hostile name as text: %s', async (displayName) => {
    const { body } = await visit(await linked({ partner: { displayName } }));
    const plain = await visit(await linked({ partner: { displayName: 'x' } }));

    expect(body.match(TAGS)).toEqual(plain.body.match(TAGS));
    const [, shown = ''] = /<bdi>(.*?)<\/bdi>/s.exec(body) ?? [];
    const text = shown.replace(/&(lt|gt|quot|#39|amp);/g, (_, name: 'lt') => LETTERS[name]);
    expect(text).toBe(displayName);
  });

  it('keeps a name that turns the direction of writing to itself', async () => {
    const displayName = 'Loja \u202ecilobmis';

    expect((await visit(await linked({ partner: { displayName } }))).body).toContain(
      `<bdi>${displayName}</bdi>`,
    );
  });
});

const LETTERS = { lt: '<', gt: '>', quot: '"', '#39': "'", amp: '&' };

describe('404', () => {
  const expectNothing = (page: { statusCode: number; body: string }) => {
    expect(page.statusCode).toBe(404);
    expect(page.body).toContain('Este link não vale');
    // A stranger with a wrong link reads the same as a client whose check has failed.
    expect(page.body).toContain('Se a verificação não deu certo, este link acabou e há um link novo.');
    expect(page.body).toContain('If the check failed, this link has ended and there is a new one.');
    for (const hidden of [WALLET, 'Exchange', '1.234,50', PROVIDER]) expect(page.body).not.toContain(hidden);
  };

  it('is the answer to a wrong token and to an unknown purchase, after one read', async () => {
    const world = await linked();
    const other = aPurchaseIn('AWAITING_MFA');

    const wrong = await visit({
      ...world,
      token: partsOf(world.row, { ...LINK, url: 'https://other' }).token,
    });
    const unknown = await visit({ ...world, ...partsOf(other, LINK) });

    expectNothing(wrong);
    expect(unknown).toEqual(wrong);
    expect(world.findTransaction).toHaveBeenCalledTimes(2);
    expect(world.findPartner).not.toHaveBeenCalled();
  });

  it('is the answer to the token of another purchase with the same link of the provider', async () => {
    const world = await linked();

    expectNothing(await visit({ ...world, token: partsOf(aPurchaseIn('AWAITING_MFA'), LINK).token }));
  });

  it.each([
    ['', ''],
    ['01J9ZK3F0000000000000000AB', ''],
    ['01J9ZK3F0000000000000000AB', 'x'.repeat(42)],
    ['01J9ZK3F0000000000000000AB', 'x'.repeat(10_000)],
    ['01J9ZK3F0000000000000000AB', `${'x'.repeat(42)}é`],
    ['../01J9ZK3F00000000000000000', 'x'.repeat(43)],
    ['__proto__', 'x'.repeat(43)],
    ['01J9ZK3F0000000000000000AB\n', 'x'.repeat(43)],
  ])('is the answer to %j with %j, without a read', async (id, token) => {
    const { ports, findTransaction } = await linked();

    expectNothing(await visit({ id, token, ports }));
    expect(findTransaction).not.toHaveBeenCalled();
  });

  it('is the answer to the former link after a new one, and to every link after a failed check', async () => {
    const world = await linked();
    const { ports, row } = world;
    await ports.livenessAttempts.save(
      row.id,
      { ...LINK, url: 'https://identity.example/second' },
      { attempt: 1 },
    );
    expectNothing(await visit(world));

    const none = { attempt: 2, url: '', urlExpiresAt: 0 };
    await ports.livenessAttempts.save(row.id, none, { attempt: 1 });

    expectNothing(await visit(world));
    expectNothing(await visit({ ...world, ...partsOf(row, none) }));
  });

  it('is the answer for a purchase without such a check', async () => {
    expectNothing(await visit(await linked({ purchase: { liveness: undefined } })));
  });
});

describe('410', () => {
  const expectOver = ({ statusCode, body }: { statusCode: number; body: string }) => {
    expect(statusCode).toBe(410);
    expect(body).toContain('Este link não vale mais');
    for (const hidden of [WALLET, 'Exchange', '1.234,50', PROVIDER]) expect(body).not.toContain(hidden);
  };

  // Spec, Limits: "Liveness URL validity: 10 minutes"
  it('is the answer from the tenth minute', async () => {
    const world = await linked();
    world.ports.clock.advance(10 * MINUTE_MS - 1);
    expect((await visit(world)).statusCode).toBe(200);

    world.ports.clock.advance(1);

    expectOver(await visit(world));
  });

  it('is the answer after the end of the challenge, even if the provider’s link is younger', async () => {
    const world = await linked({
      purchase: { liveness: { ...LINK, urlExpiresAt: START_AT + 20 * MINUTE_MS } },
    });
    world.ports.clock.advance(15 * MINUTE_MS);

    expectOver(await visit(world));
  });

  it.each(STATUS_NAMES.filter((status) => status !== 'AWAITING_MFA'))(
    'is the answer in %s',
    async (status) => {
      expectOver(await visit(await linked({ status })));
    },
  );
});

describe('each answer', () => {
  const lines = writtenLines();
  const event = {
    requestContext: { requestId: 'r1' },
    pathParameters: null,
  } as unknown as APIGatewayProxyEvent;
  const served = linkPage({ needs: [], style: LIVENESS_STYLE, failed: 'failed' }, async () => ({
    statusCode: 410,
    body: 'b',
  }));

  it('is kept nowhere, stands in no frame, runs nothing and tells nobody its address', async () => {
    const { statusCode, headers, body } = await served(event);

    expect([statusCode, body]).toEqual([410, 'b']);
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
      'X-Request-Id': 'r1',
    });
    const policy = String(headers?.['Content-Security-Policy']).split('; ');
    expect(policy).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^style-src 'sha256-[\w+/]{43}='$/),
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
  });

  it('is a page after a failure, too, which tells nothing of its cause', async () => {
    const broken = linkPage({ needs: [], style: LIVENESS_STYLE, failed: failedPage() }, async () => {
      throw new Error(`no table of ${WALLET}`);
    });

    const { statusCode, headers, body } = await broken(event);

    expect(statusCode).toBe(500);
    expect(headers).toMatchObject({
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
    });
    expect(body).toContain('Não foi possível abrir a página');
    expect(body).not.toContain(WALLET);
    expect(lines.join()).toContain('"requestId":"r1"');
  });
});
