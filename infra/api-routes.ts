/**
 * The routes of the API, and the answers of API Gateway itself. API Gateway answers unknown routes, requests
 * that it refuses, and requests whose function fails.
 */
import {
  type GatewayResponseOptions,
  LambdaIntegration,
  ResponseType,
  type RestApi,
} from 'aws-cdk-lib/aws-apigateway';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { ERRORS, type ErrorCode } from '../functions/domain/errors.ts';
import type { Route } from '../functions/routes.ts';

/**
 * API Gateway's own answers, in the same envelope as those of the service: docs/decisions.md, "Precedence of refusals".
 */
const GATEWAY_ANSWERS: readonly [ResponseType, ErrorCode, retryAfterSeconds?: number][] = [
  [ResponseType.MISSING_AUTHENTICATION_TOKEN, 'NOT_FOUND'],
  [ResponseType.RESOURCE_NOT_FOUND, 'NOT_FOUND'],
  [ResponseType.REQUEST_TOO_LARGE, 'REQUEST_TOO_LARGE'],
  [ResponseType.THROTTLED, 'RATE_LIMIT_EXCEEDED', 1],
  [ResponseType.QUOTA_EXCEEDED, 'RATE_LIMIT_EXCEEDED', 60],
  [ResponseType.INTEGRATION_FAILURE, 'INTERNAL_ERROR', 5],
  [ResponseType.INTEGRATION_TIMEOUT, 'INTERNAL_ERROR', 5],
  [ResponseType.DEFAULT_4XX, 'INVALID_REQUEST'],
  [ResponseType.DEFAULT_5XX, 'INTERNAL_ERROR', 5],
];

export function addRoutes(api: RestApi, routes: readonly Route[], find: (route: Route) => IFunction): void {
  for (const route of routes) {
    const { method, path } = route;
    const integration = new LambdaIntegration(find(route), { allowTestInvoke: false });
    api.root.resourceForPath(path).addMethod(method, integration);
  }
}

export function addGatewayAnswers(api: RestApi): void {
  for (const [type, code, retryAfterSeconds] of GATEWAY_ANSWERS) {
    api.addGatewayResponse(idOfType(type), { type, ...gatewayAnswerOf(code, retryAfterSeconds) });
  }
}

function gatewayAnswerOf(code: ErrorCode, retryAfterSeconds?: number): Omit<GatewayResponseOptions, 'type'> {
  const { status, message } = ERRORS[code];
  return {
    statusCode: String(status),
    responseHeaders: {
      'x-request-id': 'context.requestId',
      ...(retryAfterSeconds !== undefined && { 'Retry-After': `'${retryAfterSeconds}'` }),
    },
    templates: {
      'application/json': JSON.stringify({ success: false, error: { code, message, details: {} } }),
    },
  };
}

const idOfType = ({ responseType }: ResponseType) =>
  responseType
    .split('_')
    .map((word) => word.charAt(0) + word.slice(1).toLowerCase())
    .join('');
