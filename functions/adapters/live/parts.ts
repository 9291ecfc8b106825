import type { KMSClient } from '@aws-sdk/client-kms';
import type { S3Client } from '@aws-sdk/client-s3';
import type { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import type { SFNClient } from '@aws-sdk/client-sfn';
import type { SQSClient } from '@aws-sdk/client-sqs';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Cipher, Ports } from '../../domain/ports.ts';
import type { Holds } from '../../domain/treasury/hold-ports.ts';
import { type Setting, tableSetting } from '../../settings.ts';
import type { TableName } from '../../tables/describe.ts';
import type { AwsOptions } from '../aws/options.ts';
import type { Secrets } from '../aws/secrets.ts';
import type { Chain } from '../chain/chain.ts';
import type { Signer } from '../chain/kms-signer.ts';
import type { PayoutSeals } from '../chain/payout-seals.ts';
import type { Post } from '../chain/post.ts';
import type { Rpc } from '../chain/rpc.ts';
import type { AddressScreening } from '../chainalysis/address-screening.ts';
import type { Book } from '../dynamodb/settlement-book.ts';
import type { Transport } from '../http.ts';
import type { PublicationPlaces, PublicationReader } from '../lists/published.ts';
import type { PixContract } from '../pix/settings.ts';
import { type Maker, makerOf } from './assemble.ts';

/** The parts that depend on where the code runs: in Lambda, on an operator's computer, or in a test. */
export type Place = Pick<Ports, 'stage' | 'clock' | 'random'> & {
  settings: {
    find(name: Setting): string | undefined;
    /** Returns the setting, or throws if this place does not have it. */
    require(name: Setting): string;
  };
  tables: Readonly<Record<TableName, string>>;
  /** @param answerMs how long an answer may take */
  awsOptions: (answerMs: number) => AwsOptions;
  fetch: typeof fetch;
  /** Sends requests to the payment provider in a simulation. Undefined: they go over HTTP. */
  pixTransport: Transport | undefined;
  /** The time-out of one call to a provider. */
  callLimit: { timeoutMs: number };
  /** Whether webhooks may be sent to the computer on which the service itself runs. */
  allowsLoopback: boolean;
};

/** A client of an AWS service. Its module is imported at the first use. */
type Client<Of> = () => Promise<Of>;

/** The parts from which ports are made. */
type Inner = {
  dynamo: DynamoDBDocumentClient;
  kms: Client<KMSClient>;
  s3: Client<S3Client>;
  /** A client that waits longer for answers. */
  slowS3: Client<S3Client>;
  sfn: Client<SFNClient>;
  sqs: Client<SQSClient>;
  secretsManager: Client<SecretsManagerClient>;
  totpCipher: Cipher;
  webhookCipher: Cipher;
  destinationCipher: Cipher;
  unitsCipher: Cipher;
  answerCipher: Cipher;
  secrets: Secrets;
  /** Reads the secret that the setting names, and parses it as JSON. */
  secret: <Fields>(name: Setting) => Promise<Fields>;
  /** The settings of our account at the payment provider, from its two secrets. */
  pixContract: () => Promise<PixContract>;
  chain: Chain;
  /** Posts a request to a node of the chain. */
  nodePost: Post;
  rpc: Rpc;
  signers: readonly Signer[];
  settlementBook: Book;
  payoutSeals: PayoutSeals;
  findHold: Holds['findHold'];
  /** Undefined if the stage has no vendor for the screening of wallets. */
  walletVendor: AddressScreening | undefined;
  listPlaces: PublicationPlaces;
  publications: PublicationReader;
};

export type Parts = Place & Ports & Inner;

export const part = makerOf<Parts>();

/**
 * The names of the tables. Each name is read from the settings only when it is used, because a function has
 * only the settings of its own tables.
 */
export const tableNames = (requireSetting: (name: Setting) => string): Place['tables'] =>
  new Proxy({} as Record<TableName, string>, {
    get: (_, name: TableName) => requireSetting(tableSetting(name)),
  });

/** A part that is the JSON of a setting. */
export const fromJson = <Value>(setting: Setting): Maker<Parts, Value> =>
  part(
    ['settings'],
    async () =>
      ({ settings }) =>
        JSON.parse(settings.require(setting)) as Value,
  );

/** A part that stores rows in DynamoDB. */
export const store = <Port>(
  load: () => Promise<(parts: Pick<Parts, 'dynamo' | 'tables' | 'random'>) => Port>,
): Maker<Parts, Port> => part(['dynamo', 'tables', 'random'], load);

/**
 * The type of all makers together. With this type the compiler checks that each port, and each part from
 * which ports are made, has a maker.
 */
export type AllMakers = {
  [Name in keyof (Ports & Inner) as Name extends keyof Place ? never : Name]: Maker<Parts, Parts[Name]>;
};
