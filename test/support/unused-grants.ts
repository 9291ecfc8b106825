/**
 * Judges the grants that a run of the sandbox did not use. A reason counts only for a right that a need of the
 * function gives. It therefore hides no right beside the needs, and no need too many.
 */

import { IDEMPOTENCY_NEEDS } from '../../functions/entry/idempotency.ts';
import { RESCREEN_NEEDS } from '../../functions/logic/kyc/rescreen.ts';
import { KYC_REVIEW_NEEDS } from '../../functions/logic/kyc/review-pending.ts';
import { EVIDENCE_NEEDS } from '../../functions/logic/money/archive-evidence.ts';
import { KEEP_NEEDS } from '../../functions/logic/money/held-rows.ts';
import { REVIEW_NEEDS } from '../../functions/logic/purchase/liveness.ts';
import { ROUTES, type Route } from '../../functions/routes.ts';
import type { AnyNeed } from '../../infra/sources.ts';
import { gives } from './rights-of-needs.ts';

/** A right of a role, such as `CancelTransactionRole` and `dynamodb:GetItem table/OnrampSandboxState-TablesHolds`. */
export type Right = { role: string; right: string };
/** The needs of each function, by the function's id. */
export type NeedsOf = ReadonlyMap<string, readonly AnyNeed[]>;
export type Run = { unused: readonly Right[]; used: readonly Right[]; needsOf: NeedsOf };
export type Verdicts = {
  /** Each unused grant that has a reason, with the reason. */
  explained: (readonly [line: string, reason: string])[];
  unexplained: string[];
  /** The functions that the run has never called. Their grants are not judged. */
  uncalled: string[];
};

const TELEMETRY = 'The local cloud accepts telemetry without a check.';

/** The rights that belong to no need: the CDK adds them to each resource of a kind. */
const BESIDE_NEEDS: [RegExp, string][] = [
  [/^logs:(CreateLogStream|PutLogEvents|DescribeLogGroups) /, TELEMETRY],
  [/^logs:\w+(LogDelivery|LogDeliveries|ResourcePolicy|ResourcePolicies) /, TELEMETRY],
  [/^xray:(Put|GetSampling)\w+ /, TELEMETRY],
  [/^sqs:SendMessage \S+DeadLetters$/, 'Only what fails all its tries is sent there.'],
  [
    /^sqs:(ChangeMessageVisibility|GetQueueUrl) /,
    'The CDK grants a consumer all that a queue’s reader may need.',
  ],
  [/^dynamodb:ListStreams \*$/, 'The CDK grants it to each reader of a stream. It has no resource.'],
];

const MAY_LIST = 'S3 answers 404 for a missing object only to a reader who may list.';

/** The console's function has grants of its own, which belong to no need: `infra/console-grants.ts`. */
const OF_CONSOLE: [RegExp, string][] = [
  [/^s3:ListBucket /, MAY_LIST],
  [
    /^states:DescribeStateMachine /,
    'Only a purchase whose step is repeated is compared with the definition.',
  ],
];

/** The endpoints that change something. Only they keep answers for a repetition. */
const CHANGING = (ROUTES as readonly Route[])
  .filter(({ method }) => method !== 'GET')
  .map(({ function: id }) => id);

type Rare = { functions: readonly string[]; needs: readonly AnyNeed[]; of?: RegExp; because: string };

/** The needs that a run may leave unused, in these functions alone. */
const RARE: readonly Rare[] = [
  {
    functions: [
      ...['CheckWalletRisk', 'InitiateTransaction', 'ProcessCallback', 'RefreshLists', 'RescreenClients'],
      ...['ReviewPendingKyc', 'SubmitKyc'],
    ],
    needs: ['sanctions', 'listArchive', 'listedWallets', 'walletRisk'],
    of: /^s3:ListBucket /,
    because: MAY_LIST,
  },
  {
    functions: [
      ...['FailTransaction', 'ProcessCallback', 'ReconcileBooks', 'ReconcilePix', 'RefundPixPayment'],
      ...['ReturnUnmatchedPayments', 'SweepStuckTransactions'],
    ],
    needs: ['moneyCases'],
    because: 'A case of money opens only if something is wrong.',
  },
  {
    functions: CHANGING,
    needs: IDEMPOTENCY_NEEDS,
    of: /LookupSecret|TablesRequests|^kms:/,
    because: 'Only a request with an Idempotency-Key is stored under a hash.',
  },
  {
    functions: ['ExpireTransaction'],
    needs: REVIEW_NEEDS,
    because: 'At its deadline a purchase may get its charge, if the face was accepted late.',
  },
  {
    functions: ['ProcessCallback', 'ReviewPendingKyc'],
    needs: KYC_REVIEW_NEEDS,
    because: 'Few records wait for a review, and fewer are of legal entities.',
  },
  {
    functions: ['CheckWalletRisk', 'RescreenClients'],
    needs: [...RESCREEN_NEEDS, 'kycRecords:read'],
    because: 'A change of the lists must concern a client.',
  },
  {
    functions: ['ArchiveHistories'],
    needs: [...KEEP_NEEDS, ...EVIDENCE_NEEDS],
    because: 'Only a person’s hold keeps rows, and only a day that is over gets its manifest.',
  },
  {
    functions: ['QueueDueDeliveries'],
    needs: ['partners:read', 'lostEvents'],
    because: 'Only an event that the stream has lost is read.',
  },
  {
    functions: ['ReconcilePix'],
    needs: ['machine'],
    because: 'Only a lost callback leaves a paid purchase to be resumed.',
  },
  {
    functions: ['ProcessCallback', 'ReconcilePix'],
    needs: ['transactions'],
    because: 'Each move may release limits or claim a refund. The move to PROCESSING does not.',
  },
  {
    functions: ['ConfirmMfa', 'ProcessCallback'],
    needs: ['usages'],
    because: 'A refused claim is read again, to tell which limit refused it.',
  },
  {
    functions: ['CreateQuote'],
    needs: ['quoteOffers'],
    because: 'A write that another try has made is read.',
  },
  {
    functions: ['GetTransaction'],
    needs: ['unmatchedLists'],
    because: 'Only a Pix that pays no purchase has a row.',
  },
  {
    functions: ['DeliverWebhook'],
    needs: ['failingEndpoints', 'keyNews'],
    because: 'Only an endpoint that fails for days is paused, and only a new key is announced.',
  },
  {
    functions: ['RefreshLists'],
    needs: ['caseMarks'],
    because: 'Only an entry that has left its list marks open cases.',
  },
  {
    functions: ['WatchTransfers'],
    needs: ['transfers'],
    because: 'Only a reorganisation of the chain changes a hash.',
  },
  {
    functions: ['FailTransaction'],
    needs: ['cancellations'],
    because: 'Only a client refused after the nonce was taken cancels a transfer.',
  },
  {
    functions: ['ReplayEvents', 'ReplayEvent'],
    needs: ['eventTargets'],
    because: 'Only an endpoint that is newer than its event is added to it.',
  },
];

/** The role that may sign has a name of its own. */
const functionOf = (role: string) =>
  role === 'KeysSigner' ? 'SettleStablecoin' : (/(?:^|-)(\w+)Role$/.exec(role)?.[1] ?? role);
const needsIn = (role: string, needsOf: NeedsOf) => needsOf.get(functionOf(role)) ?? [];
const lineOf = ({ role, right }: Right) => `${role} ${right}`;

/** Judges each unused grant of the functions that the run has called. */
export function judge({ unused, used, needsOf }: Run): Verdicts {
  const called = new Set(used.map(({ role }) => role));
  const isCalled = ({ role }: Right) => called.has(role) || !needsOf.has(functionOf(role));
  const judged = unused
    .filter(isCalled)
    .map((each) => [lineOf(each), reasonOf(each, { used, needsOf })] as const);
  return {
    explained: judged.flatMap(([line, reason]) => (reason === undefined ? [] : [[line, reason] as const])),
    unexplained: judged.flatMap(([line, reason]) => (reason === undefined ? [line] : [])),
    uncalled: [...new Set(unused.filter((each) => !isCalled(each)).map(({ role }) => functionOf(role)))],
  };
}

function reasonOf({ role, right }: Right, { used, needsOf }: Omit<Run, 'unused'>): string | undefined {
  const known = role.startsWith('Console') ? [...BESIDE_NEEDS, ...OF_CONSOLE] : BESIDE_NEEDS;
  const beside = known.find(([pattern]) => pattern.test(right));
  if (beside) return beside[1];
  const giving = needsIn(role, needsOf).filter((need) => gives(need, right));
  // A right that another need of the role gives, too, does not show that this need is used.
  const showsUse = (need: AnyNeed, { role: user, right: of }: Right) =>
    needsIn(user, needsOf).every((each) => gives(each, of) === (each === need));
  const isUsedHere = (need: AnyNeed) => used.some((each) => each.role === role && showsUse(need, each));
  const isUsedElsewhere = (need: AnyNeed) =>
    used.some((each) => each.right === right && showsUse(need, each));
  if (giving.some((need) => isUsedHere(need) && isUsedElsewhere(need)))
    return 'Its need is used here, and this right of it elsewhere.';
  return RARE.find(
    ({ needs, of, functions }) =>
      needs.some((need) => giving.includes(need)) &&
      (of?.test(right) ?? true) &&
      functions.includes(functionOf(role)),
  )?.because;
}
