/** Visits each item in turn. If a visit fails, the others are still made, and the first error is thrown at the end. */
export async function tryEach<Item>(
  items: readonly Item[],
  visit: (item: Item) => Promise<unknown>,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await visit(item).catch((error: unknown) => failures.push(error));
  if (failures.length > 0) throw failures[0];
}
