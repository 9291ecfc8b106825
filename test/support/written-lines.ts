import { afterEach, beforeEach, vi } from 'vitest';

/** The lines that a function of the sandbox writes to its log in each test of the block. */
export function writtenLines(): string[] {
  const lines: string[] = [];
  beforeEach(() => {
    lines.length = 0;
    vi.stubEnv('STAGE', 'sandbox');
    for (const stream of [process.stdout, process.stderr])
      vi.spyOn(stream, 'write').mockImplementation((text) => lines.push(String(text).trim()) > 0);
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });
  return lines;
}
