import { afterAll, vi } from 'vitest';

// The files of a worker share its modules and its environment, so each file puts back what it stubbed.
afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});
