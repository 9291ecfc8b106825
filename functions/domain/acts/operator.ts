/**
 * The identity of an operator comes from a sign-in, never from free text: docs/operations.md, "Two persons".
 */

import type { Role } from './act-rules.ts';

/** The same person has the same `id`, whichever way that person signs in. */
export type Person = {
  /** The e-mail address or the user's name, in lower case. */
  id: string;
  /** `DEMO` is a sign-in without a password. Only a sandbox on the developer's own machine has it. */
  via: 'STS' | 'OIDC' | 'DEMO';
  /** The whole identity: an ARN of AWS, or the issuer of the sign-in with the person's subject. */
  principal: string;
};

/**
 * Whether two sign-ins are those of one person. Somebody whose e-mail address has changed has another `id`, and is
 * still the same subject of the issuer.
 */
export const isSamePerson = (one: Person, other: Person): boolean =>
  one.id === other.id || one.principal === other.principal;

/** A person who acts for the company. */
export type Operator = Person & { roles: readonly Role[] };

/** Asks STS for the ARN of the AWS credentials in use. */
export type CallerIdentity = { findArn(): Promise<string> };

/** An identity of AWS that is a person. `role` is the name of the assumed role, or `user` for an IAM user. */
export type AwsPerson = Person & { role: string };

/** IAM Identity Center appends an id of 16 hexadecimal digits to the names of its roles. */
const SSO_ROLE = /^(AWSReservedSSO_.+)_[0-9a-f]{16}$/;
const ASSUMED = /^arn:[\w-]+:sts::\d{12}:assumed-role\/([\w+=,.@-]+)\/([\w+=,.@-]+)$/;
const USER = /^arn:[\w-]+:iam::\d{12}:user\/(?:[\x21-\x7e]+\/)?([\w+=,.@-]+)$/;

/** The person behind an ARN. Undefined for the root of an account and for a service: neither is a person. */
export function personOfArn(arn: string): AwsPerson | undefined {
  const [, role = 'user', session] = ASSUMED.exec(arn) ?? [];
  const name = session ?? USER.exec(arn)?.[1];
  if (name === undefined) return undefined;
  return { id: name.toLowerCase(), via: 'STS', principal: arn, role: SSO_ROLE.exec(role)?.[1] ?? role };
}
