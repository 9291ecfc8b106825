import { describe, expect, test } from 'vitest';
import { handler, listTransactions } from '../../functions/api/list-transactions.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { aKycRecord, anEvidence, aPartner } from '../support/builders.ts';
import { aPurchaseIn, openPorts, START_AT } from '../support/ports.ts';
import { refusalOfQuery } from '../support/requests.ts';

type Asked = Partial<Parameters<typeof listTransactions>[0]>;

function world() {
  const ports = openPorts();
  let opened = 0;

  /** Stores a purchase of `acme`, one second after the one before. */
  async function put(changes: Partial<Transaction> = {}, status: Status = 'COMPLETED'): Promise<string> {
    const createdAt = START_AT + 1000 * opened++;
    const { id } = await ports.transactions.create(
      aPurchaseIn(status, { partnerId: 'acme', createdAt, ...changes }),
    );
    return id;
  }
  async function putSome(count: number, changes: Partial<Transaction> = {}, status?: Status) {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) ids.push(await put(changes, status));
    return ids;
  }

  const list = (asked: Asked = {}, partnerId = 'acme') =>
    listTransactions(
      { limit: 20, ...asked },
      { partner: aPartner({ id: partnerId }), ids: undefined as never },
      ports,
    );
  /** The ids on all pages, and the number of pages. */
  async function listAll(asked: Asked) {
    const ids: string[] = [];
    for (let pages = 1, cursor: string | undefined; ; pages++) {
      const page = await list({ ...asked, cursor });
      ids.push(...idsIn(page));
      cursor = page.nextCursor;
      if (cursor === undefined) return { ids, pages };
    }
  }
  return { ports, put, putSome, list, listAll };
}

const idsIn = ({ transactions }: { transactions: { transactionId: string }[] }) =>
  transactions.map(({ transactionId }) => transactionId);
const at = (seconds: number) => new Date(START_AT + 1000 * seconds).toISOString();

// docs/decisions.md, "Lists and searches"
describe('200', () => {
  test('shows the caller’s own purchases, the newest first, in the described form', async () => {
    const { put, list } = world();
    const first = await put({ externalId: 'order-1' });
    await put({ partnerId: 'acme2' });
    const second = await put({}, 'AWAITING_MFA');

    const answer = await list();

    expect(idsIn(answer)).toEqual([second, first]);
    expect(handler.answer().parse(answer)).toEqual(JSON.parse(JSON.stringify(answer)));
    expect(answer.transactions[1]).toMatchObject({
      externalId: 'order-1',
      status: 'COMPLETED',
      createdAt: at(0),
    });
    expect(await list({}, 'stranger')).toEqual({ transactions: [], nextCursor: undefined });
  });

  test('filters by status, by time of creation and by both', async () => {
    const { put, list } = world();
    const [one, two, three] = [await put(), await put({}, 'FAILED'), await put()];

    expect(idsIn(await list({ status: 'FAILED' }))).toEqual([two]);
    expect(idsIn(await list({ from: at(1) }))).toEqual([three, two]);
    expect(idsIn(await list({ to: at(1) }))).toEqual([one]);
    expect(idsIn(await list({ from: at(1), to: at(2) }))).toEqual([two]);
    expect(idsIn(await list({ from: '2098-12-31T21:00:02-03:00' }))).toEqual([three]);
    expect(idsIn(await list({ status: 'COMPLETED', from: at(1) }))).toEqual([three]);
  });

  test.each([
    { to: '1970-01-01T00:00:00Z' },
    { to: '0001-01-01T00:00:00Z' },
    { from: '9999-12-31T12:00:00Z' },
    { from: '1960-01-01T00:00:00Z', to: '1960-01-02T00:00:00Z' },
  ])('shows none for a time in which no purchase can be: %o', async (asked) => {
    const { put, list } = world();
    const id = await put();

    expect(idsIn(await list(asked))).toEqual([]);
    expect(idsIn(await list({ ...asked, status: 'COMPLETED' }))).toEqual([]);
    expect(idsIn(await list({ from: '1960-01-01T00:00:00Z' }))).toEqual([id]);
  });

  test('finds a reference at once, and only the caller’s', async () => {
    const { put, list } = world();
    const id = await put({ externalId: 'order-1' });
    await put({ externalId: 'order-2' });

    expect(idsIn(await list({ externalId: 'order-1' }))).toEqual([id]);
    expect(idsIn(await list({ externalId: 'order-1', status: 'FAILED' }))).toEqual([]);
    expect(idsIn(await list({ externalId: 'order-1' }, 'stranger'))).toEqual([]);
    expect(idsIn(await list({ externalId: 'order-9' }))).toEqual([]);
  });

  test('finds the purchases of a client by any of its tokens, expired ones too', async () => {
    const { ports, put, list } = world();
    const record = aKycRecord({ token: 'kyc_one', partnerId: 'acme', clientId: 'client-1', expiresAt: 1 });
    await ports.kycRecords.create(record, anEvidence('kyc'));
    const ids = [
      await put({ clientId: 'client-1', kycToken: 'kyc_two' }),
      await put({ clientId: 'client-1' }),
    ];
    await put({ clientId: 'client-2' });

    expect(idsIn(await list({ kycToken: 'kyc_one' }))).toEqual(ids.reverse());
    expect(idsIn(await list({ kycToken: 'kyc_one', externalId: 'order-9' }))).toEqual([]);
  });

  test.each([1, 2, 3, 100])(
    'shows each purchase once on pages of %i, also those of one instant',
    async (limit) => {
      const { putSome, listAll } = world();
      const ids = [...(await putSome(3)), ...(await putSome(4, { createdAt: START_AT + 50_000 }))];

      const all = await listAll({ limit });

      expect([...all.ids].sort()).toEqual([...ids].sort());
      expect(all.pages).toBe(Math.ceil(ids.length / limit));
    },
  );

  // docs/decisions.md, "Lists and searches"
  test('shows none twice and leaves none out when new ones come between two pages', async () => {
    const { putSome, list } = world();
    const ids = await putSome(4);
    const first = await list({ limit: 2 });
    await putSome(3);

    const second = await list({ limit: 2, cursor: first.nextCursor });

    expect([...idsIn(first), ...idsIn(second)]).toEqual(ids.reverse());
    expect(second.nextCursor).toBeUndefined();
  });

  test('finds a rare status behind many others, and reads a limited number at once', async () => {
    const { put, putSome, list, listAll } = world();
    const rare = await put({}, 'FAILED');
    await putSome(520);

    expect(await list({ status: 'FAILED' })).toEqual({ transactions: [], nextCursor: expect.any(String) });
    expect(await listAll({ status: 'FAILED' })).toEqual({ ids: [rare], pages: 2 });
  });
});

describe('400', () => {
  const message = 'must be the nextCursor of this list, with the same filters';

  // docs/decisions.md, "Lists and searches"
  test.each<[string, (cursor: string) => [Asked, string?]]>([
    ['of another partner', (cursor) => [{ cursor }, 'stranger']],
    ['of another filter', (cursor) => [{ cursor, status: 'COMPLETED' }]],
    ['of another time', (cursor) => [{ cursor, from: at(0) }]],
    ['of a reference', (cursor) => [{ cursor, externalId: 'order-1' }]],
    ['with another signature', (cursor) => [{ cursor: `AAAA${cursor.slice(4)}` }]],
    ['that is empty', () => [{ cursor: '' }]],
    ['that is a bare place', () => [{ cursor: Buffer.from(`${START_AT}#x`).toString('base64url') }]],
  ])('refuses a cursor %s', async (_, change) => {
    const { putSome, list } = world();
    await putSome(2);
    const { nextCursor = '' } = await list({ limit: 1 });

    await expect(list(...change(nextCursor))).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { issues: [{ path: 'cursor', message }] },
    });
  });

  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', 'many'],
    ['status', 'PENDING_AUTH'],
    ['from', 'yesterday'],
    ['from', '2026-02-30T00:00:00Z'],
    ['to', '2026-11-20'],
    ['externalId', 'order 1'],
    ['kycToken', ''],
    ['cursor', 'x'.repeat(501)],
  ])('refuses %s=%s', (name, value) => {
    expect(refusalOfQuery(handler, { [name]: [value] })).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { issues: [{ path: name, message: expect.any(String) }] },
    });
  });

  test.each<[string, Record<string, string[]>]>([
    ['a filter that is given twice', { status: ['FAILED', 'EXPIRED'] }],
    ['a filter that it does not know', { Status: ['FAILED'] }],
    ['a filter that every object inherits', { ['__proto__']: ['x'] }],
    ['a time that ends before it begins', { from: [at(1)], to: [at(0)] }],
    ['no time at all', { from: [at(1)], to: [at(1)] }],
  ])('refuses %s', (_, query) => {
    expect(refusalOfQuery(handler, query)).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test('takes each filter as text of the address', () => {
    const texts = {
      status: 'FAILED',
      from: at(0),
      to: at(1),
      externalId: 'order-1',
      kycToken: 'kyc_x',
      limit: '5',
    };
    const query = Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, [value]]));

    expect(refusalOfQuery(handler, query)).toBeUndefined();
  });
});

describe('404', () => {
  test.each(['kyc_foreign', 'kyc_unknown'])('knows no client of the token %s', async (kycToken) => {
    const { ports, list } = world();
    await ports.kycRecords.create(
      aKycRecord({ token: 'kyc_foreign', partnerId: 'acme2' }),
      anEvidence('kyc'),
    );

    await expect(list({ kycToken })).rejects.toMatchObject({ code: 'KYC_TOKEN_NOT_FOUND' });
  });
});
