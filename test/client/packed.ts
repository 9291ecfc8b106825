import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

export const run = promisify(execFile);
export const root = new URL('../../', import.meta.url).pathname;
export const PACKAGE = 'stablecoin-onramp-client';
const binaries = join(root, 'node_modules/.bin');

/** The facts that `npm pack --json` tells. */
type Archive = { filename: string; size: number; files: { path: string }[] };

/**
 * Builds the package with the real script, packs it with the real `npm pack`, and installs the archive offline in a
 * partner's empty project. The folder ends with the test file: test/support/temporary-folder.ts.
 */
export async function installPackage() {
  const folder = await mkdtemp(join(tmpdir(), 'onramp-client-'));
  const [built, project] = [join(folder, 'built'), join(folder, 'project')];
  await runScript('build:client', built);
  const npm = (cwd: string, ...words: string[]) =>
    run('npm', [...words, '--offline', '--cache', join(folder, 'cache'), '--json'], { cwd });

  const { stdout } = await npm(built, 'pack', '--pack-destination', folder);
  const [archive] = JSON.parse(stdout) as [Archive];
  await mkdir(project);
  await writeFile(join(project, 'package.json'), '{"name":"partner","version":"1.0.0","type":"module"}');
  await npm(project, 'install', '--no-audit', '--no-fund', join(folder, archive.filename));
  return { archive, project, installed: join(project, 'node_modules', PACKAGE) };
}

/** Runs the script of the root's package.json, with another folder for its result: tests run at the same time. */
async function runScript(name: string, built: string): Promise<void> {
  const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const script = scripts[name].replaceAll('dist/client', built);
  const env = { ...process.env, PATH: `${binaries}${delimiter}${process.env.PATH}` };
  await run('sh', ['-c', script], { cwd: root, env });
}

/** The messages of a strict compiler without other types about the sources, by the name of their file. */
export async function compile(project: string, sources: Record<string, string>): Promise<string> {
  const files = Object.entries(sources).map(async ([name, text]) => {
    const file = join(project, `${name}.mts`);
    await writeFile(file, text);
    return file;
  });
  const options = '--noEmit --strict --ignoreConfig --module nodenext --target es2022 --lib es2022,dom';
  const words = [...options.split(' '), '--types', '', ...(await Promise.all(files))];
  return run(join(binaries, 'tsc'), words, { cwd: project }).then(
    ({ stdout }) => stdout,
    ({ stdout, message }: Error & { stdout?: string }) => stdout || message,
  );
}
