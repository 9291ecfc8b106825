import type { Node } from 'constructs';
import * as z from 'zod';
import { domain } from './edge-settings.ts';
import { requireSettingForm } from './require-form.ts';
import type { Stage } from './stage.ts';

const group = z.string().min(1).max(128);

/** The group of each role, as the issuer names it. */
const groups = z.strictObject({
  viewer: group.default('viewer'),
  operator: group.default('operator'),
  compliance: group.default('compliance'),
  admin: group.default('admin'),
});

/** The group of each role in the user pool that the stack makes. */
export const OWN_GROUPS = groups.parse({});

/**
 * The setting of the issuer that signs people in. Only a sandbox's issuer may be without TLS, because a simulated one
 * is on the same machine.
 */
const issuerOf = (stage: Stage) =>
  z.strictObject({
    /** The issuer's URL, as its tokens name it. The discovery document is below this URL. */
    url: z.url({ protocol: stage === 'sandbox' ? /^https?$/ : /^https$/ }),
    clientId: z.string().min(1).max(255),
    /** The claim of the identity token with the person's groups. */
    claim: z.string().min(1).max(255),
    groups: groups.prefault({}),
  });

/** The form of the setting. Without `issuer` the stack makes a user pool of Cognito, which signs people in. */
const formOf = (stage: Stage) =>
  z.strictObject({ domain: domain.nullish(), issuer: issuerOf(stage).nullish() });

export type ConsoleSettings = z.output<ReturnType<typeof formOf>>;

/** The setting `console` of `cdk.json` for a stage: docs/console.md, "On AWS". Without it the stage has no console. */
export function consoleOf(stage: Stage, node: Node): ConsoleSettings | undefined {
  const ofStages = node.tryGetContext('console') as Partial<Record<Stage, unknown>> | undefined;
  const given = ofStages?.[stage] ?? undefined;
  return given === undefined ? undefined : requireSettingForm(formOf(stage), given, `console of ${stage}`);
}
