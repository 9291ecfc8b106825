import type { Node } from 'constructs';
import * as z from 'zod';
import type { Stage } from './stage.ts';

const domain = z.strictObject({
  /** The host alone, such as `api.example.com`. */
  name: z.string().regex(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/),
  /** The certificate of that name in ACM, in the region of the stage. */
  certificateArn: z.string().regex(/^arn:aws:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/),
});

const callbackDomain = z.strictObject({
  ...domain.shape,
  /**
   * The authorities of the payment provider's certificates: an object in the bucket of the state stack. The version is
   * required, because a deployment without another version would not read another file.
   */
  trustStore: z.strictObject({ key: z.string().min(1), version: z.string().min(1) }),
});

/** The functions between a payment and the end of its purchase. */
const MONEY_PATH = [
  'PixReceived',
  'ProcessCallback',
  'CheckWalletRisk',
  'ConfirmPixPayment',
  'SettleStablecoin',
  'CompleteTransaction',
  'FailTransaction',
  'RefundPixPayment',
] as const;

/** The concurrency of Lambda that a new account has. */
const OF_NEW_ACCOUNT = 10;
/** AWS refuses a reservation that leaves less to all functions without one. */
const LEAST_UNRESERVED = 100;
/** A queue starts at least two runs of its function at once, so a smaller reservation would refuse some of them. */
const LEAST_RESERVED = 2;

/** The fields are described in docs/operations.md, "The edge". Absent or null is off. */
const edge = z
  .strictObject({
    accountConcurrency: z.int().min(OF_NEW_ACCOUNT).default(OF_NEW_ACCOUNT),
    reservedConcurrency: z.partialRecord(z.enum(MONEY_PATH), z.int().min(LEAST_RESERVED)).nullish(),
    callbackDomain: callbackDomain.nullish(),
    apiDomain: domain.nullish(),
    /** Within five minutes. AWS accepts no less than ten. */
    requestsPerIp: z.int().min(10).max(2_000_000_000).nullish(),
  })
  .superRefine(({ accountConcurrency, reservedConcurrency }, context) => {
    const reserved = Object.values(reservedConcurrency ?? {}).reduce((sum, each) => sum + each, 0);
    if (reserved === 0 || accountConcurrency - reserved >= LEAST_UNRESERVED) return;
    const rest = `less than ${LEAST_UNRESERVED} to other functions`;
    const message = `${reserved} of ${accountConcurrency} leave ${rest}`;
    context.addIssue({ code: 'custom', path: ['reservedConcurrency'], message });
  });

export type Domain = z.output<typeof domain>;
export type CallbackDomain = z.output<typeof callbackDomain>;
export type Edge = z.output<typeof edge>;

/** The setting `edge` of `cdk.json` for a stage. Throws an error that names the field which is wrong. */
export function edgeOf(stage: Stage, node: Node): Edge {
  const ofStages = node.tryGetContext('edge') as Partial<Record<Stage, unknown>> | undefined;
  const { success, data, error } = edge.safeParse(ofStages?.[stage] ?? {});
  if (success) return data;
  const faults = error.issues.map(({ path, message }) => `${path.join('.') || 'all'}: ${message}`);
  throw new Error(`In cdk.json edge of ${stage}: ${faults.join('; ')}`);
}
