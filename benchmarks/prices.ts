/**
 * Public prices of AWS, in US$ without tax, without free tiers and volume discounts. They were entered by
 * hand from memory of the price lists, and not read from the pages on the day `PRICES_AS_OF`. Confirm a price
 * on its page before a decision.
 */
export const PRICES_AS_OF = '2026-11-22';
export const REGIONS = ['us-east-1', 'sa-east-1'] as const;
export type Region = (typeof REGIONS)[number];

type Price = { per: number; unit: string; source: string } & Record<Region, number>;

const page = (service: string) => `https://aws.amazon.com/${service}/pricing/`;
const MILLION = 1_000_000;

/** Each price is for `per` units. */
export const PRICES = {
  lambdaRequests: row('requests', MILLION, [0.2, 0.2], 'lambda'),
  lambdaGbSeconds: row('GB-s on ARM', 1, [0.0000133334, 0.0000133334], 'lambda'),
  apiRequests: row('REST requests', MILLION, [3.5, 5.1], 'api-gateway'),
  transitions: row('standard state transitions', 1000, [0.025, 0.0375], 'step-functions'),
  readUnits: row('DynamoDB read request units', MILLION, [0.125, 0.1875], 'dynamodb/on-demand'),
  writeUnits: row('DynamoDB write request units', MILLION, [0.625, 0.9375], 'dynamodb/on-demand'),
  queueRequests: row('SQS standard requests', MILLION, [0.4, 0.4], 'sqs'),
  pipeRequests: row('Pipes requests', MILLION, [0.4, 0.4], 'eventbridge'),
  keyRequests: row('symmetric KMS requests', 10_000, [0.03, 0.03], 'kms'),
  signatures: row('ECC KMS requests', 10_000, [0.15, 0.15], 'kms'),
  secretReads: row('Secrets Manager requests', 10_000, [0.05, 0.05], 'secrets-manager'),
  bucketReads: row('S3 reads', 1000, [0.0004, 0.00056], 's3'),
  logGigabytes: row('GB of logs ingested', 1, [0.5, 0.9], 'cloudwatch'),
  traces: row('X-Ray traces recorded', MILLION, [5, 5], 'xray'),
  gigabytesOut: row('GB to the Internet', 1, [0.09, 0.15], 'ec2'),
  keyMonths: row('KMS keys a month', 1, [1, 1], 'kms'),
  secretMonths: row('secrets a month', 1, [0.4, 0.4], 'secrets-manager'),
  alarmMonths: row('metrics in alarms a month', 1, [0.1, 0.1], 'cloudwatch'),
  metricMonths: row('custom metrics a month', 1, [0.3, 0.3], 'cloudwatch'),
  dashboardMonths: row('dashboards a month', 1, [3, 3], 'cloudwatch'),
  tableGigabyteMonths: row('GB of tables a month', 1, [0.25, 0.375], 'dynamodb/on-demand'),
} as const;

export type Item = keyof typeof PRICES;
export type Counts = Partial<Record<Item, number>>;

function row(unit: string, per: number, [us, brazil]: [number, number], service: string): Price {
  return { unit, per, 'us-east-1': us, 'sa-east-1': brazil, source: page(service) };
}
