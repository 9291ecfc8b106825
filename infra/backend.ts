import type { Table } from 'aws-cdk-lib/aws-dynamodb';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { ListSources } from '../functions/adapters/lists/publishers.ts';
import type { Grant } from './grant.ts';
import type { Keys } from './keys.ts';
import type { Queues } from './queues.ts';
import type { Secrets } from './secrets.ts';
import type { Settings } from './settings.ts';
import type { Tables } from './tables.ts';

/** Everything that a function may need. */
export type Backend = {
  settings: Settings;
  tables: Tables;
  keys: Keys;
  secrets: Secrets;
  queues: Queues;
  lists: IBucket;
  machine: { machine: string; executions: string };
  /** Where the payment provider calls us; the token and `/pix` follow. */
  callbackUrl: string;
  priceUrl: string;
  /** Where the lists come from, as the function reads it from `LIST_SOURCES`. */
  listSources: ListSources;
  /** The sandbox's alone. */
  simulators?: { table: Table; variables: Record<string, string>; outputs: Record<string, string> };
};

export type Granter = (backend: Backend) => Grant;
