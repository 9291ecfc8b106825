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
  [
    / dynamodb:(PutItem table\/\w+-Tables(Events|Ledger)|UpdateItem table\/\w+-TablesUsages)$/,
    'A change may announce, post and release limits in one write. Most changes do not need all three.',
  ],
  [
    / dynamodb:(Get|Update)Item table\/\w+-Tables(MoneyCases|PersonBlocks)$/,
    'A case of money opens only if something is wrong.',
  ],
  [
    /^(Fail|RefundPix|Scheduled-(Reconcile|Return|Sweep))\w+Role \S+UpdateItem .*-TablesClients$/,
    'A case of money may block its client.',
  ],
  [
    /^(CheckWalletRisk|ProcessCallback|Scheduled-Re(fresh|screen|view)\w+)Role .*-Tables(Cases|Clients|Evidence|Kyc)/,
    'A change of the lists or of a client’s documents must concern a client.',
  ],
  [
    /^ExpireTransactionRole .*-Tables(Usages|Clients|Evidence|Floats|KycRecords|Promises|Reservations)$/,
    'At its deadline a purchase may get its charge, if the face was accepted late.',
  ],
  [
    / dynamodb:BatchGetItem table\/\w+-TablesUsages$/,
    'A refused claim is read again, to tell which limit refused it.',
  ],
  [/ dynamodb:GetItem table\/\w+-TablesUsages$/, 'Only a submission reads how many look-ups are left.'],
  [/^CreateQuoteRole \S+GetItem /, 'A write that another try has made is read.'],
  [
    /^Scheduled-ArchiveHistoriesRole /,
    'Only a hold of a person keeps rows, and only a day that is over gets its manifest.',
  ],
  [/^Scheduled-QueueDueDeliveriesRole .*-TablesEvents$/, 'Only an event that the stream has lost is read.'],
  [
    /^FailTransactionRole .*-TablesSettlements$/,
    'Only a client refused after the nonce was taken cancels a transfer.',
  ],
  [/^Scheduled-WatchTransfersRole /, 'Only a reorganisation of the chain changes a hash.'],
  [
    /^DeliverWebhookRole .*-TablesPartners$/,
    'Only an endpoint that fails for days is paused, and only a new key is announced.',
  ],
  [
    /^Account-GetReportRole .*\/index\/ofClient$/,
    'The need for a partner’s purchases also covers those of one client.',
  ],
  [
    /^ReplayEvents?Role \S+UpdateItem .*-TablesEvents$/,
    'Only an endpoint that is newer than its event is added to it.',
  ],
  [/-TablesUnmatchedPayments$/, 'Only a Pix that pays no purchase has a row.'],
];

export function reasonOf(line: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(line))?.[1];
}
