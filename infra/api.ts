import {
  AccessLogFormat,
  CfnAccount,
  type DomainNameOptions,
  EndpointType,
  LogGroupLogDestination,
  RestApi,
  SecurityPolicy,
} from 'aws-cdk-lib/aws-apigateway';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { RemovalPolicy, Size, Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Route } from '../functions/routes.ts';
import type { CallbackDomain, Domain } from './edge-settings.ts';
import { logGroupFor } from './logs.ts';
import { acknowledge } from './nag.ts';
import type { Stage } from './stage.ts';
import { throttlesOf, USUAL_THROTTLE } from './throttles.ts';

const LOG_POLICY = 'arn:<AWS::Partition>:iam::aws:policy/service-role/AmazonAPIGatewayPushToCloudWatchLogs';

/** The access log has the template of the path, because the real path can hold the callback's token. */
const ACCESS_LOG = AccessLogFormat.custom(
  JSON.stringify({
    requestId: '$context.requestId',
    requestTime: '$context.requestTime',
    httpMethod: '$context.httpMethod',
    resourcePath: '$context.resourcePath',
    status: '$context.status',
    responseLength: '$context.responseLength',
    responseLatencyMs: '$context.responseLatency',
    integrationLatencyMs: '$context.integrationLatency',
    responseType: '$context.error.responseType',
  }),
);

/** Answers with a secret of a client are shorter. Their length tells nothing of their content. */
const COMPRESSED_FROM = Size.kibibytes(16);

type OnrampApiProps = {
  stage: Stage;
  name: string;
  /** The media types whose bodies are bytes instead of text. */
  binaryMediaTypes?: string[];
  /** True if long answers are compressed for callers who take that. */
  isCompressed?: boolean;
  /** The routes whose methods get limits. Without them only the limits of the account hold. */
  routes?: readonly Route[];
  /** The only address of the API. Without it the API has the address that API Gateway gives it. */
  domain?: Domain | CallbackDomain;
  /** The bucket with the authorities of the callers' certificates, for a domain that names a trust store. */
  trustStore?: IBucket;
};

/** A REST API with access logs, and no method yet. */
export class OnrampApi extends RestApi {
  readonly accessLog: LogGroup;
  /** Without a slash at its end. It is known before the stage, because the functions need it earlier. */
  readonly address: string;

  constructor(scope: Construct, id: string, props: OnrampApiProps) {
    const { stage, name, binaryMediaTypes, isCompressed, routes, domain, trustStore } = props;
    const logs = logGroupFor(scope, `${id}Logs`, stage);
    super(scope, id, {
      restApiName: name,
      binaryMediaTypes,
      minCompressionSize: isCompressed ? COMPRESSED_FROM : undefined,
      endpointTypes: [EndpointType.REGIONAL],
      domainName: domain && optionsOf(domain, { scope, id, trustStore }),
      disableExecuteApiEndpoint: domain !== undefined,
      deployOptions: {
        ...(routes && { ...USUAL_THROTTLE, methodOptions: throttlesOf(routes) }),
        stageName: stage,
        // API Gateway's segment of a trace holds the whole URL, and a URL can hold the callback's token or a KYC token.
        // The traces begin at the functions instead. Their segments name no URL.
        tracingEnabled: false,
        accessLogDestination: new LogGroupLogDestination(logs),
        accessLogFormat: ACCESS_LOG,
      },
      cloudWatchRole: false,
    });
    // API Gateway refuses a stage with access logs while the account has no role for them.
    this.deploymentStage.node.addDependency(gatewayAccountOf(Stack.of(this)));
    this.accessLog = logs;
    this.address = domain ? `https://${domain.name}` : addressOf(this, stage);
    acknowledgeDesign(this);
  }
}

/** The region's role for access logs. All APIs of the region share it, so the stack sets it once. */
function gatewayAccountOf(stack: Stack): CfnAccount {
  const found = stack.node.tryFindChild('GatewayAccount') as CfnAccount | undefined;
  if (found) return found;
  const role = new Role(stack, 'GatewayLogs', {
    assumedBy: new ServicePrincipal('apigateway.amazonaws.com'),
    managedPolicies: [
      ManagedPolicy.fromAwsManagedPolicyName('service-role/AmazonAPIGatewayPushToCloudWatchLogs'),
    ],
  });
  acknowledge(role, `IAM4[Policy::${LOG_POLICY}]`, 'AWS knows no other policy for API Gateway’s log role.');
  const account = new CfnAccount(stack, 'GatewayAccount', { cloudWatchRoleArn: role.roleArn });
  // Other stacks of the region may log by this role after this stack is deleted.
  role.applyRemovalPolicy(RemovalPolicy.RETAIN);
  account.applyRemovalPolicy(RemovalPolicy.RETAIN);
  return account;
}

// It does not refer to the stage itself, which CloudFormation makes after the functions.
function addressOf(api: RestApi, stage: Stage): string {
  const { region, urlSuffix } = Stack.of(api);
  return `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${stage}`;
}

type Place = { scope: Construct; id: string; trustStore?: IBucket };

function optionsOf(domain: Domain | CallbackDomain, { scope, id, trustStore }: Place): DomainNameOptions {
  const { name, certificateArn } = domain;
  const asked = 'trustStore' in domain ? domain.trustStore : undefined;
  return {
    domainName: name,
    certificate: Certificate.fromCertificateArn(scope, `${id}Certificate`, certificateArn),
    endpointType: EndpointType.REGIONAL,
    securityPolicy: SecurityPolicy.TLS_1_2,
    mtls: asked && trustStore && { bucket: trustStore, key: asked.key, version: asked.version },
  };
}

function acknowledgeDesign(api: RestApi): void {
  acknowledge(
    api,
    'APIG2',
    'Each function checks its request by its own schema and answers in the envelope.',
  );
  acknowledge(
    api,
    'APIG3',
    'Callers are servers with keys; a web ACL is an operator’s choice, see docs/security.md.',
  );
  acknowledge(
    api,
    'APIG4',
    'The functions check API keys themselves: hashed, several per partner, revoked at once.',
  );
  acknowledge(api, 'APIG6', 'Execution logs would hold bodies and the callback’s token, which no log may.');
  acknowledge(api, 'COG4', 'Partners are servers with API keys, not users of a pool.');
}
