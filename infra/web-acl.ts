import type { RestApi } from 'aws-cdk-lib/aws-apigateway';
import { CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2';
import { Construct } from 'constructs';
import { ERRORS } from '../functions/domain/errors.ts';
import { ROUTES, type Route } from '../functions/routes.ts';

type WebAclProps = { api: RestApi; requestsPerIp: number };

const WINDOW_SECONDS = 300;
const TOO_MANY = 'TooManyRequests';

/**
 * The rules of AWS's common set that here only count a request, and do not block it. A body may have 64 kB,
 * more than the first rule allows. A partner's server may send no user agent, which the second rule would
 * block. The last two rules would block a body with an IP address. The service itself refuses a webhook URL
 * with an IP address, and says why.
 */
const ONLY_COUNTED = [
  'SizeRestrictions_BODY',
  'NoUserAgent_HEADER',
  'GenericRFI_BODY',
  'EC2MetaDataSSRF_BODY',
];

/**
 * A web ACL in front of the partners' API: a limit of requests for each IP address, and AWS's common rules.
 */
export class WebAcl extends Construct {
  constructor(scope: Construct, id: string, { api, requestsPerIp }: WebAclProps) {
    super(scope, id);
    const { code, body } = tooMany();
    const acl = new CfnWebACL(this, 'Acl', {
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      visibilityConfig: visible('WebAcl'),
      customResponseBodies: { [TOO_MANY]: { contentType: 'APPLICATION_JSON', content: body } },
      rules: [rateRule(requestsPerIp, code), commonRules()],
    });
    new CfnWebACLAssociation(this, 'Association', {
      webAclArn: acl.attrArn,
      resourceArn: api.deploymentStage.stageArn,
    });
  }
}

function rateRule(limit: number, responseCode: number): CfnWebACL.RuleProperty {
  return {
    name: 'RequestsPerIp',
    priority: 0,
    visibilityConfig: visible('RequestsPerIp'),
    statement: {
      rateBasedStatement: {
        limit,
        aggregateKeyType: 'IP',
        evaluationWindowSec: WINDOW_SECONDS,
        scopeDownStatement: noCallback(),
      },
    },
    action: {
      block: {
        customResponse: {
          responseCode,
          customResponseBodyKey: TOO_MANY,
          responseHeaders: [{ name: 'Retry-After', value: '60' }],
        },
      },
    },
  };
}

function commonRules(): CfnWebACL.RuleProperty {
  return {
    name: 'CommonRules',
    priority: 1,
    visibilityConfig: visible('CommonRules'),
    overrideAction: { none: {} },
    statement: {
      managedRuleGroupStatement: {
        vendorName: 'AWS',
        name: 'AWSManagedRulesCommonRuleSet',
        ruleActionOverrides: ONLY_COUNTED.map((name) => ({ name, actionToUse: { count: {} } })),
        scopeDownStatement: noCallback(),
      },
    },
  };
}

// Matches every request that is no callback. A provider sends many callbacks from few IP addresses. No rule
// may refuse a body that a provider has signed. The signature says who sends the callback.
function noCallback(): CfnWebACL.StatementProperty {
  const paths = (ROUTES as readonly Route[]).filter(
    ({ scope, api }) => scope === undefined && api === undefined,
  );
  const [first, ...others] = paths.map(({ path }) => endsWith(path));
  if (first === undefined) throw new Error('There is no route of a callback');
  const statement = others.length === 0 ? first : { orStatement: { statements: [first, ...others] } };
  return { notStatement: { statement } };
}

/** The path may begin with the stage. */
const endsWith = (searchString: string): CfnWebACL.StatementProperty => ({
  byteMatchStatement: {
    searchString,
    fieldToMatch: { uriPath: {} },
    positionalConstraint: 'ENDS_WITH',
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
});

function tooMany() {
  const { status, message } = ERRORS.RATE_LIMIT_EXCEEDED;
  const error = { code: 'RATE_LIMIT_EXCEEDED', message, details: {} };
  return { code: status, body: JSON.stringify({ success: false, error }) };
}

const visible = (metricName: string): CfnWebACL.VisibilityConfigProperty => ({
  metricName,
  cloudWatchMetricsEnabled: true,
  sampledRequestsEnabled: false,
});
