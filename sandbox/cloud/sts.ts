import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { Principal } from './access.ts';
import { ACCOUNT, awsError, PARTITION } from './wire.ts';

/** The access key of an operator is `operator`, or `operator-` followed by the operator's name. */
const OPERATOR_KEY = /^operator(?:-([\w+=,.@-]{2,64}))?$/;

/**
 * The operator with this access key. Undefined for any other key. Each name counts as another person, so that
 * a test can act as two persons.
 */
export function operatorOf(accessKey: string): Principal | undefined {
  const [found, session = 'operator'] = OPERATOR_KEY.exec(accessKey) ?? [];
  return found === undefined ? undefined : { session };
}

/** Answers `GetCallerIdentity`, which needs no permission. STS speaks the query protocol, in XML. */
export function answerSts(response: ServerResponse, principal: Principal, body: Buffer): void {
  const action = new URLSearchParams(body.toString()).get('Action');
  if (action !== 'GetCallerIdentity')
    throw awsError('InvalidAction', `Could not find operation ${action} for version 2011-06-15`);
  const arn = arnOf(principal);
  const result = `<Arn>${arn}</Arn><UserId>${arn.split('/').slice(1).join(':')}</UserId><Account>${ACCOUNT}</Account>`;
  const id = randomUUID();
  response
    .writeHead(200, { 'content-type': 'text/xml', 'x-amzn-requestid': id })
    .end(
      '<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">' +
        `<GetCallerIdentityResult>${result}</GetCallerIdentityResult>` +
        `<ResponseMetadata><RequestId>${id}</RequestId></ResponseMetadata></GetCallerIdentityResponse>`,
    );
}

function arnOf({ roleArn, functionName, session = functionName ?? 'session' }: Principal): string {
  const role = roleArn?.split(':role/')[1]?.split('/').at(-1) ?? 'Operators';
  return `arn:${PARTITION}:sts::${ACCOUNT}:assumed-role/${role}/${session}`;
}
