import { afterAll, vi } from 'vitest';

// The files of a worker share its modules and its environment, so each file leaves both as it found them.
// Without this, the processes that a later file starts would take the settings of an earlier file.
const found = { ...process.env };

afterAll(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  for (const name of Object.keys(process.env)) if (!(name in found)) delete process.env[name];
  Object.assign(process.env, found);
});
