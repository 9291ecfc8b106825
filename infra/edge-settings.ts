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

/** The fields are described in docs/operations.md, "The edge". Absent or null is off. */
const edge = z.strictObject({
  callbackDomain: callbackDomain.nullish(),
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
