import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/api/submit-kyc.ts';
import { aSubmission, type Fault, issuesBy, neverFits, pathsOf, readBy } from '../support/requests.ts';
import { BIOMETRIC_HASH } from '../support/sandbox.ts';

const NUL = '\u0000';
const FULLWIDTH_CPF = '５２９９８２２４７２５';
const ARABIC_CPF = '٥٢٩٩٨٢٢٤٧٢٥';

describe('a submission', () => {
  // Spec, Submit KYC data: "punctuated (NNN.NNN.NNN-NN) or 11 plain digits"
  // Spec, Submit KYC data: "biometric data; format sha256:<hex>"
  // docs/decisions.md, "Documents and face are verified by the identity provider"
  // docs/decisions.md, "Precedence of refusals"
  test.each<Fault>([
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
  ])('is refused for a value that is %s in %s', (_, field, value) => {
    expect(pathsOf(issuesBy(handler, aSubmission({ [field]: value })))).toContain(field);
  });

  // docs/decisions.md, "Data that the partner collected"
  test.each<Fault>([
    ...neverFits('name'),
    ['empty', 'name', ''],
    ['only spaces', 'name', '   '],
    ['only a particle', 'name', 'de'],
    ['only digits', 'name', '12345'],
    ['too long', 'name', 'a'.repeat(201)],
    ['ten thousand letters long', 'name', 'a'.repeat(10_000)],
    ['followed by NUL', 'name', `Ana Lima${NUL}`],
    ['with a line end', 'name', 'Ana\nLima'],
    ...neverFits('birthDate'),
    ['empty', 'birthDate', ''],
    ['a number', 'birthDate', 19900517],
    ['in the Brazilian order', 'birthDate', '17/05/1990'],
    ['without dashes', 'birthDate', '19900517'],
    ['an instant', 'birthDate', '1990-05-17T00:00:00Z'],
    ['no day of the calendar', 'birthDate', '1990-02-30'],
    ['no leap day', 'birthDate', '1900-02-29'],
    ['surrounded by spaces', 'birthDate', ' 1990-05-17 '],
    ...neverFits('documentNumber'),
    ['empty', 'documentNumber', ''],
    ['a number', 'documentNumber', 123456789],
    ['one digit', 'documentNumber', '1'],
    ['only zeros', 'documentNumber', '00.000-0'],
    ['only separators', 'documentNumber', '...'],
    ['too long', 'documentNumber', '1'.repeat(33)],
    ['in fullwidth digits', 'documentNumber', '１２３４５'],
    ['followed by a line end', 'documentNumber', '12345\n'],
  ])('of Model 3 is refused for a value that is %s in %s', (_, field, value) => {
    expect(pathsOf(issuesBy(handler, aSubmission({ mode: 'shared', [field]: value })))).toEqual([field]);
  });

  // docs/decisions.md, "Data that the partner collected"
  test.each([
    ['name', 'Ana Lima'],
    ['name', 'José D’Ávila dos Santos-Côrtes'],
    ['name', '金铁三'],
    ['birthDate', '2000-02-29'],
    ['documentNumber', '12.345.678-X'],
    ['documentNumber', 'AB 123456'],
  ])('of Model 3 is accepted with %s %j, and other models are refused', (field, value) => {
    const only = [{ path: field, message: 'goes with mode shared only' }];

    expect(readBy(handler, aSubmission({ mode: 'shared', [field]: value }))).toMatchObject({
      [field]: value,
    });
    expect(issuesBy(handler, aSubmission({ [field]: value }))).toEqual(only);
    expect(issuesBy(handler, aSubmission({ [field]: value, partnerKycToken: 'a.b.c' }))).toEqual(only);
  });

  // Spec, Submit KYC data: "the partner vendor's KYC token"
  // docs/decisions.md, "Partner KYC tokens (Model 2)"
  test('is refused for mode shared together with a partner token', () => {
    const issues = issuesBy(handler, aSubmission({ mode: 'shared', partnerKycToken: 'a.b.c' }));

    expect(issues).toEqual([{ path: 'mode', message: 'shared cannot be combined with partnerKycToken' }]);
  });

  test.each<[string, object, string[]]>([
    ['cpf is missing', { biometricHash: undefined }, ['biometricHash', 'cpf']],
    ['cpf is malformed', { cpf: '1', biometricHash: undefined }, ['biometricHash', 'cpf']],
    ['cpf is missing', { mode: 'shared', partnerKycToken: 'a.b.c' }, ['cpf', 'mode']],
    ['cpf is missing', { cnpj: '11222333000181' }, ['cnpj', 'cpf']],
    [
      'mode is malformed',
      { mode: 'x', cnpj: '11222333000181', biometricHash: 'y' },
      ['biometricHash', 'cnpj', 'cpf', 'mode'],
    ],
  ])('names a field that depends on others too, while %s', (_, fields, paths) => {
    expect(pathsOf(issuesBy(handler, aSubmission({ cpf: undefined, ...fields })))).toEqual(paths);
  });

  test('names each field once', () => {
    const body = aSubmission({ mode: 'x', partnerKycToken: 'a.b.c', cnpj: 'z' });

    expect(pathsOf(issuesBy(handler, body))).toEqual(['cnpj', 'mode']);
  });

  test('names every required field of an empty object', () => {
    expect(pathsOf(issuesBy(handler, {}))).toEqual(['biometricHash', 'cpf']);
  });

  test('names every field whose value never fits', () => {
    const fields = ['biometricHash', 'cnpj', 'cpf', 'mode', 'partnerKycToken', 'personType'];
    const collected = ['birthDate', 'documentNumber', 'name'];
    const body = Object.fromEntries([...fields, ...collected].map((field) => [field, true]));

    expect(pathsOf(issuesBy(handler, body))).toEqual([...fields, ...collected].sort());
  });

  test('ignores fields that no endpoint knows', () => {
    const noise = '{"__proto__": {"mode": "shared"}, "constructor": 1, "status": "APPROVED", "token": "x"';
    const body = JSON.stringify(aSubmission({ cpf: '529.982.247-25' })).replace('{', `${noise}, `);

    expect(readBy(handler, body)).toEqual({
      cpf: '52998224725',
      biometricHash: BIOMETRIC_HASH,
      personType: 'PF',
    });
  });
});
