/** Reasons for grants that a run of the shared sandbox does not use. A line is made by `grant-report.ts`. */
const REASONS: [RegExp, string][] = [
  [/ (logs|xray):/, 'The local cloud accepts telemetry without a check.'],
  [/ sqs:SendMessage .*DeadLetters$/, 'Only what fails all its tries is sent there.'],
  [
    / sqs:(ChangeMessageVisibility|GetQueueUrl) /,
    'The CDK grants a consumer all that a queue’s reader may need.',
  ],
  [/ dynamodb:ListStreams \*$/, 'The CDK grants it to each reader of a stream. It has no resource.'],
  [/ dynamodb:ConditionCheckItem /, 'A check beside writes: only some races and outages need it.'],
  [/ states:/, 'The need for the machine covers to start, to describe and to resume executions.'],
  [/ dynamodb:\w+ table\/\w+-TablesRequests$/, 'The need for repeated requests covers a repetition, too.'],
  [
    / dynamodb:(Batch)?GetItem table\/\w+-TablesPartners$/,
    'The need for partners covers both kinds of reads.',
  ],
  [/ dynamodb:\w+ table\/\w+-Simulators/, 'The simulators’ need covers all actions on their one table.'],
  [/ kms:(Decrypt|GenerateDataKey) /, 'A need for a cipher covers all that its purpose may meet.'],
  [/ secretsmanager:GetSecretValue /, 'A secret is read when the function first needs its provider.'],
  [
    /^Console\S+ dynamodb:GetItem table\/\w+-TablesEvents$/,
    'An approval of a vendor’s key reads its event when it is resumed.',
  ],
  [/ s3:ListBucket /, 'S3 answers 404 for a missing object only to a reader who may list.'],
];

export function reasonOf(line: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(line))?.[1];
}
