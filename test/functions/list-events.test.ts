import { describe, expect, test } from 'vitest';
import { handler, listEvents } from '../../functions/api/list-events.ts';
import { aPartner } from '../support/builders.ts';
import { eventWorld } from '../support/event-lists.ts';
import { newId, START_AT } from '../support/ports.ts';
import { refusalOfQuery } from '../support/requests.ts';

type Asked = Partial<Parameters<typeof listEvents>[0]>;

/** A world with its list, as the partner `acme` or another one reads it. */
function world() {
  const made = eventWorld();
  const caller = (id: string) => ({ partner: aPartner({ id }), ids: undefined as never });
  const list = (asked: Asked = {}, partnerId = 'acme') =>
    listEvents({ limit: 20, ...asked }, caller(partnerId), made.ports);
  /** The ids on all pages, and the number of pages. */
  async function listAll(asked: Asked) {
    const ids: string[] = [];
    let pages = 0;
    for (let cursor: string | undefined; ; ) {
      const page = await list({ ...asked, cursor });
      ids.push(...page.events.map(({ id }) => id));
      pages += 1;
      cursor = page.nextCursor;
      if (cursor === undefined) return { ids, pages };
    }
  }
  return { ...made, list, listAll };
}

const idsIn = ({ events }: { events: { id: string }[] }) => events.map(({ id }) => id);

describe('200', () => {
  test('shows an event as its deliveries show it', async () => {
    const { put, list } = world();
    const { id, type, data } = await put();

    const timestamp = new Date(START_AT).toISOString();
    expect(await list()).toEqual({ events: [{ id, type, timestamp, data }], nextCursor: undefined });
  });

  // docs/decisions.md, "Webhooks"
  test('shows the newest first, of each type, and of the caller alone', async () => {
    const { put, putSome, list } = world();
    const [first] = await putSome(1);
    const { id: second } = await put({ type: 'kyc.approved', id: 'kyc1' });
    await put({ partnerId: 'acme2' });
    const [third] = await putSome(1);

    expect(idsIn(await list())).toEqual([third, second, first]);
    expect(idsIn(await list({}, 'stranger'))).toEqual([]);
  });

  test('shows one type, or one transaction, or both', async () => {
    const { put, list } = world();
    const transactionId = newId();
    const { id: failed } = await put({ id: `${transactionId}.1`, type: 'transaction.failed' });
    const { id: refunded } = await put({ id: `${transactionId}.2`, type: 'transaction.refunded' });
    const { id: other } = await put({ type: 'transaction.failed' });

    expect(idsIn(await list({ type: 'transaction.failed' }))).toEqual([other, failed]);
    expect(idsIn(await list({ transactionId }))).toEqual([refunded, failed]);
    expect(idsIn(await list({ transactionId, type: 'transaction.failed' }))).toEqual([failed]);
    expect(idsIn(await list({ transactionId }, 'stranger'))).toEqual([]);
    expect(idsIn(await list({ transactionId: newId() }))).toEqual([]);
  });

  test.each([1, 2, 3, 7])(
    'shows each event once on pages of %i, also those of one millisecond',
    async (limit) => {
      const { put, putSome, listAll } = world();
      const ids = [...(await putSome(3)), ...(await putSome(3, { at: START_AT + 50 }))];
      ids.push((await put({ id: 'kyc1', type: 'kyc.pending', at: START_AT + 50 })).id);

      const all = await listAll({ limit });

      expect([...all.ids].sort()).toEqual([...ids].sort());
      expect(all.pages).toBe(Math.ceil(ids.length / limit));
    },
  );

  // docs/decisions.md, "Lists and searches"
  test('shows no event twice and leaves none out when new ones come between two pages', async () => {
    const { putSome, list } = world();
    const ids = await putSome(4);
    const first = await list({ limit: 2 });
    await putSome(3);

    const second = await list({ limit: 2, cursor: first.nextCursor });

    expect([...idsIn(first), ...idsIn(second)]).toEqual(ids.reverse());
    expect(second.nextCursor).toBeUndefined();
  });

  test('takes the cursor with another size of the page', async () => {
    const { putSome, list } = world();
    const ids = await putSome(5);
    const { nextCursor: cursor } = await list({ limit: 1 });

    expect(idsIn(await list({ limit: 100, cursor }))).toEqual(ids.slice(0, 4).reverse());
  });
});

describe('400', () => {
  const REFUSED = {
    code: 'INVALID_REQUEST',
    details: {
      issues: [{ path: 'cursor', message: 'must be the nextCursor of this list, with the same filters' }],
    },
  };

  // docs/decisions.md, "Lists and searches"
  test.each<[string, (cursor: string) => [Asked, string?]]>([
    ['of another partner', (cursor) => [{ cursor }, 'stranger']],
    ['of another filter', (cursor) => [{ cursor, type: 'transaction.expired' }]],
    [
      'with another ending',
      (cursor) => [{ cursor: `${cursor.slice(0, -1)}${cursor.endsWith('A') ? 'Q' : 'A'}` }],
    ],
    ['with another signature', (cursor) => [{ cursor: `AAAA${cursor.slice(4)}` }]],
    ['that is empty', () => [{ cursor: '' }]],
    ['that is no base64', () => [{ cursor: '§§§' }]],
    ['that is a bare place', () => [{ cursor: Buffer.from('000000000000001#x').toString('base64url') }]],
  ])('refuses a cursor %s', async (_, change) => {
    const { putSome, list } = world();
    await putSome(2);
    const { nextCursor = '' } = await list({ limit: 1 });

    await expect(list(...change(nextCursor))).rejects.toMatchObject(REFUSED);
  });

  test.each([
    ['limit', '0'],
    ['limit', '101'],
    ['limit', '1.5'],
    ['limit', 'many'],
    ['limit', ''],
    ['type', 'transaction.unknown'],
    ['transactionId', "1' OR '1'='1"],
    ['cursor', 'x'.repeat(501)],
  ])('refuses %s=%s', (name, value) => {
    expect(refusalOfQuery(handler, { [name]: [value] })).toMatchObject({
      code: 'INVALID_REQUEST',
      details: { issues: [{ path: name, message: expect.any(String) }] },
    });
  });

  test.each<[string, Record<string, string[]>]>([
    ['a filter that is given twice', { type: ['kyc.approved', 'kyc.pending'] }],
    ['a filter that it does not know', { transactionID: ['x'] }],
    ['a filter that every object inherits', { ['__proto__']: ['x'] }],
  ])('refuses %s', (_, query) => {
    expect(refusalOfQuery(handler, query)).toMatchObject({ code: 'INVALID_REQUEST' });
  });

  test('takes each filter as text of the address', () => {
    const query = { limit: ['5'], type: ['kyc.approved'], transactionId: [newId()] };

    expect(refusalOfQuery(handler, query)).toBeUndefined();
  });
});
