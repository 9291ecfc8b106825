import { describe, expect, test } from 'vitest';
import {
  type Answer,
  aPurchase,
  approvedClient,
  aSubmission,
  call,
  confirmMfa,
  expectRefusal,
  holdingsOf,
  INITIATE_PATH,
  initiate,
  KYC_PATH,
  mfaPath,
  NOTHING,
  openPurchase,
  rationed,
  submitKyc,
} from '../support/partner-api.ts';
import { BIOMETRIC_HASH, newPartner, rowOf } from '../support/sandbox.ts';

type Case = [what: string, field: string, value: unknown];

const NUL = '\u0000';
const FULLWIDTH_CPF = '５２９９８２２４７２５';
const ARABIC_CPF = '٥٢٩٩٨٢٢٤٧٢٥';

/** What no field takes, whatever its type. */
const neverFits = (field: string): Case[] => [
  ['null', field, null],
  ['an array', field, ['x']],
  ['an object', field, { value: 'x' }],
  ['a truth value', field, true],
];

function expectIssue(answer: Answer, field: string): void {
  expectRefusal(answer, 'INVALID_REQUEST', { issues: expect.any(Array) });
  const { issues } = answer.error.details as { issues: { path: string; message: string }[] };
  expect(issues.map((issue) => Object.keys(issue).sort())).toContainEqual(['message', 'path']);
  expect(issues.map(({ path }) => path)).toContain(field);
  for (const { message } of issues) expect(message).not.toContain('undefined');
}

describe('an issue says in words', () => {
  const { next } = rationed(30, newPartner);
  const issuesOf = async (body: object) => {
    const { apiKey } = await next();
    return (await initiate(apiKey, body)).error.details.issues;
  };

  test('that a field is missing', async () => {
    expect(await issuesOf({})).toEqual(
      ['kycToken', 'amountBrl', 'asset', 'walletAddress'].map((path) => ({ path, message: 'is required' })),
    );
  });

  test('that a text is empty', async () => {
    expect(await issuesOf(aPurchase(''))).toEqual([{ path: 'kycToken', message: 'must not be empty' }]);
  });
});

describe('every field at fault is told at once', () => {
  const { next } = rationed(15, newPartner);
  const pathsOf = async (path: string, body: object) => {
    const answer = await call('POST', path, { apiKey: (await next()).apiKey, body });
    expectRefusal(answer, 'INVALID_REQUEST');
    return (answer.error.details.issues as { path: string }[]).map((issue) => issue.path).sort();
  };

  test.each([
    [KYC_PATH, ['biometricHash', 'cpf']],
    [INITIATE_PATH, ['amountBrl', 'asset', 'kycToken', 'walletAddress']],
    [mfaPath('0'.repeat(26)), ['totpCode']],
    ['/laas/partner/webhook-endpoints', ['url']],
  ])('by %s of an empty object', async (path, fields) => {
    expect(await pathsOf(path, {})).toEqual(fields);
  });

  test.each([
    [KYC_PATH, ['biometricHash', 'cnpj', 'cpf', 'mode', 'partnerKycToken', 'personType']],
    [INITIATE_PATH, ['amountBrl', 'asset', 'kycToken', 'walletAddress']],
  ])('by %s of values that never fit', async (path, fields) => {
    expect(await pathsOf(path, Object.fromEntries(fields.map((field) => [field, true])))).toEqual(fields);
  });

  test.each<[string, object, string[]]>([
    ['cpf is missing', { biometricHash: undefined }, ['biometricHash', 'cpf']],
    ['cpf is malformed', { cpf: '1', biometricHash: undefined }, ['biometricHash', 'cpf']],
    ['cpf is missing', { mode: 'shared', partnerKycToken: 'a.b.c' }, ['cpf', 'mode']],
    ['cpf is missing', { cnpj: '11222333000181' }, ['cnpj', 'cpf']],
    [
      'mode is malformed',
      { mode: 'x', cnpj: '11222333000181', biometricHash: 'y' },
      [...['biometricHash', 'cnpj', 'cpf', 'mode']],
    ],
  ])('also those that depend on others, while %s', async (_, fields, paths) => {
    expect(await pathsOf(KYC_PATH, aSubmission({ cpf: undefined, ...fields }))).toEqual(paths);
  });

  test('each once', async () => {
    const body = aSubmission({ mode: 'x', partnerKycToken: 'a.b.c', cnpj: 'z' });

    expect(await pathsOf(KYC_PATH, body)).toEqual(['cnpj', 'mode']);
  });
});

describe('kyc submit answers 400', () => {
  const { next, made } = rationed(15, newPartner);

  // Spec, Submit KYC data: "either punctuated (NNN.NNN.NNN-NN) or 11 plain digits"
  // Spec, Submit KYC data: "SHA-256 hash of the biometric data; format sha256:<hex>"
  // docs/decisions.md, "Biometric hashes are kept as keyed hashes"
  // docs/decisions.md, "Precedence of refusals"
  test.each<Case>([
    ['absent', 'cpf', undefined],
    ...neverFits('cpf'),
    ['a number', 'cpf', 52998224725],
    ['empty', 'cpf', ''],
    ['too short', 'cpf', '5299822472'],
    ['too long', 'cpf', '529982247251'],
    ['ten thousand digits long', 'cpf', '5'.repeat(10_000)],
    ['in fullwidth digits', 'cpf', FULLWIDTH_CPF],
    ['in Arabic digits', 'cpf', ARABIC_CPF],
    ['followed by NUL', 'cpf', `52998224725${NUL}`],
    ['followed by a line end', 'cpf', '52998224725\n'],
    ['surrounded by spaces', 'cpf', ' 52998224725 '],
    ['half punctuated', 'cpf', '529.982.24725'],
    ['with a wrong check digit', 'cpf', '52998224726'],
    ['with a wrong first check digit', 'cpf', '52998224715'],
    ['eleven zeros', 'cpf', '00000000000'],
    ['eleven ones', 'cpf', '111.111.111-11'],
    ['absent', 'biometricHash', undefined],
    ...neverFits('biometricHash'),
    ['empty', 'biometricHash', ''],
    ['without its prefix', 'biometricHash', 'ab'.repeat(32)],
    ['one digit short', 'biometricHash', BIOMETRIC_HASH.slice(0, -1)],
    ['one digit long', 'biometricHash', `${BIOMETRIC_HASH}0`],
    ['of another algorithm', 'biometricHash', `sha512:${'ab'.repeat(32)}`],
    ['not hexadecimal', 'biometricHash', `sha256:${'xy'.repeat(32)}`],
    ['with its prefix in capitals', 'biometricHash', `SHA256:${'ab'.repeat(32)}`],
    ['with its prefix half in capitals', 'biometricHash', `Sha256:${'ab'.repeat(32)}`],
    ['followed by NUL', 'biometricHash', `${BIOMETRIC_HASH}${NUL}`],
    ...neverFits('personType'),
    ['empty', 'personType', ''],
    ['unknown', 'personType', 'PX'],
    ['in lower case', 'personType', 'pf'],
    ...neverFits('cnpj'),
    ['with a wrong check digit', 'cnpj', '11.222.333/0001-82'],
    ['fourteen zeros', 'cnpj', '0'.repeat(14)],
    ...neverFits('partnerKycToken'),
    ['empty', 'partnerKycToken', ''],
    ['too long', 'partnerKycToken', 'x'.repeat(8193)],
    ...neverFits('mode'),
    ['unknown', 'mode', 'direct'],
    ['empty', 'mode', ''],
  ])('for a value that is %s in %s', async (_, field, value) => {
    const { apiKey } = await next();

    const answer = await submitKyc(apiKey, aSubmission({ [field]: value }));

    expectIssue(answer, field);
  });

  // Spec, Submit KYC data: "Only for Model 2; the partner vendor's KYC token"
  // docs/decisions.md, "Partner KYC tokens (Model 2)"
  test('for mode shared together with a partner token', async () => {
    const { apiKey } = await next();

    const answer = await submitKyc(apiKey, aSubmission({ mode: 'shared', partnerKycToken: 'a.b.c' }));

    expectIssue(answer, 'mode');
  });

  test('and has stored nothing of all that', async () => {
    for (const { partnerId } of made) expect(await holdingsOf(partnerId)).toEqual(NOTHING);
  });
});

describe('transaction initiate answers 400', () => {
  const { next, made } = rationed(30, approvedClient);

  test.each<Case>([
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
  ])('for a value that is %s in %s', async (_, field, value) => {
    const { apiKey, kycToken } = await next();

    const answer = await initiate(apiKey, aPurchase(kycToken, { [field]: value }));

    expectIssue(answer, field);
  });

  test.each(['1e400', '-1e400'])('for the amount %s, which no number is', async (amount) => {
    const { apiKey, kycToken } = await next();
    const body = JSON.stringify(aPurchase(kycToken)).replace('250', amount);

    const answer = await initiate(apiKey, body);

    expectIssue(answer, 'amountBrl');
  });

  test('and has opened nothing of all that', async () => {
    for (const { partnerId } of made) {
      expect(await holdingsOf(partnerId)).toEqual({ ...NOTHING, TablesKycRecords: 1, TablesClients: 1 });
    }
  });
});

// docs/decisions.md, "Fields of the answers"
describe('mfa answers 400', () => {
  const { next, made } = rationed(40, openPurchase);

  test.each<Case>([
    ['absent', 'totpCode', undefined],
    ...neverFits('totpCode'),
    ['a number', 'totpCode', 123456],
    ['empty', 'totpCode', ''],
    ['of five digits', 'totpCode', '12345'],
    ['of seven digits', 'totpCode', '1234567'],
    ['ten thousand digits long', 'totpCode', '1'.repeat(10_000)],
    ['in fullwidth digits', 'totpCode', '１２３４５６'],
    ['in Arabic digits', 'totpCode', '١٢٣٤٥٦'],
    ['a signed number', 'totpCode', '-12345'],
    ['surrounded by spaces', 'totpCode', ' 123456 '],
    ['followed by a line end', 'totpCode', '123456\n'],
    ['followed by NUL', 'totpCode', `123456${NUL}`],
  ])('for a value that is %s in %s', async (_, field, value) => {
    const { apiKey, id } = await next();

    const answer = await confirmMfa(apiKey, id, value);

    expectIssue(answer, field);
  });

  test('and has counted none of them as a try', async () => {
    for (const { id } of made) {
      expect(await rowOf('TablesTransactions', id)).toMatchObject({ mfaAttempts: 0 });
    }
  });
});
