import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { callbackHints } from '../../functions/adapters/pix/callback.ts';
import { parseCharge, parsePage, parsePix, parseRefund } from '../../functions/adapters/pix/wire.ts';
import { Unavailable } from '../../functions/domain/errors.ts';
import { decimalOf } from '../../functions/domain/money.ts';
import { CREATED_AT, endToEndId } from '../support/stub-psp.ts';

const pix = { endToEndId: endToEndId(1), valor: '100.00', horario: CREATED_AT };

describe('callbackHints', () => {
  const id = endToEndId(1);
  const other = endToEndId(2);
  const hints = (body: unknown) => callbackHints(JSON.stringify(body), 'k');

  test('names every Pix of a grouped callback', () => {
    const one = { ...pix, endToEndId: id, txid: 'T1', chave: 'k' };
    expect(hints({ pix: [one, { ...pix, endToEndId: other }] })).toEqual([
      { endToEndId: id, txid: 'T1' },
      { endToEndId: other, txid: undefined },
    ]);
  });

  test('drops a payment to another key, which another merchant sent to our address', () => {
    const foreign = { ...pix, endToEndId: other, txid: 'T1', chave: 'theirs' };

    expect(hints({ pix: [foreign, { ...pix, chave: 'k' }] })).toMatchObject([{ endToEndId: id }]);
    expect(hints({ pix: [{ ...foreign, chave: null }] })).toEqual([]);
  });

  test('takes the only Pix of a provider that sends an object', () => {
    expect(hints({ pix })).toMatchObject([{ endToEndId: id }]);
  });

  test('names a repeated Pix once', () => {
    expect(hints({ pix: [pix, pix] })).toHaveLength(1);
  });

  test('drops malformed entries and keeps the rest', () => {
    const entries = [null, 7, 'x', [], {}, { endToEndId: `${id}/../x` }, { endToEndId: 7 }, pix];
    expect(hints({ pix: entries })).toMatchObject([{ endToEndId: id }]);
  });

  test('drops a txid of a wrong form, and keeps the Pix', () => {
    const odd = { ...pix, txid: '../cob/x' };
    expect(hints({ pix: [odd] })).toEqual([{ endToEndId: id, txid: undefined }]);
  });

  test.each([
    ['no JSON', 'not json'],
    ['nothing', ''],
    ['the test call of a provider', '{"evento":"teste_webhook"}'],
    ['null', 'null'],
    ['an array', '[]'],
  ])('finds nothing in %s', (_, body) => {
    expect(callbackHints(body, 'k')).toEqual([]);
  });

  test('takes at most 500', () => {
    const many = Array.from({ length: 600 }, (_, n) => ({ endToEndId: endToEndId(n) }));
    expect(hints({ pix: many })).toHaveLength(500);
  });

  test('never throws, and every hint is safe in a path', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), fc.jsonValue(), (text, value) => {
        for (const hint of [...callbackHints(text, 'k'), ...hints({ pix: value })]) {
          expect(`${hint.endToEndId}${hint.txid ?? ''}`).toMatch(/^[a-zA-Z0-9]+$/);
        }
      }),
    );
  });
});

describe('the parsers', () => {
  test('read any amount as exactly its centavos', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999_999_999_999 }), (centavos) => {
        expect(parsePix({ ...pix, valor: decimalOf(centavos, 2) })?.amountCentavos).toBe(centavos);
      }),
    );
  });

  test.each(['0.00', '-1.00', '1.005', '1,00', '1e2', ' 1.00', '', 'NaN', 100, null, '9'.repeat(20)])(
    'read no amount from %j',
    (valor) => {
      expect(parsePix({ ...pix, valor })).toBeUndefined();
    },
  );

  test.each(['2026-11-02T12:00:00', '2026-11-02', '1', 'yesterday', '2026-13-02T12:00:00Z', 1793620800000])(
    'read no instant from %j',
    (horario) => {
      expect(parsePix({ ...pix, horario })).toBeUndefined();
    },
  );

  test('read an instant with any offset', () => {
    expect(parsePix({ ...pix, horario: '2026-11-02t09:00:00.5-03:00' })?.paidAt).toBe(
      Date.parse('2026-11-02T12:00:00.5Z'),
    );
  });

  test('read arbitrary answers or are Unavailable', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.dictionary(fc.string(), fc.jsonValue()), (value, fields) => {
        for (const body of [
          value,
          { ...fields, pix: value, calendario: value, valor: value, status: value },
        ]) {
          parsePix(body);
          for (const parse of [parseCharge, parseRefund, (each: unknown) => parsePage(each, 0)]) {
            expectUnderstoodOrUnavailable(() => parse(body));
          }
        }
      }),
    );
  });
});

function expectUnderstoodOrUnavailable(parse: () => unknown): void {
  try {
    parse();
  } catch (error) {
    expect(error).toBeInstanceOf(Unavailable);
  }
}

describe('a returned part of a Pix', () => {
  const back = { id: 'D1', valor: '40.00', status: 'DEVOLVIDO', natureza: 'MED_FRAUDE' };
  const returnsOf = (devolucoes: unknown) => parsePix({ ...pix, devolucoes })?.returns;

  test('is given with its nature, amount, status and instant', () => {
    const horario = { solicitacao: CREATED_AT, liquidacao: '2026-11-02T12:05:00.000Z' };

    expect(returnsOf([{ ...back, horario }])).toEqual([
      ...[{ id: 'D1', amountCentavos: 40_00, status: 'REFUNDED', nature: 'MED_FRAUDE' }].map((each) => ({
        ...each,
        at: Date.parse(horario.liquidacao),
      })),
    ]);
    expect(returnsOf([{ ...back, natureza: undefined, horario: { solicitacao: CREATED_AT } }])).toEqual([
      expect.objectContaining({ nature: 'ORIGINAL', at: Date.parse(CREATED_AT) }),
    ]);
  });

  test('is absent if none is shown, and read if one is shown as an object', () => {
    expect(parsePix(pix)).not.toHaveProperty('returns');
    expect(parsePix({ ...pix, devolucoes: [] })).not.toHaveProperty('returns');
    expect(returnsOf(back)).toMatchObject([{ id: 'D1' }]);
  });

  test.each([
    ['no object', 7],
    ['no amount', { ...back, valor: undefined }],
    ['an amount as a number', { ...back, valor: 40 }],
    ['no id', { ...back, id: undefined }],
    ['an unknown status', { ...back, status: 'EM_ANALISE' }],
  ])('is never dropped: %s', (_, odd) => {
    const [found, ...others] = returnsOf([odd])!;

    expect(others).toEqual([]);
    const isDoubtful = found!.id === 'UNREADABLE' || !found!.amountCentavos || found!.status === 'PENDING';
    expect(isDoubtful).toBe(true);
  });
});
