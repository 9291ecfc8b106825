/** What reads and writes the sanctions lists, each made when a function first needs it. */
import { join } from 'node:path';
import type { S3Client } from '@aws-sdk/client-s3';
import type { Clock, Log } from '../../domain/ports.ts';
import { once } from '../once.ts';
import type { ListSources } from './publishers.ts';

type Outside = {
  clock: Clock;
  log: () => Promise<Log>;
  bucket: () => string;
  /** The folder of the code, beside which a copy of the lists lies. */
  codeFolder: () => string;
  s3: () => Promise<S3Client>;
  /** Waits longer for its answers. */
  slowS3: () => Promise<S3Client>;
  sources: () => ListSources;
};

/** Of one list, several megabytes from a publisher who may be slow. */
const DOWNLOAD_MS = 120_000;

export function listMakers({ clock, log, bucket, codeFolder, s3, slowS3, sources }: Outside) {
  /** The lists' folder of the bucket, and the copy of it that lies beside the code. */
  const places = once(async () => {
    const [{ s3Reader }, { folderReader }] = await Promise.all([import('./s3.ts'), import('./folder.ts')]);
    return { read: s3Reader(s3, bucket()), bundled: folderReader(join(codeFolder(), 'lists')) };
  });
  const publications = once(async () => {
    const { publicationReader } = await import('./published.ts');
    return publicationReader({ ...(await places()), clock, log: await log() });
  });
  return {
    sanctions: once(async () => {
      const { sanctionsLists } = await import('./sanctions-lists.ts');
      const published = await publications();
      return sanctionsLists({ ...(await places()), published, clock, log: await log() });
    }),
    listedWallets: once(async () => {
      const { listedWallets } = await import('./listed-wallets.ts');
      return listedWallets(await publications());
    }),
    publishers: once(async () => {
      const { listPublishers } = await import('./publishers.ts');
      return listPublishers({ sources: sources(), fetch, clock, timeoutMs: DOWNLOAD_MS });
    }),
    listArchive: once(async () => {
      const [{ listArchive }, { s3Store }] = await Promise.all([import('./store.ts'), import('./s3.ts')]);
      return listArchive(s3Store(slowS3, bucket()));
    }),
  };
}
