import { ACCOUNT, PARTITION, REGION, text } from './wire.ts';

/** The ARN of a function, a version or an alias, from its name or its ARN. */
export function functionArnOf(nameOrArn: string): string {
  const isArn = nameOrArn.startsWith('arn:');
  return isArn ? nameOrArn : `arn:${PARTITION}:lambda:${REGION}:${ACCOUNT}:function:${nameOrArn}`;
}

/**
 * The function's name in its ARN or its qualified name. Versions and aliases run the same code here, so their
 * qualifier is dropped.
 */
export function functionNameOf(nameOrArn: string): string {
  return nameOrArn.startsWith('arn:') ? (nameOrArn.split(':')[6] ?? '') : (nameOrArn.split(':')[0] ?? '');
}

/** The ARN of a queue, from its URL or its name. */
export function queueArn(urlOrName: unknown): string {
  return `arn:${PARTITION}:sqs:${REGION}:${ACCOUNT}:${text(urlOrName).split('/').at(-1)}`;
}
