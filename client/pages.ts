/** A page of a list, as the service answers it. The last page has no `nextCursor`. */
export type Page = { nextCursor?: string };

/**
 * A list of the service. An `await` gives the first page. A `for await` loop gives every item of every page,
 * and reads each page when the loop comes to it.
 */
export type Listing<Answer extends Page, Item> = Promise<Answer> & AsyncIterable<Item>;

/** Starts to read the first page at once, because both an `await` and a loop need it. */
export function paginate<Answer extends Page, Item>(
  readPage: (cursor?: string) => Promise<Answer>,
  itemsOf: (page: Answer) => readonly Item[],
): Listing<Answer, Item> {
  const first = readPage();
  async function* items() {
    for (let page = await first; ; page = await readPage(page.nextCursor)) {
      yield* itemsOf(page);
      if (page.nextCursor === undefined) return;
    }
  }
  return Object.assign(first, { [Symbol.asyncIterator]: items });
}
