import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parsePublication } from '../../functions/adapters/lists/publication.ts';
import { openIndex } from '../../functions/adapters/screening/searcher.ts';
import { bundledLists, warningOfLists } from '../../infra/bundled-lists.ts';
import { simulatorLists } from '../../infra/sandbox.ts';
import { listWorld } from '../support/list-world.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
const DAY = 24 * 60 * 60_000;
const read = (directory: string) => parsePublication(readFileSync(join(directory, 'current.json'), 'utf8'));

/** The opened index of a copy. Throws if the index is incomplete. */
function indexIn(directory: string) {
  const { index } = read(directory);
  return { named: index.digest, ...openIndex(readFileSync(join(directory, index.name))) };
}

describe('the copy for a sandbox', () => {
  it('has the simulators’ lists, and is the same each time', async () => {
    const directory = await bundledLists('sandbox');

    expect(await bundledLists('sandbox')).toBe(directory);
    const { named, digest, meta } = indexIn(directory!);
    expect(digest).toBe(named);
    expect(meta.lists.map(({ list }) => list)).toEqual(read(directory!).lists.map(({ list }) => list));
    expect(read(directory!).version).toBe('2026-11-01T12:00:00.000Z');
  });
});

describe('an operator who deploys', () => {
  const now = Date.parse('2026-11-20T12:00:00Z');

  function copyOf(version: string): string {
    const directory = mkdtempSync(join(tmpdir(), 'lists-'));
    writeFileSync(join(directory, 'current.json'), JSON.stringify({ version }));
    return directory;
  }

  it('is warned if there is no copy', () => {
    expect(warningOfLists(undefined, now)).toContain('npm run lists');
  });

  it('is warned if the copy is older than thirty days', () => {
    const at = (days: number) => new Date(now - days * DAY).toISOString();

    expect(warningOfLists(copyOf(at(30)), now)).toBeUndefined();
    expect(warningOfLists(copyOf(at(31)), now)).toContain('31 days old');
  });
});

describe('an operator who deploys a copy from a clock that is ahead', () => {
  it('is warned, because functions would use the copy instead of newer publications', () => {
    const directory = mkdtempSync(join(tmpdir(), 'lists-'));
    writeFileSync(join(directory, 'current.json'), JSON.stringify({ version: '2026-11-20T12:00:01.000Z' }));

    expect(warningOfLists(directory, Date.parse('2026-11-20T12:00:00Z'))).toContain('time to come');
  });
});

describe('npm run lists', () => {
  let server: Server;
  let url: string;
  const { app } = listWorld();
  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const headers = request.headers as Record<string, string>;
      const answer = await app.request(request.url!, { headers });
      response.writeHead(answer.status, Object.fromEntries(answer.headers));
      response.end(Buffer.from(await answer.arrayBuffer()));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => new Promise((resolve) => server.close(resolve)));

  /** In another process, whose clock is real: the page of the portal names its files by date. */
  async function run(out: string, sources: object) {
    const args = ['operations/lists.ts', '--out', out, '--sources', JSON.stringify(sources)];
    return promisify(execFile)(process.execPath, args, { cwd: ROOT });
  }

  // docs/compliance.md, "The lists"
  it('writes the files for a synthesis, and replaces older ones', async () => {
    const out = join(mkdtempSync(join(tmpdir(), 'lists-')), 'production');
    mkdirSync(join(out, 'indexes'), { recursive: true });
    writeFileSync(join(out, 'indexes', 'old.idx'), 'old');

    const { stdout } = await run(out, simulatorLists(url));

    const { named, digest } = indexIn(out);
    expect(digest).toBe(named);
    expect(existsSync(join(out, 'indexes', 'old.idx'))).toBe(false);
    expect(stdout).toContain(`${out} holds ${read(out).version}`);
    expect(stdout).toContain('BR_CEIS of 2026-11-20: 12 entries');
  });

  it('writes nothing if one list is incomplete', async () => {
    const out = join(mkdtempSync(join(tmpdir(), 'lists-')), 'production');
    const sources = simulatorLists(url);
    const fewest = { ...sources.fewest, UN_SC: 13 };

    await expect(run(out, { ...sources, fewest })).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining('UN_SC: it has 12 entries'),
    });

    expect(existsSync(out)).toBe(false);
  });
});
