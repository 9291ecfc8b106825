import { getAddress } from 'ethers/address';
import { describe, expect, test } from 'vitest';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import type { ErrorCode } from '../../functions/domain/errors.ts';
import { blockCall, ORACLE_LISTED_WALLET } from '../../sandbox/chain/deploy.ts';
import { actAsOwner } from '../../sandbox/chain/owner.ts';
import { RISKY_WALLET } from '../../sandbox/providers/chainalysis.ts';
import { LISTED_WALLET, SPILLED_WALLET } from '../../sandbox/providers/lists/ofac.ts';
import {
  approvedClient,
  codeOf,
  confirmMfa,
  type Data,
  editRow,
  expectRefusal,
  initiate,
  openPurchase,
  rowsWhere,
  submitKyc,
} from '../support/partner-api.ts';
import { registrySays, vendorSays } from '../support/provider-faults.ts';
import { newWallet } from '../support/purchases.ts';
import { aPurchase, aSubmission } from '../support/requests.ts';
import { newPartner, rowOf, sandbox } from '../support/sandbox.ts';

const LISTED = getAddress(ORACLE_LISTED_WALLET);
const HOUR_MS = 60 * 60 * 1000;

/** Expects no purchase and no event about one. A schedule may announce a change of the KYC record meanwhile. */
async function expectNothingOpened(partnerId: string): Promise<void> {
  const opened = await rowsWhere('TablesTransactions', (row) => row.partnerId === partnerId);
  const told = await rowsWhere('TablesEvents', (row) => row.partnerId === partnerId);
  expect(opened).toEqual([]);
  expect(told.filter(({ type }) => String(type).startsWith('transaction.'))).toEqual([]);
}

describe('404 KYC_TOKEN_NOT_FOUND', () => {
  // docs/decisions.md, "Precedence of refusals"
  test.each(['kyc_UNKNOWN', '\u0000', '💸', ' ', '__proto__'])(
    'answers for the token %j',
    async (kycToken) => {
      const { partnerId, apiKey } = await newPartner();

      expectRefusal(await initiate(apiKey, aPurchase(kycToken)), 'KYC_TOKEN_NOT_FOUND', {});
      await expectNothingOpened(partnerId);
    },
  );

  test('answers for another partner’s token as for an unknown one', async () => {
    const { kycToken } = await approvedClient();
    const stranger = await newPartner();

    const others = await initiate(stranger.apiKey, aPurchase(kycToken));
    const unknown = await initiate(stranger.apiKey, aPurchase('kyc_UNKNOWN'));

    expectRefusal(others, 'KYC_TOKEN_NOT_FOUND', {});
    expect(others.text).toBe(unknown.text);
    await expectNothingOpened(stranger.partnerId);
  });
});

describe('422 KYC_TOKEN_EXPIRED', () => {
  // Spec, Limits: "KYC token lifetime: 24 hours"
  // Spec, Errors: "KYC_TOKEN_EXPIRED 422: KYC token older than 24 hours"
  test('refuses a token 24 hours after issue, whatever its record says', async () => {
    const { partnerId, apiKey, kycToken } = await approvedClient();

    for (const status of ['APPROVED', 'PENDING', 'REJECTED']) {
      const issuedAt = Date.now() - 24 * HOUR_MS;
      await editRow('TablesKycRecords', kycToken, { status, issuedAt, expiresAt: issuedAt + 24 * HOUR_MS });
      expectRefusal(await initiate(apiKey, aPurchase(kycToken)), 'KYC_TOKEN_EXPIRED', {});
    }

    await expectNothingOpened(partnerId);
  });

  // Spec, Errors: "KYC_TOKEN_EXPIRED 422: KYC token older than 24 hours"
  test('accepts a token some minutes earlier', async () => {
    const { apiKey, kycToken } = await approvedClient();
    await editRow('TablesKycRecords', kycToken, { expiresAt: Date.now() + 300_000 });

    expect((await initiate(apiKey, aPurchase(kycToken))).status).toBe(200);
  });
});

describe('422 KYC_NOT_APPROVED', () => {
  // docs/decisions.md, "A provider is down"
  test.each(['PENDING', 'REJECTED'])('refuses a record that is %s', async (status) => {
    const { partnerId, apiKey, kycToken } = await approvedClient();
    await editRow('TablesKycRecords', kycToken, { status });

    expectRefusal(await initiate(apiKey, aPurchase(kycToken)), 'KYC_NOT_APPROVED', { status });
    await expectNothingOpened(partnerId);
  });

  test('refuses a record that a later submission overruled', async () => {
    const { partnerId, apiKey, cpf, kycToken } = await approvedClient();
    await registrySays(cpf, { situacao: { codigo: '3', descricao: 'TITULAR FALECIDO' }, obito: '2023' });
    expectRefusal(await submitKyc(apiKey, aSubmission({ cpf })), 'KYC_REJECTED', { reason: 'DECEASED' });

    const refused = await initiate(apiKey, aPurchase(kycToken));

    expectRefusal(refused, 'KYC_NOT_APPROVED', { status: 'REJECTED' });
    await expectNothingOpened(partnerId);
    await registrySays(cpf, {});
    const { data } = await submitKyc(apiKey, aSubmission({ cpf }));
    expect((await initiate(apiKey, aPurchase(data.token))).status).toBe(200);
    expectRefusal(await initiate(apiKey, aPurchase(kycToken)), 'KYC_NOT_APPROVED');
  });
});

describe('403 CLIENT_BLOCKED', () => {
  // docs/decisions.md, "MED refunds and fraud"
  test('refuses a client whose payment was taken back until a person lifts the block, without a reason', async () => {
    const { partnerId, apiKey, kycToken } = await approvedClient();
    const [client] = await rowsWhere('TablesClients', (row) => row.partnerId === partnerId);
    const once = { headers: { 'Idempotency-Key': 'blocked' } };
    await editRow('TablesClients', String(client!.id), { blockedFor: new Set(['MED_REFUND#E1#D1']) });

    expectRefusal(await initiate(apiKey, aPurchase(kycToken), once), 'CLIENT_BLOCKED', {});
    await expectNothingOpened(partnerId);

    await editRow('TablesClients', String(client!.id), { blockedFor: undefined });
    expect((await initiate(apiKey, aPurchase(kycToken), once)).status).toBe(200);
  });

  test('issues no charge for a purchase of such a client that began earlier', async () => {
    const purchase = await openPurchase();
    const [client] = await rowsWhere('TablesClients', (row) => row.partnerId === purchase.partnerId);
    await editRow('TablesClients', String(client!.id), { blockedFor: new Set(['MED_REFUND#E1#D1']) });

    const answer = await confirmMfa(purchase.apiKey, purchase.id, await codeOf(purchase));

    expectRefusal(answer, 'CLIENT_BLOCKED', {});
    expect((await rowOf('TablesTransactions', purchase.id))?.status).toBe('AWAITING_MFA');
  });
});

describe('422 WALLET_RISK_TOO_HIGH', () => {
  // docs/compliance.md, "Effect of a hit"
  test('refuses a wallet that the oracle lists, with evidence and without a transaction', async () => {
    const { partnerId, apiKey, kycToken } = await approvedClient();

    const answer = await initiate(apiKey, aPurchase(kycToken, { walletAddress: LISTED }));

    expectRefusal(answer, 'WALLET_RISK_TOO_HIGH', {});
    await expectNothingOpened(partnerId);
    const isOurs = ({ inputs }: Data) => (inputs as Data).walletAddress === LISTED;
    const evidence = await rowsWhere('TablesEvidence', isOurs);
    expect(evidence).toContainEqual(
      expect.objectContaining({
        kind: 'wallet',
        findings: expect.objectContaining({ oracle: expect.objectContaining({ isSanctioned: true }) }),
        decision: expect.objectContaining({ isClear: false, isSanctioned: true }),
      }),
    );
  });

  test.each([
    ['OFAC lists, the oracle does not', LISTED_WALLET, [expect.stringMatching(/^listed by OFAC: \d+$/)]],
    [
      'OFAC lists in remarks that spill over',
      SPILLED_WALLET,
      [expect.stringMatching(/^listed by OFAC: \d+$/)],
    ],
    ['nobody lists and a vendor judges severe', RISKY_WALLET, ['risk: CHAINALYSIS SEVERE']],
  ])('refuses a wallet that %s', async (_, walletAddress, rules) => {
    const { partnerId, apiKey, kycToken } = await approvedClient();

    expectRefusal(await initiate(apiKey, aPurchase(kycToken, { walletAddress })), 'WALLET_RISK_TOO_HIGH', {});

    await expectNothingOpened(partnerId);
    const isOurs = ({ inputs, subject }: Data) =>
      !!subject && (inputs as Data).walletAddress === walletAddress;
    const [evidence] = await rowsWhere('TablesEvidence', isOurs);
    expect(evidence).toMatchObject({
      findings: { oracle: { isSanctioned: false }, listed: { index: { source: 'PUBLISHED' } } },
      decision: { isClear: false, rules },
    });
  });

  // docs/compliance.md, "Effect of a hit"
  test.each(ASSET_NAMES)(
    'refuses a wallet that the issuer of %s blocks, for that asset only',
    async (asset) => {
      const otherAsset = ASSET_NAMES.find((each) => each !== asset)!;
      const { partnerId, apiKey, kycToken } = await approvedClient();
      const walletAddress = newWallet();
      await actAsOwner(sandbox().rpcUrl, blockCall(asset, walletAddress));

      const answer = await initiate(apiKey, aPurchase(kycToken, { asset, walletAddress }));

      expectRefusal(answer, 'WALLET_RISK_TOO_HIGH', {});
      await expectNothingOpened(partnerId);
      const isOurs = ({ inputs }: Data) => (inputs as Data).walletAddress === walletAddress;
      const [evidence] = await rowsWhere('TablesEvidence', isOurs);
      expect(evidence).toMatchObject({
        findings: { issuer: { asset, isBlocked: true }, oracle: { isSanctioned: false } },
        decision: {
          isClear: false,
          isSanctioned: false,
          isRisky: true,
          rules: [expect.stringMatching(new RegExp(`^blocked by the issuer: ${asset}, block \\d+$`))],
        },
      });
      const other = await initiate(apiKey, aPurchase(kycToken, { asset: otherAsset, walletAddress }));
      expect(other.status).toBe(200);
    },
  );

  test('answers 500 with Retry-After, opens nothing and writes no evidence while a vendor is silent', async () => {
    const { partnerId, apiKey, kycToken } = await approvedClient();
    const walletAddress = newWallet();
    await vendorSays(walletAddress, { status: 503 });

    const answer = await initiate(apiKey, aPurchase(kycToken, { walletAddress }));

    expect(answer).toMatchObject({ status: 500, error: { code: 'INTERNAL_ERROR' } });
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    await expectNothingOpened(partnerId);
    const isOurs = ({ inputs }: Data) => (inputs as Data).walletAddress === walletAddress;
    expect(await rowsWhere('TablesEvidence', isOurs)).toEqual([]);
    await vendorSays(walletAddress, { risk: 'Medium' });
    expect((await initiate(apiKey, aPurchase(kycToken, { walletAddress }))).status).toBe(200);
  });
});

describe('of two refusals the first of the catalogue is answered:', () => {
  /** Each fault beside the next one. `kyc` edits the record. */
  const FAULTS: { code: ErrorCode; fields?: Data; kyc?: Data }[] = [
    { code: 'INVALID_REQUEST', fields: { walletAddress: 1 } },
    { code: 'AMOUNT_OUT_OF_RANGE', fields: { amountBrl: 49 } },
    { code: 'UNSUPPORTED_ASSET', fields: { asset: 'BTC' } },
    { code: 'INVALID_WALLET_ADDRESS', fields: { walletAddress: LISTED.toLowerCase() } },
    { code: 'KYC_TOKEN_NOT_FOUND', fields: { kycToken: 'kyc_UNKNOWN' } },
    { code: 'KYC_TOKEN_EXPIRED', kyc: { expiresAt: 1 } },
    { code: 'KYC_NOT_APPROVED', kyc: { status: 'PENDING' } },
    { code: 'WALLET_RISK_TOO_HIGH', fields: { walletAddress: LISTED } },
  ];
  const pairs = FAULTS.flatMap((first, index) =>
    FAULTS.slice(index + 1)
      .filter((second) => !Object.keys(first.fields ?? {}).some((field) => field in (second.fields ?? {})))
      .map((second) => [first.code, second.code, first, second] as const),
  );

  test.each(pairs)('%s before %s', async (code, _, first, second) => {
    const { apiKey, kycToken } = await approvedClient();
    await editRow('TablesKycRecords', kycToken, { touched: true, ...second.kyc, ...first.kyc });

    const body = aPurchase(kycToken, { ...second.fields, ...first.fields });

    expectRefusal(await initiate(apiKey, body), code);
  });
});
