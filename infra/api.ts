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

/**
 * The access log has the route's path with its parameter names. The real path may contain the secret token of a
 * callback.
 */
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

/**
 * Shorter answers are not compressed. Those that contain a client's secret are shorter, so their compressed length
 * cannot reveal anything about the secret.
 */
const COMPRESSED_FROM = Size.kibibytes(16);

type OnrampApiProps = {
  stage: Stage;
  name: string;
  /** The media types whose bodies are binary. */
  binaryMediaTypes?: string[];
  /** Whether long answers are compressed for callers that accept compression. */
  isCompressed?: boolean;
  /** The routes whose methods get rate limits. Without them only the limits of the AWS account apply. */
  routes?: readonly Route[];
  /**
   * The domain with the only host name of the API. Without a domain the API has the host name that API
   * Gateway assigns.
   */
  domain?: Domain | CallbackDomain;
  /** The first word of all paths: the name of the API's stage, and the base path at its domain. */
  root?: string;
  /** The bucket with the certificate authorities of the callers, if the domain requires client certificates. */
  trustStore?: IBucket;
};

/** A REST API with an access log. The methods are added to it later. */
export class OnrampApi extends RestApi {
  readonly accessLog: LogGroup;
  /**
   * The API's URL without a slash at its end. It is composed before CDK creates the API's stage, because the
   * functions need it earlier.
   */
  readonly address: string;

  constructor(scope: Construct, id: string, props: OnrampApiProps) {
    const { stage, name, binaryMediaTypes, isCompressed, routes, domain, root, trustStore } = props;
    const logs = logGroupFor(scope, `${id}Logs`, stage);
    super(scope, id, {
      restApiName: name,
      binaryMediaTypes,
      minCompressionSize: isCompressed ? COMPRESSED_FROM : undefined,
      endpointTypes: [EndpointType.REGIONAL],
      domainName: domain && optionsOf(domain, { scope, id, basePath: root, trustStore }),
      disableExecuteApiEndpoint: domain !== undefined,
      deployOptions: {
        ...(routes && { ...USUAL_THROTTLE, methodOptions: throttlesOf(routes) }),
        stageName: root ?? stage,
        // API Gateway would write the whole URL into each trace, and a URL may contain a callback's token or a KYC
        // token. Therefore traces begin at the functions, which write no URL.
        tracingEnabled: false,
        accessLogDestination: new LogGroupLogDestination(logs),
        accessLogFormat: ACCESS_LOG,
      },
      cloudWatchRole: false,
    });
    // API Gateway refuses access logs as long as the account has no role for them.
    this.deploymentStage.node.addDependency(gatewayAccountOf(outermost(this)));
    this.accessLog = logs;
    this.address = domain
      ? [`https://${domain.name}`, root].filter(Boolean).join('/')
      : addressOfApi(this, root ?? stage);
    acknowledgeDesign(this);
  }
}

const outermost = (api: RestApi) => Stack.of(api).nestedStackParent ?? Stack.of(api);

/**
 * The role with which API Gateway writes access logs. All APIs of an account and a region share one role, so
 * the stack sets it once.
 */
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
  // Other stacks of the region may still use this role after this stack is deleted.
  role.applyRemovalPolicy(RemovalPolicy.RETAIN);
  account.applyRemovalPolicy(RemovalPolicy.RETAIN);
  return account;
}

// The URL is built from its parts. A reference to the API's stage would not work, because CloudFormation
// creates the stage after the functions.
function addressOfApi(api: RestApi, stage: string): string {
  const { region, urlSuffix } = Stack.of(api);
  return `https://${api.restApiId}.execute-api.${region}.${urlSuffix}/${stage}`;
}

type Place = { scope: Construct; id: string; basePath?: string; trustStore?: IBucket };

function optionsOf(
  domain: Domain | CallbackDomain,
  { scope, id, basePath, trustStore }: Place,
): DomainNameOptions {
  const { name, certificateArn } = domain;
  const asked = 'trustStore' in domain ? domain.trustStore : undefined;
  return {
    domainName: name,
    basePath,
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
    'Callers have keys or sessions; a web ACL is an operator’s choice, see docs/security.md.',
  );
  acknowledge(api, 'APIG4', 'The functions check API keys and sessions themselves, which end at once.');
  acknowledge(api, 'APIG6', 'Execution logs would hold bodies and the callback’s token, which no log may.');
  acknowledge(api, 'COG4', 'Partners are servers with API keys. The console checks who signed in.');
}
