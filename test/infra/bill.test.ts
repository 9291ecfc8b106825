import { describe, expect, it } from 'vitest';
import { billOf, plus, totalOf } from '../../benchmarks/bill.ts';
import { billedFor } from '../../benchmarks/counted-calls.ts';
import { PRICES, REGIONS } from '../../benchmarks/prices.ts';

const indexes = (table: string) => (table === 'Transactions' ? 2 : 0);
const billed = (operation: string, input: Record<string, unknown>, service = 'dynamodb') =>
  billedFor({ service, operation, input }, indexes);

describe('the billed units of a call', () => {
  it('are half a unit for a read, and a whole one for a consistent read', () => {
    expect(billed('GetItem', {})).toEqual({ readUnits: 0.5 });
    expect(billed('GetItem', { ConsistentRead: true })).toEqual({ readUnits: 1 });
  });

  it('are one unit for a write, and one more for each index', () => {
    expect(billed('PutItem', { TableName: 'Events' })).toEqual({ writeUnits: 1 });
    expect(billed('UpdateItem', { TableName: 'Transactions' })).toEqual({ writeUnits: 3 });
  });

  it('are twice as many in a transaction', () => {
    const TransactItems = [
      { Update: { TableName: 'Transactions' } },
      { Put: { TableName: 'Events' } },
      { ConditionCheck: { TableName: 'Clients' } },
    ];
    expect(billed('TransactWriteItems', { TransactItems })).toEqual({ writeUnits: 10 });
  });

  it('tell signatures from other requests of KMS', () => {
    expect(billed('Sign', {}, 'kms')).toEqual({ signatures: 1 });
    expect(billed('Decrypt', {}, 'kms')).toEqual({ keyRequests: 1 });
  });
});

describe('a bill', () => {
  it('multiplies counts by prices, the dearest first', () => {
    const lines = billOf({ lambdaRequests: 1000, transitions: 12_000 }, 'us-east-1');

    expect(lines.map(({ item }) => item)).toEqual(['transitions', 'lambdaRequests']);
    expect(totalOf(lines)).toBeCloseTo(0.3 + 0.0002);
  });

  it('adds counts of the same item', () => {
    expect(plus({ transitions: 1 }, { transitions: 2, traces: 1 }, 3)).toEqual({ transitions: 7, traces: 3 });
  });

  it('has a price of each item in each region', () => {
    for (const price of Object.values(PRICES))
      for (const region of REGIONS) expect(price[region]).toBeGreaterThan(0);
  });
});
