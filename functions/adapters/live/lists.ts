/**
 * Makes the ports of the sanctions lists. Functions read the lists from the bucket, or from the copy that was
 * deployed with the code. The function `RefreshLists` writes them to the bucket.
 */
import { join } from 'node:path';
import type { ListSources } from '../lists/publishers.ts';
import { part } from './parts.ts';

/**
 * The time-out for one file of a list in milliseconds. A file has several megabytes and may come from a slow
 * publisher.
 */
const DOWNLOAD_MS = 120_000;

export const LISTS_MAKERS = {
  /**
   * The places from which lists are read: the folder of the bucket, and the copy that was deployed with the
   * code.
   */
  listPlaces: part(['s3', 'settings'], async () => {
    const [{ s3Reader }, { folderReader }] = await Promise.all([
      import('../lists/s3.ts'),
      import('../lists/folder.ts'),
    ]);
    return ({ s3, settings }) => ({
      read: s3Reader(s3, settings.require('listsBucket')),
      bundled: folderReader(join(settings.require('lambdaTaskRoot'), 'lists')),
    });
  }),
  publications: part(['listPlaces', 'clock', 'log'], async () => {
    const { publicationReader } = await import('../lists/published.ts');
    return ({ listPlaces, clock, log }) => publicationReader({ ...listPlaces, clock, log });
  }),
  sanctions: part(['listPlaces', 'publications', 'clock', 'log'], async () => {
    const { sanctionsLists } = await import('../lists/sanctions-lists.ts');
    return ({ listPlaces, publications: published, clock, log }) =>
      sanctionsLists({ ...listPlaces, published, clock, log });
  }),
  listedWallets: part(['publications'], async () => {
    const { listedWallets } = await import('../lists/listed-wallets.ts');
    return ({ publications }) => listedWallets(publications);
  }),
  publishers: part(['settings', 'fetch', 'clock'], async () => {
    const { listPublishers } = await import('../lists/publishers.ts');
    return ({ settings, fetch, clock }) => {
      const sources = JSON.parse(settings.require('listSources')) as ListSources;
      return listPublishers({ sources, fetch, clock, timeoutMs: DOWNLOAD_MS });
    };
  }),
  listArchive: part(['slowS3', 'settings'], async () => {
    const [{ listArchive }, { s3Store }] = await Promise.all([
      import('../lists/store.ts'),
      import('../lists/s3.ts'),
    ]);
    return ({ slowS3, settings }) => listArchive(s3Store(slowS3, settings.require('listsBucket')));
  }),
};
