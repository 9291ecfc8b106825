/**
 * The caller of an AWS API. An operator (a test or the start-up) has no `roleArn` and may do everything.
 * `session` names the operator. A caller with a role may do what the template's policies grant.
 */
export type Principal = { roleArn?: string; functionName?: string; session?: string; context?: Context };

/** A permission that a call needs. `context` has the values of condition keys. */
export type Need = { action: string; resource: string; context?: Context };

export type Context = Record<string, string | string[]>;
