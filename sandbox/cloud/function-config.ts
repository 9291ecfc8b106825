import type { Resource } from './physical-ids.ts';
import type { Template } from './template.ts';
import { text } from './wire.ts';

/** The facts about a function that its callers and its instances need. */
export type FunctionConfig = {
  name: string;
  arn: string;
  logicalId: string;
  roleArn: string;
  accessKeyId: string;
  timeoutSeconds: number;
  /**
   * The real time in milliseconds that an invocation may take here: the function's time-out multiplied by
   * `patience`.
   */
  limitMs: number;
};

export function accessKeyOf(logicalId: string): string {
  return `ASIA${logicalId}`;
}

/** `patience` multiplies the function's time-out. */
export function configOf(template: Template, { logicalId }: Resource, patience: number): FunctionConfig {
  const { Role, Timeout } = template.properties(logicalId);
  const timeoutSeconds = Number(Timeout ?? 3);
  return {
    name: template.ref(logicalId),
    arn: template.attribute(logicalId, 'Arn'),
    logicalId,
    roleArn: text(Role),
    accessKeyId: accessKeyOf(logicalId),
    timeoutSeconds,
    limitMs: timeoutSeconds * 1000 * patience,
  };
}
