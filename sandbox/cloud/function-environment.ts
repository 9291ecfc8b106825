import { randomUUID } from 'node:crypto';
import type { FunctionConfig } from './function-config.ts';
import { type Fields, fields, REGION, text } from './wire.ts';

/**
 * The function's environment: the variables in the template and those that Lambda sets. The variables of this
 * process are not passed on.
 */
export function environmentOf(
  properties: Fields,
  config: FunctionConfig,
  endpoint: string,
): Record<string, string> {
  const variables = Object.entries(fields(fields(properties.Environment).Variables));
  refuseEnvironment(config.logicalId, variables);
  return {
    ...Object.fromEntries(variables.map(([key, value]) => [key, String(value)])),
    AWS_REGION: REGION,
    AWS_DEFAULT_REGION: REGION,
    AWS_LAMBDA_FUNCTION_NAME: config.name,
    AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
    AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(properties.MemorySize ?? 128),
    AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${config.name}`,
    AWS_LAMBDA_LOG_STREAM_NAME: 'local',
    AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
    AWS_EXECUTION_ENV: `AWS_Lambda_${text(properties.Runtime)}`,
    AWS_ENDPOINT_URL: endpoint,
    AWS_ACCESS_KEY_ID: config.accessKeyId,
    AWS_SECRET_ACCESS_KEY: `local-${config.logicalId}`,
    _HANDLER: text(properties.Handler),
    _X_AMZN_TRACE_ID: traceId(),
    TZ: ':UTC',
  };
}

/**
 * Throws if a variable has a name that Lambda reserves, or if the variables exceed 4,096 bytes. Lambda would
 * refuse the function.
 */
function refuseEnvironment(logicalId: string, variables: [string, unknown][]): void {
  const reserved = variables.map(([name]) => name).filter((name) => RESERVED.test(name));
  if (reserved.length > 0) throw new Error(`${logicalId} sets reserved variables: ${reserved.join(', ')}`);
  const size = Buffer.byteLength(JSON.stringify(Object.fromEntries(variables)));
  if (size > 4096) throw new Error(`${logicalId} has ${size} bytes of variables; Lambda takes 4096`);
}

const RESERVED = new RegExp(
  [
    '^(_HANDLER|_X_AMZN_TRACE_ID|AWS_(DEFAULT_)?REGION|AWS_EXECUTION_ENV|AWS_LAMBDA_\\w+',
    'AWS_ACCESS_KEY(_ID)?|AWS_SECRET_ACCESS_KEY|AWS_SESSION_TOKEN|LAMBDA_(TASK_ROOT|RUNTIME_DIR))$',
  ].join('|'),
);

export function traceId(): string {
  const hex = randomUUID().replaceAll('-', '');
  return `Root=1-${hex.slice(0, 8)}-${hex.slice(8)};Parent=${hex.slice(0, 16)};Sampled=0`;
}
