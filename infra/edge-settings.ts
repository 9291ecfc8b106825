import type { Node } from 'constructs';
import * as z from 'zod';
import { requireSettingForm } from './require-form.ts';
import type { Stage } from './stage.ts';

export const domain = z.strictObject({
  /** The host name alone, such as `api.example.com`. */
  name: z.string().regex(/^(?=.{4,253}$)([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/),
  /** The certificate for that name in ACM, in the region of the stage. */
  certificateArn: z.string().regex(/^arn:aws:acm:[a-z0-9-]+:\d{12}:certificate\/[\w-]+$/),
});

const callbackDomain = z.strictObject({
  ...domain.shape,
  /**
   * The file with the certificate authorities of the payment provider. It is an object in a bucket of the
   * state stack. Its version is required, because only a new version makes a deployment read the file again.
   */
  trustStore: z.strictObject({ key: z.string().min(1), version: z.string().min(1) }),
});

/**
 * The functions for which a stage may reserve concurrency: those through which a purchase goes from its payment to its
 * end.
 */
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

/** The Lambda concurrency of a new AWS account. A stage that does not set `accountConcurrency` gets this one. */
const OF_NEW_ACCOUNT = 10;
/**
 * AWS refuses a reservation of concurrency if it leaves less than this to all functions without a
 * reservation.
 */
const LEAST_UNRESERVED = 100;
/** A queue always runs at least two batches at once. A smaller reservation would refuse one of them. */
const LEAST_RESERVED = 2;

/**
 * The setting `edge`: docs/operations.md, "The edge". Any field other than `accountConcurrency` is switched off if it
 * is absent or null.
 */
const edge = z
  .strictObject({
    /** The true quota of Lambda in this account, as `aws lambda get-account-settings` shows it. */
    accountConcurrency: z.int().min(OF_NEW_ACCOUNT).default(OF_NEW_ACCOUNT),
    /** The concurrency of functions of the money path, such as `{ "SettleStablecoin": 100 }`. */
    reservedConcurrency: z.partialRecord(z.enum(MONEY_PATH), z.int().min(LEAST_RESERVED)).nullish(),
    /** The API that the payment provider calls. Production needs it. */
    callbackDomain: callbackDomain.nullish(),
    /** The partners' API. It then has no other address. */
    apiDomain: domain.nullish(),
    /**
     * The most requests of one IP address to the partners' API in five minutes. AWS allows no limit below ten. Partners
     * behind one address share it. The web ACL that counts them also has AWS's common rules.
     */
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

/** Reads the setting `edge` of `cdk.json` for a stage. */
export function edgeOf(stage: Stage, node: Node): Edge {
  const ofStages = node.tryGetContext('edge') as Partial<Record<Stage, unknown>> | undefined;
  return requireSettingForm(edge, ofStages?.[stage] ?? {}, `edge of ${stage}`);
}
