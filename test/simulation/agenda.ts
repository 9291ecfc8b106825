/** One entry of the agenda: the function `run` runs at the instant `at` of virtual time. */
export type Entry = { at: number; order: number; run: () => void | Promise<void>; isCancelled?: true };

/**
 * The planned entries in a binary heap. The earliest comes first. Entries of the same instant come in the order of
 * planning.
 */
export function openAgenda() {
  const heap: Entry[] = [];
  let planned = 0;
  const isBefore = (a: Entry, b: Entry) => a.at < b.at || (a.at === b.at && a.order < b.order);
  const swap = (a: number, b: number) => {
    [heap[a], heap[b]] = [heap[b]!, heap[a]!];
  };

  function rise(index: number): void {
    for (let at = index; at > 0; ) {
      const parent = (at - 1) >> 1;
      if (!isBefore(heap[at]!, heap[parent]!)) return;
      swap(at, parent);
      at = parent;
    }
  }

  function sink(): void {
    for (let at = 0; ; ) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let least = at;
      if (left < heap.length && isBefore(heap[left]!, heap[least]!)) least = left;
      if (right < heap.length && isBefore(heap[right]!, heap[least]!)) least = right;
      if (least === at) return;
      swap(at, least);
      at = least;
    }
  }

  return {
    plan(at: number, run: Entry['run']): Entry {
      const entry: Entry = { at, order: planned++, run };
      heap.push(entry);
      rise(heap.length - 1);
      return entry;
    },
    isEmpty: () => heap.length === 0,
    /** Takes the earliest entry that was not cancelled. */
    take(): Entry | undefined {
      for (;;) {
        const first = heap[0];
        if (!first) return undefined;
        const last = heap.pop()!;
        if (heap.length > 0) {
          heap[0] = last;
          sink();
        }
        if (!first.isCancelled) return first;
      }
    },
  };
}
