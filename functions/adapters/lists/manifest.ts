import { createHash } from 'node:crypto';
import * as z from 'zod';
import { LISTS, type ListName } from '../../domain/screening.ts';

export const MANIFEST = 'manifest.json';

/** Names are relative to the manifest; each version has its own, so that readers never see a mixture. */
const Manifest = z.object({
  version: z.string().min(1).max(64),
  files: z.array(
    z.object({
      name: z.string().regex(/^(?!.*\.\.)[\w./-]{1,200}$/),
      list: z.enum(LISTS),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
    }),
  ),
});
export type Manifest = z.infer<typeof Manifest>;
export type ManifestFile = Manifest['files'][number];

/** The manifest of files about to be published: write it last. */
export function manifestOf(
  version: string,
  files: readonly { name: string; list: ListName; bytes: Uint8Array }[],
): Manifest {
  return Manifest.parse({
    version,
    files: files.map(({ name, list, bytes }) => ({ name, list, sha256: sha256Of(bytes) })),
  });
}

export function parseManifest(text: string): Manifest {
  return Manifest.parse(JSON.parse(text));
}

export function sha256Of(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** One digest for a list: its file's, or of several that of the lines which `sha256sum` would print. */
export function digestOf(files: readonly ManifestFile[]): string {
  if (files.length === 1 && files[0]) return files[0].sha256;
  return sha256Of(files.map(({ name, sha256 }) => `${sha256}  ${name}\n`).join(''));
}
