import { describe, expect, test } from 'vitest';
import { handler } from '../../functions/api/confirm-mfa.ts';
import { type Fault, issuesBy, neverFits, pathsOf, readBy } from '../support/requests.ts';

const ID = '0'.repeat(26);

describe('a confirmation', () => {
  // docs/decisions.md, "Fields of the answers"
  test.each<Fault>([
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
    ['followed by NUL', 'totpCode', '123456\u0000'],
  ])('is refused for a value that is %s in %s', (_, field, value) => {
    expect(pathsOf(issuesBy(handler, { id: ID, totpCode: value }))).toEqual([field]);
  });

  test('takes the transaction from the path, whatever its body says', () => {
    const body = { id: 'another', totpCode: '123456' };

    expect(readBy(handler, body, { id: ID })).toEqual({ id: ID, totpCode: '123456' });
  });
});
