import { describe, expect, expectTypeOf, it } from 'vitest';
import { paginate } from '../../client/pages.ts';
import { rejection } from './stub-server.ts';

type Page = { numbers: number[]; nextCursor?: string };

/** Pages of numbers by their cursor. `read` has the cursors in the order of the reads. */
function listOf(pages: Record<string, Page | Error>) {
  const read: (string | undefined)[] = [];
  const listing = () =>
    paginate(
      async (cursor?: string) => {
        read.push(cursor);
        const page = pages[cursor ?? 'first']!;
        if (page instanceof Error) throw page;
        return page;
      },
      ({ numbers }) => numbers,
    );
  return { listing, read };
}

const three = {
  first: { numbers: [1, 2], nextCursor: 'a' },
  a: { numbers: [], nextCursor: 'b' },
  b: { numbers: [3] },
};

describe('a list', () => {
  it('is its first page if it is awaited', async () => {
    const { listing, read } = listOf(three);

    expect(await listing()).toEqual({ numbers: [1, 2], nextCursor: 'a' });
    expect(read).toEqual([undefined]);
  });

  it('has the items of every page, also behind an empty page', async () => {
    const { listing, read } = listOf(three);
    const items: number[] = [];

    for await (const item of listing()) items.push(item);

    expect(items).toEqual([1, 2, 3]);
    expect(read).toEqual([undefined, 'a', 'b']);
  });

  it('reads a page only when the loop comes to it', async () => {
    const { listing, read } = listOf(three);

    for await (const item of listing()) if (item === 2) break;

    expect(read).toEqual([undefined]);
  });

  it('has the same items in a second loop', async () => {
    const list = listOf(three).listing();
    const items: number[] = [];

    for (let round = 0; round < 2; round += 1) for await (const item of list) items.push(item);

    expect(items).toEqual([1, 2, 3, 1, 2, 3]);
  });

  it('ends the loop with the error of a page, behind the items before it', async () => {
    const { listing } = listOf({ ...three, a: new Error('down') });
    const items: number[] = [];

    const loop = async () => {
      for await (const item of listing()) items.push(item);
    };

    expect(await rejection(loop())).toEqual(new Error('down'));
    expect(items).toEqual([1, 2]);
  });

  it('has its types', async () => {
    const { listing } = listOf(three);

    expectTypeOf(await listing()).toEqualTypeOf<Page>();
    for await (const item of listing()) expectTypeOf(item).toBeNumber();
  });
});
