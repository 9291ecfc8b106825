import { describe, expect, test } from 'vitest';
import { handler, initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { ASSET_NAMES } from '../../functions/domain/assets.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { putApproved } from '../support/approved.ts';
import { aClient, aPartner, WALLET } from '../support/builders.ts';
import { aPurchaseIn, openPorts } from '../support/ports.ts';
import { aPurchase, type Fault, issuesBy, neverFits, pathsOf, readBy } from '../support/requests.ts';
import { allRowsIn, memoryTables } from '../support/tables.ts';

const KYC_TOKEN = 'kyc_x';
const entries = (count: number, text: string) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, text]));

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
    ...neverFits('quoteId'),
    ['a number', 'quoteId', 1],
    ['empty', 'quoteId', ''],
    ['too long', 'quoteId', 'q'.repeat(257)],
    ['half a character', 'quoteId', '\ud800'],
    ...neverFits('externalId'),
    ['empty', 'externalId', ''],
    ['too long', 'externalId', 'x'.repeat(129)],
    ['with a space', 'externalId', 'order 1'],
    ['with a line end', 'externalId', 'order-1\n'],
    ['with an accent', 'externalId', 'órder'],
    ...neverFits('returnUrl'),
    ['of JavaScript', 'returnUrl', 'javascript:alert(1)'],
    ['without TLS', 'returnUrl', 'http://shop.example/'],
    ['with credentials', 'returnUrl', 'https://me@shop.example/'],
    ['too long', 'returnUrl', `https://shop.example/${'x'.repeat(1_000)}`],
    ['null', 'metadata', null],
    ['an array', 'metadata', ['x']],
    ['a truth value', 'metadata', true],
    ['a text', 'metadata', '{}'],
    ['of too many entries', 'metadata', entries(21, 'x')],
    ['of too many bytes', 'metadata', entries(9, 'x'.repeat(500))],
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

  test.each([
    ['a nested object', '{"a":{"b":"c"}}', 'metadata.a'],
    ['a number', '{"a":1}', 'metadata.a'],
    ['null', '{"a":null}', 'metadata.a'],
    ['a long text', `{"a":"${'x'.repeat(501)}"}`, 'metadata.a'],
    ['half a character', '{"a":"\\ud800"}', 'metadata.a'],
    ['the name __proto__', '{"__proto__":"x"}', 'metadata.__proto__'],
    ['an object under the name __proto__', '{"__proto__":{"isAdmin":"x"}}', 'metadata.__proto__'],
    ['the name constructor', '{"constructor":"x"}', 'metadata.constructor'],
    ['the name toString', '{"toString":"x"}', 'metadata.toString'],
    ['an empty name', '{"":"x"}', 'metadata.'],
    ['a long name', `{"${'n'.repeat(41)}":"x"}`, `metadata.${'n'.repeat(41)}`],
    ['a name with a space', '{"a b":"x"}', 'metadata.a b'],
  ])('is refused for metadata with %s', (_, metadata, path) => {
    const body = JSON.stringify(aPurchase(KYC_TOKEN)).replace(/}$/, `,"metadata":${metadata}}`);

    expect(pathsOf(issuesBy(handler, body))).toEqual([path]);
  });

  test('takes a reference and metadata up to their bounds', () => {
    const fields = { externalId: '~'.repeat(128), metadata: entries(20, 'x'.repeat(190)) };

    expect(issuesBy(handler, aPurchase(KYC_TOKEN, fields))).toEqual([]);
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
  await ports.clients.create(aClient({ id: clientId, partnerId, enrolledAt: 1 }));
  const partner = aPartner({ id: partnerId });
  const initiate = (fields: object, seed = kycToken) => {
    const ids = reservedIds({ at: ports.clock.now(), seed });
    return initiateTransaction(readBy(handler, aPurchase(kycToken, { ...fields })), { partner, ids }, ports);
  };
  const rows = () => allRowsIn(tables);
  return { ports, initiate, rows, countRows: async () => (await rows()).length };
}

describe('422: a purchase', () => {
  const [lower, upper] = [WALLET.toLowerCase(), `0x${WALLET.slice(2).toUpperCase()}`];

  async function expectRefused(fields: object, code: string, details: object): Promise<void> {
    const { initiate, countRows } = await aBuyer();
    const before = await countRows();

    await expect(initiate(fields)).rejects.toMatchObject({ code, details });

    expect(await countRows()).toBe(before);
  }

  // Spec, Limits: "amountBrl: minimum 50, maximum 50000"
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
  // docs/compliance.md, "Effect of a hit"
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

describe('a purchase with the partner’s own fields', () => {
  // docs/decisions.md, "Lists and searches"
  test('keeps the reference as it is and the metadata as ciphertext, and shows them in its answer', async () => {
    const { initiate, rows } = await aBuyer();

    const { transactionId, externalId } = await initiate({
      externalId: 'order-1',
      metadata: { colour: 'very red' },
    });

    expect(externalId).toBe('order-1');
    const row = (await rows()).find(({ id }) => id === transactionId);
    expect(row).toMatchObject({ externalId: 'order-1', metadataCipher: expect.stringMatching(/^v1\./) });
    expect(JSON.stringify(await rows())).not.toContain('very red');
  });

  test('is refused and opens nothing if another purchase has the reference', async () => {
    const { initiate, rows, ports } = await aBuyer();
    const first = await initiate({ externalId: 'order-1' });
    const purchases = async () => (await rows()).filter(({ challenge }) => challenge);

    await expect(initiate({ externalId: 'order-1' }, 'another request')).rejects.toMatchObject({
      code: 'EXTERNAL_ID_TAKEN',
      details: { transactionId: first.transactionId },
    });

    expect(await purchases()).toHaveLength(1);
    expect(ports.machine.started).toHaveLength(1);
  });

  test('is answered again for the same request', async () => {
    const { initiate } = await aBuyer();
    const first = await initiate({ externalId: 'order-1' });

    expect(await initiate({ externalId: 'order-1' })).toEqual(first);
  });
});
