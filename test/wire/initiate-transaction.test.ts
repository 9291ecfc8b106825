import { GetExecutionHistoryCommand } from '@aws-sdk/client-sfn';
import { describe, expect, test } from 'vitest';
import { ASSET_NAMES, ASSETS, type Asset } from '../../functions/domain/assets.ts';
import { WALLET } from '../support/builders.ts';
import { hurriedMinutes } from '../support/hurried.ts';
import {
  approvedClient,
  confirmMfa,
  type Data,
  executionArn,
  executionInput,
  executionsOf,
  forgetCharges,
  initiate,
  openPurchase,
  rowsWhere,
  submitKyc,
} from '../support/partner-api.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { rowOf, sandbox, sfn, totpCode } from '../support/sandbox.ts';

type Enrollment = { otpauthUri: string; qrCode: string };
const enrollmentOf = (data: Data) => (data.authChallenge as { enrollment?: Enrollment }).enrollment;

describe('200', () => {
  // Spec, Initiate a transaction: "Response 200: transactionId, status = PENDING_AUTH, authChallenge"
  // Spec, Auth challenge: "Present only when type is LIVENESS"
  // Spec, Transaction states: "AWAITING_MFA: auth challenge issued"
  // Spec, Initiate a transaction: "asks for the user's 6-digit TOTP code"
  test('opens a purchase and says how the user must authenticate', async () => {
    const { apiKey, kycToken } = await approvedClient();
    const before = Date.now();

    const { status, data } = await initiate(apiKey, aPurchase(kycToken));

    expect(status).toBe(200);
    expect(data).toEqual({
      transactionId: expect.stringMatching(/^[0-9A-Z]{26}$/),
      status: 'PENDING_AUTH',
      authChallenge: {
        type: 'MFA_TOTP',
        instruction: expect.stringContaining('6-digit TOTP code'),
        enrollment: {
          otpauthUri: expect.stringMatching(/^otpauth:\/\/totp\//),
          qrCode: expect.stringMatching(/^data:image\/png;base64,/),
        },
      },
      quote: {
        rate: expect.stringMatching(/^\d+\.\d{8}$/),
        feeBrl: expect.any(Number),
        assetAmount: expect.stringMatching(/^\d+\.\d{6}$/),
      },
      expiresAt: expect.any(String),
    });
    const waitMs = Date.parse(String(data.expiresAt)) - before;
    expect(waitMs).toBeGreaterThanOrEqual(hurriedMinutes(15));
    expect(waitMs).toBeLessThanOrEqual(hurriedMinutes(15) + Date.now() - before);
  });

  // Spec, Auth challenge: "Present only when type is LIVENESS"
  // docs/decisions.md, "The liveness check"
  test.each([
    ['HIGH', '11144477735'],
    ['PEP', '90000000175'],
  ])(
    'sends a client of tier %s to a page, by a link that is valid for ten minutes',
    async (riskTier, cpf) => {
      const { apiKey, kycToken } = await approvedClient({ cpf });
      const before = Date.now();

      const { status, data } = await initiate(apiKey, aPurchase(kycToken));

      expect(status).toBe(200);
      expect(data).toMatchObject({ status: 'PENDING_AUTH' });
      expect(data.authChallenge).toEqual({
        type: 'LIVENESS',
        instruction: expect.stringContaining('your face'),
        livenessUrl: expect.stringMatching(/^https?:\/\//),
      });
      const row = (await rowOf('TablesTransactions', String(data.transactionId)))!;
      const { url, urlExpiresAt } = row.liveness as { url: string; urlExpiresAt: number };
      expect(row).toMatchObject({ riskTier, challenge: { type: 'LIVENESS' } });
      const page = await fetch(String((data.authChallenge as Data).livenessUrl));
      expect(await page.text()).toContain(`href="${url}"`);
      expect(urlExpiresAt - before).toBeGreaterThanOrEqual(hurriedMinutes(10));
      expect(urlExpiresAt - before).toBeLessThanOrEqual(hurriedMinutes(10) + Date.now() - before);
    },
  );

  test('leaves one row with only hashes and tokens of the client', async () => {
    const { partnerId, apiKey, kycToken, cpf } = await approvedClient();

    const { data } = await initiate(apiKey, aPurchase(kycToken, { amountBrl: 123.45, asset: 'USDT' }));

    const row = await rowOf('TablesTransactions', String(data.transactionId));
    expect(row).toMatchObject({
      partnerId,
      kycToken,
      status: 'AWAITING_MFA',
      asset: 'USDT',
      amountCentavos: 12_345,
      walletAddress: WALLET,
      mfaAttempts: 0,
      sequence: 0,
      model: 1,
    });
    expect(JSON.stringify(row)).not.toContain(cpf);
  });

  // Spec, Limits: "amountBrl: minimum 50, maximum 50000"
  test.each([50, 50.01, 0.5e2, 99.99, 49_999.99, 50_000])('takes the amount %d', async (amountBrl) => {
    const { apiKey, kycToken } = await approvedClient();

    expect((await initiate(apiKey, aPurchase(kycToken, { amountBrl }))).status).toBe(200);
  });

  // Spec, What the service does: "wallet risk scoring"
  // docs/compliance.md, "Effect of a hit"
  test('stores the wallet with the client once, for the score of the next submission', async () => {
    const { apiKey, id, kycToken } = await openPurchase();
    await initiate(apiKey, aPurchase(kycToken));

    const { clientId } = (await rowOf('TablesTransactions', id))!;
    const { wallets } = (await rowOf('TablesClients', String(clientId)))!;
    expect([...(wallets as Set<string>)]).toEqual([WALLET]);
  });

  test('writes evidence of the wallet check', async () => {
    const { apiKey, kycToken } = await approvedClient();

    const { data } = await initiate(apiKey, aPurchase(kycToken));

    const evidence = await rowsWhere('TablesEvidence', ({ subject }) => subject === data.transactionId);
    expect(evidence).toMatchObject([
      { kind: 'wallet', inputs: { walletAddress: WALLET }, decision: { isClear: true } },
    ]);
  });
});

describe('the enrollment', () => {
  // docs/decisions.md, "Codes of a challenge"
  test('is shown with one secret until the first accepted code, and never again', async () => {
    const first = await openPurchase();
    const { apiKey, kycToken } = first;

    const second = await initiate(apiKey, aPurchase(kycToken));
    const wrong = await confirmMfa(apiKey, first.id, '000000');
    const third = await initiate(apiKey, aPurchase(kycToken));
    const accepted = await confirmMfa(apiKey, first.id, totpCode(first.otpauthUri));
    await forgetCharges(first);
    const fourth = await initiate(apiKey, aPurchase(kycToken));

    expect([wrong.status, accepted.status]).toEqual([422, 200]);
    expect(enrollmentOf(second.data)!.otpauthUri).toBe(first.otpauthUri);
    expect(enrollmentOf(third.data)!.otpauthUri).toBe(first.otpauthUri);
    expect(fourth.status).toBe(200);
    expect(enrollmentOf(fourth.data)).toBeUndefined();
    expect(fourth.text).not.toContain('otpauth');
  });

  test('stays secret when the client is submitted again', async () => {
    const first = await openPurchase();
    await confirmMfa(first.apiKey, first.id, totpCode(first.otpauthUri));
    await forgetCharges(first);

    const again = await approvedClient({ cpf: first.cpf });
    const { data } = await initiate(again.apiKey, aPurchase(again.kycToken));
    const own = await openPurchase({ ...first, kycToken: await resubmitted(first) });

    // With another partner the same person is another client, with another secret.
    expect(enrollmentOf(data)!.otpauthUri).not.toBe(first.otpauthUri);
    expect(own.otpauthUri).toBe('');
  });
});

describe('the quote', () => {
  test.each([
    ...ASSET_NAMES.map((asset) => [asset, 250] as const),
    ['USDC', 50.01],
    ['USDT', 33_333.33],
    ['USDC', 50_000],
  ] as const)('of %s for %d BRL is the best ask plus the spread, in integers', async (asset, amountBrl) => {
    const { apiKey, kycToken } = await approvedClient();
    const ask = await bestAsk(asset);

    const { data } = await initiate(apiKey, aPurchase(kycToken, { asset, amountBrl }));

    const rate = (ask * 10_100n) / 10_000n;
    const centavos = BigInt(Math.round(amountBrl * 100));
    const { decimals } = ASSETS[asset];
    const dividend = centavos * 10n ** BigInt(decimals + 6);
    const units = dividend / rate + (dividend % rate > 0n ? 1n : 0n);
    expect(data.quote).toEqual({
      rate: decimal(rate, 8),
      feeBrl: Number((centavos * 100n) / 10_100n) / 100,
      assetAmount: decimal(units, decimals),
    });
  });
});

describe('the execution', () => {
  test('starts once, under the transaction’s id, with id and status only', async () => {
    const { apiKey, kycToken } = await approvedClient();

    const { data } = await initiate(apiKey, aPurchase(kycToken));

    const id = String(data.transactionId);
    expect(await executionsOf(id)).toEqual([id]);
    expect(await executionInput(id)).toEqual({ transactionId: id, status: 'AWAITING_MFA' });
  });

  test('has a history without CPF, token, wallet or secret', async () => {
    const purchase = await openPurchase();
    await confirmMfa(purchase.apiKey, purchase.id, totpCode(purchase.otpauthUri));

    const command = new GetExecutionHistoryCommand({ executionArn: executionArn(purchase.id) });
    const history = JSON.stringify((await sfn().send(command)).events);

    const secret = new URL(purchase.otpauthUri).searchParams.get('secret')!;
    expect(history).toContain(purchase.id);
    for (const told of [purchase.cpf, purchase.kycToken, purchase.apiKey, secret, WALLET]) {
      expect(history).not.toContain(told);
    }
  });
});

async function resubmitted({ apiKey, cpf }: { apiKey: string; cpf: string }): Promise<string> {
  return String((await submitKyc(apiKey, aSubmission({ cpf }))).data.token);
}

/** The best ask of the simulated exchange, as an integer with eight decimals. */
async function bestAsk(asset: Asset): Promise<bigint> {
  const url = `${sandbox().simulatorsUrl}/price/api/v3/ticker/bookTicker?symbol=${ASSETS[asset].market}`;
  const { askPrice } = (await (await fetch(url)).json()) as { askPrice: string };
  return BigInt(askPrice.replace('.', ''));
}

function decimal(units: bigint, decimals: number): string {
  const scale = 10n ** BigInt(decimals);
  return `${units / scale}.${String(units % scale).padStart(decimals, '0')}`;
}
