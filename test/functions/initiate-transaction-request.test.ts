import { describe, expect, test } from 'vitest';
import { handler, initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { idsOf } from '../../functions/logic/ids.ts';
import { putApproved } from '../support/approved.ts';
import { aClient, aPartner, WALLET } from '../support/builders.ts';
import { aPurchaseIn, openPorts } from '../support/ports.ts';
import { aPurchase, type Fault, issuesBy, neverFits, pathsOf, readBy } from '../support/requests.ts';
import { allRowsIn, memoryTables } from '../support/tables.ts';

const KYC_TOKEN = 'kyc_x';

describe('400: a purchase', () => {
  test.each<Fault>([
    ['absent', 'kycToken', undefined],
    ...neverFits('kycToken'),
    ['a number', 'kycToken', 1],
    ['empty', 'kycToken', ''],
    ['too long', 'kycToken', 'k'.repeat(257)],
    ['half a character', 'kycToken', '\ud800'],
    ['absent', 'amountBrl', undefined],
    ...neverFits('amountBrl'),
    ['a number in quotes', 'amountBrl', '250'],
    ['NaN in quotes', 'amountBrl', 'NaN'],
    ['empty', 'amountBrl', ''],
    ['of three decimals', 'amountBrl', 50.001],
    ['of many decimals', 'amountBrl', 100 / 3],
    ['absent', 'asset', undefined],
    ...neverFits('asset'),
    ['too long', 'asset', 'U'.repeat(257)],
    ['absent', 'walletAddress', undefined],
    ...neverFits('walletAddress'),
    ['too long', 'walletAddress', `0x${'a'.repeat(10_000)}`],
  ])('is refused for a value that is %s in %s', (_, field, value) => {
    expect(pathsOf(issuesBy(handler, aPurchase(KYC_TOKEN, { [field]: value })))).toContain(field);
  });

  test.each(['1e400', '-1e400'])('is refused for the amount %s, which is no number', (amount) => {
    const body = JSON.stringify(aPurchase(KYC_TOKEN)).replace('250', amount);

    expect(pathsOf(issuesBy(handler, body))).toEqual(['amountBrl']);
  });

  test('lists the required fields if it is empty', () => {
    expect(issuesBy(handler, {})).toEqual(
      ['kycToken', 'amountBrl', 'asset', 'walletAddress'].map((path) => ({ path, message: 'is required' })),
    );
  });

  test('must not have an empty text', () => {
    expect(issuesBy(handler, aPurchase(''))).toEqual([{ path: 'kycToken', message: 'must not be empty' }]);
  });

  test('lists every field whose value never fits', () => {
    const fields = ['amountBrl', 'asset', 'kycToken', 'walletAddress'];
    const body = Object.fromEntries(fields.map((field) => [field, true]));

    expect(pathsOf(issuesBy(handler, body))).toEqual(fields);
  });
});

/** An approved client. The requests go through the form to the operation. */
async function aBuyer() {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const { kycToken, partnerId, clientId, ...rest } = aPurchaseIn('AWAITING_MFA');
  await putApproved(ports, { ...rest, kycToken, partnerId, clientId }, { riskTier: 'STANDARD' });
  await ports.clients.create(aClient({ id: clientId, partnerId }));
  const ids = idsOf({ at: ports.clock.now(), seed: kycToken });
  const partner = aPartner({ id: partnerId });
  const initiate = (fields: object) =>
    initiateTransaction(readBy(handler, aPurchase(kycToken, { ...fields })), { partner, ids }, ports);
  return { initiate, countRows: async () => (await allRowsIn(tables)).length };
}

describe('422: a purchase', () => {
  const [lower, upper] = [WALLET.toLowerCase(), `0x${WALLET.slice(2).toUpperCase()}`];

  async function expectRefused(fields: object, code: string, details: object): Promise<void> {
    const { initiate, countRows } = await aBuyer();
    const before = await countRows();

    await expect(initiate(fields)).rejects.toMatchObject({ code, details });

    expect(await countRows()).toBe(before);
  }

  // Spec, Initiate a transaction: "minimum 50, maximum 50000 per transaction"
  // docs/decisions.md, "Precedence of refusals"
  test.each([49.99, 50_000.01, 49, 50_001, 0, -0.01, -250, 1e21, -1e21, 1e300])(
    'of the amount %d is refused, and opens nothing',
    async (amountBrl) => {
      await expectRefused({ amountBrl }, 'AMOUNT_OUT_OF_RANGE', { minimum: 50, maximum: 50_000 });
    },
  );

  // Spec, Initiate a transaction: "USDT or USDC"
  // docs/decisions.md, "Precedence of refusals"
  test.each(['', 'usdc', 'USDC ', 'USD', 'BTC', 'USDС', 'ＵＳＤＣ', 'USDC\u0000', '\ud800', 'constructor'])(
    'of the asset %j is refused, and opens nothing',
    async (asset) => {
      await expectRefused({ asset }, 'UNSUPPORTED_ASSET', { supported: ASSET_NAMES });
    },
  );

  // Spec, Errors: "INVALID_WALLET_ADDRESS 422: Wallet address fails checksum validation"
  // docs/decisions.md, "Form of a wallet address"
  test.each([
    ['CHECKSUM', 'with one letter of another case', WALLET.replace('b', 'B')],
    ['CHECKSUM', 'all in lower case', lower],
    ['CHECKSUM', 'all in upper case', upper],
    ['FORM', 'in upper case with its prefix', WALLET.toUpperCase()],
    ['FORM', 'without 0x', WALLET.slice(2)],
    ['FORM', 'in the form of ICAN', 'XE7338O073KYGTWWZN0F2WZ0R8PX5ZPPZS'],
    ['FORM', 'surrounded by spaces', ` ${WALLET} `],
    ['FORM', 'followed by a line end', `${WALLET}\n`],
    ['FORM', 'followed by NUL', `${WALLET}\u0000`],
    ['FORM', 'one digit short', WALLET.slice(0, -1)],
    ['FORM', 'one digit long', `${WALLET}0`],
    ['FORM', 'in fullwidth digits', WALLET.replace('8', '８')],
    ['FORM', 'a name', 'vitalik.eth'],
    ['FORM', 'empty', ''],
    ['ZERO', 'zero', `0x${'0'.repeat(40)}`],
  ])('is refused with reason %s for an address that is %s, and opens nothing', async (reason, _, address) => {
    await expectRefused({ walletAddress: address }, 'INVALID_WALLET_ADDRESS', { reason });
  });
});
