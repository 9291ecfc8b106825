import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import type { Work } from './lists-memory-worker.ts';

const SCRIPT = new URL('lists-memory-worker.ts', import.meta.url);

async function parsedWithin(heapMegabytes: number, workerData: Work): Promise<unknown> {
  const worker = new Worker(SCRIPT, {
    workerData,
    resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 8 },
  });
  // If the heap is too small, the worker ends with an error, which `once` throws.
  const [message] = await once(worker, 'message');
  await worker.terminate();
  return message;
}

describe.each(['OFAC_SDN', 'UN_SC', 'BR_PEP'] as const)('a file of %s', (list) => {
  it('of 24 MB leaves its persons in memory, and not the text of the file', async () => {
    const parsed = await parsedWithin(24, { list, megabytes: 24, persons: 15_000 });

    expect(parsed).toEqual({ entries: 15_000, skipped: 0 });
  });
});
