/**
 * `npm run lock` adds to package-lock.json the platform packages that npm left out. npm leaves out packages that its
 * registry does not serve. Without them `npm ci` calls the lock file out of date.
 */
import { readFileSync, writeFileSync } from 'node:fs';

type Package = { version?: string; optionalDependencies?: Record<string, string>; [key: string]: unknown };
type Lock = { packages: Record<string, Package> };

const FILE = new URL('../../package-lock.json', import.meta.url);
const SYSTEMS = ['android', 'darwin', 'linux', 'win32'];
const PROCESSORS: Record<string, string> = { arm64: 'arm64', x64: 'x64', amd64: 'x64' };

export const readLock = (): Lock => JSON.parse(readFileSync(FILE, 'utf8')) as Lock;

/** The packages for one system and processor that a locked package may need and that the lock file does not have. */
export function missingPlatforms({ packages }: Lock): [string, Package][] {
  const wanted = Object.values(packages).flatMap((each) => Object.entries(each.optionalDependencies ?? {}));
  return wanted.flatMap(([name, version]) => {
    const words = name.split('/').at(-1)!.split('-');
    const system = words.find((word) => SYSTEMS.includes(word));
    const processor = words.map((word) => PROCESSORS[word]).find(Boolean);
    const key = `node_modules/${name}`;
    if (!system || !processor || packages[key]) return [];
    const libc = words.includes('musl') ? { libc: ['musl'] } : {};
    return [[key, { version, cpu: [processor], dev: true, ...libc, optional: true, os: [system] }]];
  });
}

function complete(lock: Lock): void {
  const entries = [...Object.entries(lock.packages), ...missingPlatforms(lock)];
  lock.packages = Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
  writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
}

if (import.meta.main) complete(readLock());
