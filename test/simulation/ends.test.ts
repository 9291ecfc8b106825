import { describe, expect, it } from 'vitest';
import { perAsset } from '../../functions/domain/assets.ts';
import type { PixRecord, Refund } from '../../sandbox/providers/psp/received-pix.ts';
import { aTransaction } from '../support/builders.ts';
import { endOf, isExpected, judgeTaken } from './ends.ts';
import type { Evidence } from './evidence.ts';

const NOW = Date.UTC(2090, 0, 3);
const back = (
  id: string,
  valor: string,
  natureza: Refund['natureza'],
  more: Partial<Refund> = {},
): Refund => ({
  id,
  rtrId: `D${id}`,
  valor,
  natureza,
  outcome: 'DEVOLVIDO',
  notified: true,
  solicitacao: '2090-01-02T00:00:00Z',
  settlesAt: '2090-01-02T00:00:20Z',
  ...more,
});
const med = (valor: string, more: Partial<Refund> = {}) => back('m1', valor, 'MED_FRAUDE', more);
const own = (valor: string, id = 'r1') => back(id, valor, 'ORIGINAL');

function pixWith(...refunds: Refund[]): PixRecord {
  return {
    endToEndId: 'E1',
    txid: 'T1',
    valor: '100.00',
    chave: 'key',
    payerCpf: '1',
    horario: '2090-01-02T00:00:00Z',
    refunds,
  };
}

function evidence(pix: PixRecord, status: 'COMPLETED' | 'FAILED', changes: Partial<Evidence> = {}): Evidence {
  const payment = { endToEndId: 'E1', paidAt: 0, amountCentavos: 100_00 };
  const transactions = [aTransaction({ id: 'T1', clientId: 'c1', status, payment })];
  return {
    now: NOW,
    transactions,
    pix: [pix],
    cases: [],
    events: [],
    transfers: [],
    unitsOut: perAsset(() => 0n),
    acceptedEvents: new Set<string>(),
    postings: new Map<string, bigint>(),
    blocks: () => new Set<string>(),
    scopeOf: () => 'p1',
    wasOutdated: () => false,
    ...changes,
  } as Evidence;
}

const left = (kind: 'REFUND_FAILED' | 'UNMATCHED_LEFT') =>
  [{ id: `${kind}#T1`, kind, status: 'OPEN', endToEndId: 'E1' }] as const;

describe('a Pix', () => {
  it.each([
    ['settled', 'COMPLETED', [], ['settlement']],
    ['settled, and taken back since', 'COMPLETED', [med('100.00')], ['settlement']],
    ['refunded', 'FAILED', [own('100.00')], ['refund']],
    ['taken back', 'FAILED', [med('100.00')], ['taken back']],
    ['taken back in part, its rest refunded', 'FAILED', [med('40.00'), own('60.00')], ['refund']],
  ] as const)('has one end when it was %s', (_, status, refunds, ends) => {
    const pix = pixWith(...refunds);

    expect(endOf(pix, evidence(pix, status))).toEqual(ends);
  });

  it.each([
    ['it has no end', 'FAILED', [], []],
    ['the bank took back a part, and nobody has the rest', 'FAILED', [med('99.99')], []],
    ['the bank found nothing to take', 'FAILED', [med('100.00', { outcome: 'NAO_REALIZADO' })], []],
    ['more went back than came', 'FAILED', [med('40.00'), own('100.00')], ['1 refunds of 10000']],
    ['it was refunded in two', 'FAILED', [own('60.00'), own('40.00', 'r2')], ['2 refunds of 10000']],
    ['it was settled and refunded', 'COMPLETED', [own('100.00')], ['settlement', 'refund']],
  ] as const)('has not exactly one end when %s', (_, status, refunds, ends) => {
    const pix = pixWith(...refunds);

    expect(endOf(pix, evidence(pix, status))).toEqual(ends);
  });

  it('ends in a case when a person has the rest of it, and not when all of it is gone', () => {
    const cases = left('REFUND_FAILED');
    const [part, whole] = [pixWith(med('40.00')), pixWith(med('100.00'))];

    expect(endOf(part, evidence(part, 'FAILED', { cases }))).toEqual(['case']);
    expect(endOf(whole, evidence(whole, 'FAILED', { cases }))).toEqual(['taken back']);
  });
});

describe('a payment that the bank took back', () => {
  const id = 'MED_REFUND#E1#m1';
  const kept = {
    cases: [{ id, kind: 'MED_REFUND', status: 'OPEN', endToEndId: 'E1', clientId: 'c1' }] as const,
    postings: new Map([['E1#TAKEN_BACK#m1', 40_00n]]),
    blocks: () => new Set([id]),
  };
  const pix = pixWith(med('40.00'));

  it('has a case, a posting and a blocked client', () => {
    expect(judgeTaken(evidence(pix, 'COMPLETED', kept))).toEqual([]);
  });

  it.each([
    ['no open case', { ...kept, cases: [] }],
    ['0 centavos posted', { ...kept, postings: new Map() }],
    ['4001 centavos posted', { ...kept, postings: new Map([['E1#TAKEN_BACK#m1', 40_01n]]) }],
    ['a client who is not blocked', { ...kept, blocks: () => new Set(['another']) }],
  ] as const)('breaks the invariant with %s', (words, changes) => {
    const violations = judgeTaken(evidence(pix, 'COMPLETED', changes as Partial<Evidence>));

    expect(violations).toMatchObject([{ invariant: 2, scope: 'p1' }]);
    expect(violations[0]!.says).toContain(words);
  });

  it('is the only reason for its case', () => {
    const known = { id, kind: 'MED_REFUND' };

    expect(isExpected(known, [pix], NOW)).toBe(true);
    expect(isExpected(known, [pixWith(own('40.00', 'm1'))], NOW)).toBe(false);
    expect(isExpected({ id: 'TRANSFER_UNKNOWN#1', kind: 'TRANSFER_UNKNOWN' }, [pix], NOW)).toBe(false);
  });
});
