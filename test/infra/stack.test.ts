import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { beforeAll, describe, expect, it } from 'vitest';
import type { PageIndex } from '../../functions/adapters/page-reader.ts';
import { ERRORS } from '../../functions/domain/errors.ts';
import { SCHEDULES } from '../../functions/domain/watching/schedules.ts';
import { ROUTES, type Route } from '../../functions/routes.ts';
import { type MachineDefinition, paceLooks, readDefinition, tasksOf } from '../../infra/machine.ts';
import { SEARCH_NODE_OPTIONS } from '../../infra/node-options.ts';
import { localChain } from '../../infra/sandbox.ts';
import { ROUTES as SANDBOX_ROUTES } from '../../sandbox/routes.ts';
import { referencesOf } from './references.ts';
import { type Properties, type Synthesized, synthesized } from './synthesized.ts';

let sandbox: Synthesized;
beforeAll(async () => {
  sandbox = await synthesized('sandbox');
});

// docs/decisions.md, "Receipts and reports"
describe('the API of the partners', () => {
  it('treats the type of the receipt as bytes, and every request as text', () => {
    const types = sandbox.resources('AWS::ApiGateway::RestApi');
    const ofPartners = Object.entries(types).filter(([id]) => id.startsWith('OnrampApi'));

    expect(ofPartners.map(([, { Properties }]) => Properties.BinaryMediaTypes)).toEqual([
      ['application/pdf'],
    ]);
  });
});

describe('a route', () => {
  it.each([...ROUTES, ...SANDBOX_ROUTES])('$method $path invokes $function', (route) => {
    const { resources } = sandbox;
    const target = targetOf(route);

    const methods = Object.values(resources('AWS::ApiGateway::Method'))
      .filter(({ Properties }) => Properties.HttpMethod === route.method)
      .filter(({ Properties }) => pathOf(Properties.ResourceId) === route.path);

    expect(methods).toHaveLength(1);
    expect(methods[0]!.Properties.Integration).toMatchObject({
      Type: 'AWS_PROXY',
      IntegrationHttpMethod: 'POST',
    });
    expect(JSON.stringify(methods[0]!.Properties.Integration)).toContain(`"${target}"`);
  });

  it.each([...ROUTES, ...SANDBOX_ROUTES])(
    '$path: API Gateway may call the function, and only by this path',
    (route) => {
      const { resources } = sandbox;
      const target = targetOf(route);

      const permissions = Object.values(resources('AWS::Lambda::Permission'))
        .map(({ Properties }) => Properties)
        .filter(({ FunctionName }) => JSON.stringify(FunctionName).includes(`"${target}"`));

      expect(permissions).toHaveLength(1);
      expect(permissions[0]).toMatchObject({ Principal: 'apigateway.amazonaws.com' });
      const source = JSON.stringify(permissions[0]!.SourceArn);
      expect(source).toContain(`/${route.method}${route.path.replaceAll(/\{\w+\}/g, '*')}"`);
    },
  );

  /** The product's functions are called by their alias, except for a partner's own settings. */
  function targetOf(route: Route): string {
    const { find } = sandbox;
    return ROUTES.some((each) => each === route) && !route.path.startsWith('/laas/partner')
      ? find('AWS::Lambda::Alias', `${route.function}Aliaslive`)
      : find('AWS::Lambda::Function', route.function);
  }

  function pathOf(id: unknown): string {
    const { Ref } = id as { Ref?: string };
    if (!Ref) return '';
    const { ParentId, PathPart } = sandbox.resources('AWS::ApiGateway::Resource')[Ref]!.Properties;
    return `${pathOf(ParentId)}/${String(PathPart)}`;
  }
});

describe('the pages', () => {
  const filesOf = ({ find, resources, outdir }: Synthesized, id: string) => {
    const { Code } = resources('AWS::Lambda::Function')[find('AWS::Lambda::Function', id)]!.Properties;
    const { S3Key } = Code as { S3Key: string };
    return join(outdir, `asset.${S3Key.replace('.zip', '')}`, 'site');
  };
  const pathsOf = (stage: Synthesized) => {
    const site = filesOf(stage, 'GetDocs');
    const index = JSON.parse(readFileSync(join(site, 'index.json'), 'utf8')) as PageIndex;
    const document = readFileSync(join(site, index['/openapi.json']!.file), 'utf8');
    return Object.keys((JSON.parse(document) as { paths: object }).paths);
  };

  it('lie beside the code of GetDocs alone', () => {
    expect(existsSync(filesOf(sandbox, 'GetDocs'))).toBe(true);
    expect(existsSync(filesOf(sandbox, 'SubmitKyc'))).toBe(false);
  });

  it('describe the endpoints of their stage', async () => {
    const production = await synthesized('production');

    const isOfSandbox = (path: string) => path.includes('/sandbox/');
    expect(pathsOf(sandbox).some(isOfSandbox)).toBe(true);
    expect(pathsOf(production)).toEqual(pathsOf(sandbox).filter((path) => !isOfSandbox(path)));
  });

  it('are read by a function that may use nothing else', () => {
    const actions = sandbox.statementsOf('GetDocs').flatMap(({ Action }) => Action);

    expect(actions.filter((action) => !/^(logs|xray):/.test(action))).toEqual([]);
  });
});

describe('a copy of the lists', () => {
  const hasLists = (id: string) => {
    const { Code } = sandbox.resources('AWS::Lambda::Function')[id]!.Properties;
    const { S3Key } = Code as { S3Key: string };
    return existsSync(join(sandbox.outdir, `asset.${S3Key.replace('.zip', '')}`, 'lists', 'current.json'));
  };

  it.each(['SubmitKyc', 'InitiateTransaction', 'CheckWalletRisk'])('is deployed with %s', (name) => {
    expect(hasLists(sandbox.find('AWS::Lambda::Function', name))).toBe(true);
  });

  it.each(['GetTransactionStatus', 'SettleStablecoin', 'DeliverWebhook'])(
    'is not deployed with %s',
    (name) => {
      expect(hasLists(sandbox.find('AWS::Lambda::Function', name))).toBe(false);
    },
  );

  it('is searched by a process with little memory for young objects', () => {
    expect(sandbox.environmentOf('SubmitKyc').NODE_OPTIONS).toBe(SEARCH_NODE_OPTIONS);
    expect(sandbox.environmentOf('GetTransactionStatus').NODE_OPTIONS).toBeUndefined();
  });
});

describe('an answer of API Gateway itself', () => {
  // Spec, Errors: "Every failure uses this envelope"
  // docs/decisions.md, "Precedence of refusals"
  it.each([
    ['MISSING_AUTHENTICATION_TOKEN', 'NOT_FOUND'],
    ['RESOURCE_NOT_FOUND', 'NOT_FOUND'],
    ['THROTTLED', 'RATE_LIMIT_EXCEEDED'],
    ['QUOTA_EXCEEDED', 'RATE_LIMIT_EXCEEDED'],
    ['REQUEST_TOO_LARGE', 'REQUEST_TOO_LARGE'],
    ['DEFAULT_4XX', 'INVALID_REQUEST'],
    ['DEFAULT_5XX', 'INTERNAL_ERROR'],
    ['INTEGRATION_FAILURE', 'INTERNAL_ERROR'],
    ['INTEGRATION_TIMEOUT', 'INTERNAL_ERROR'],
  ] as const)('%s is %s in the envelope', (type, code) => {
    const { status, message } = ERRORS[code];

    const answer = Object.values(sandbox.resources('AWS::ApiGateway::GatewayResponse')).find(
      ({ Properties }) => Properties.ResponseType === type,
    )!.Properties;

    expect(answer.StatusCode).toBe(String(status));
    expect(JSON.parse((answer.ResponseTemplates as Record<string, string>)['application/json']!)).toEqual({
      success: false,
      error: { code, message, details: {} },
    });
    const headers = answer.ResponseParameters as Record<string, string>;
    expect(headers['gatewayresponse.header.x-request-id']).toBe('context.requestId');
    expect('gatewayresponse.header.Retry-After' in headers).toBe(status === 429 || status === 500);
  });
});

it('the access log has no real path, because a path can contain a token', () => {
  for (const { Properties } of Object.values(sandbox.resources('AWS::ApiGateway::Stage'))) {
    const { Format } = Properties.AccessLogSetting as { Format: string };
    expect(Format).toContain('$context.resourcePath');
    expect(Format).not.toMatch(/\$context\.(path|customDomain|identity)/);
  }
});

it('the API traces no request, because a segment contains the whole path', () => {
  const stages = Object.values(sandbox.resources('AWS::ApiGateway::Stage'));

  expect(stages).toHaveLength(3);
  for (const { Properties } of stages) expect(Properties.TracingEnabled).toBe(false);
});

describe('the simulators’ control interface', () => {
  it('needs a key of the deployment, and only its users have the key', () => {
    const secret = sandbox.find('AWS::SecretsManager::Secret', 'SimulatorsControlKey');
    const { Properties } = sandbox.resources('AWS::SecretsManager::Secret')[secret]!;
    const told = Object.values(sandbox.resources('AWS::Lambda::Function'))
      .map(({ Properties: { Handler, Environment } }) => ({ Handler, Environment }))
      .filter(({ Environment }) => JSON.stringify(Environment).includes('CONTROL_KEY'));

    expect(Properties).toHaveProperty('GenerateSecretString');
    expect(told.map(({ Handler }) => Handler).sort()).toEqual([
      'api/complete-liveness.handler',
      'api/confirm-mfa.handler',
      'api/initiate-transaction.handler',
      'api/list-webhooks.handler',
      'api/pay-transaction.handler',
      'api/reset-sandbox.handler',
      'api/submit-kyc.handler',
      'api/trigger-event.handler',
      'providers/handler.handler',
      'steps/check-wallet-risk.handler',
      'steps/settle-stablecoin.handler',
    ]);
    for (const { Environment } of told) {
      const { CONTROL_KEY } = (Environment as { Variables: Properties }).Variables;
      expect(JSON.stringify(CONTROL_KEY)).toContain('{{resolve:secretsmanager:');
      expect(JSON.stringify(CONTROL_KEY)).toContain(`{"Ref":"${secret}"}`);
    }
  });
});

describe('every function', () => {
  it('runs on Node 24 and ARM, is traced, and has a log group with a retention time', () => {
    const functions = Object.values(sandbox.resources('AWS::Lambda::Function'));
    for (const { Properties } of functions) {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogFormat: 'JSON' },
      });
      const { LogGroup } = Properties.LoggingConfig as { LogGroup: { Ref: string } };
      expect(sandbox.resources('AWS::Logs::LogGroup')[LogGroup.Ref]?.Properties.RetentionInDays).toBe(7);
    }
    expect(new Set(functions.map(({ Properties }) => Properties.Role)).size).toBe(functions.length);
  });

  it('answers before API Gateway gives up', () => {
    for (const { function: name } of ROUTES) {
      const id = sandbox.find('AWS::Lambda::Function', name);
      expect(sandbox.resources('AWS::Lambda::Function')[id]?.Properties.Timeout).toBeLessThan(29);
    }
  });
});

describe('the state machine', () => {
  const machine = (from: Synthesized): Properties =>
    Object.values(from.resources('AWS::StepFunctions::StateMachine'))[0]!.Properties;
  const definitionOf = (from: Synthesized) =>
    JSON.parse(machine(from).DefinitionString as string) as MachineDefinition;
  const paced = (definition: MachineDefinition) => paceLooks(definition, localChain);

  it('is the definition’s file, with a version of each function in the place of its name', () => {
    const { DefinitionSubstitutions, StateMachineName } = machine(sandbox);

    expect(definitionOf(sandbox)).toEqual(paced(readDefinition()));
    expect(StateMachineName).toBe('onramp-sandbox');
    const substitutions = DefinitionSubstitutions as Record<string, { Ref: string }>;
    expect(Object.keys(substitutions).sort()).toEqual(tasksOf(readDefinition()).sort());
    for (const [name, { Ref }] of Object.entries(substitutions)) {
      const { FunctionName } = sandbox.resources('AWS::Lambda::Version')[Ref]!.Properties;
      expect(FunctionName).toEqual({ Ref: sandbox.find('AWS::Lambda::Function', name) });
    }
  });

  it('logs transitions without their data, because a wait’s data has its token', () => {
    expect(machine(sandbox)).toMatchObject({
      StateMachineType: 'STANDARD',
      LoggingConfiguration: { Level: 'ALL', IncludeExecutionData: false },
      TracingConfiguration: { Enabled: true },
    });
  });

  it('shortens only its two waits if a minute of the sandbox is a second', async () => {
    const hurried = await synthesized('sandbox', { minuteSeconds: 1 });

    const { AwaitAuthentication, AwaitPixPayment, ...others } = definitionOf(hurried).States;

    expect(AwaitAuthentication?.TimeoutSeconds).toBe(15);
    expect(AwaitPixPayment?.TimeoutSeconds).toBe(30);
    expect(paced(readDefinition()).States).toMatchObject(others);
    expect(hurried.environmentOf('SubmitKyc').MINUTE_SECONDS).toBe('1');
  });

  it('waits longer for other functions only on a laptop, never on AWS', async () => {
    const local = await synthesized('sandbox', { patience: 5 });

    expect(local.environmentOf('SubmitKyc').PATIENCE).toBe('5');
    expect(sandbox.environmentOf('SubmitKyc')).not.toHaveProperty('PATIENCE');
  });
});

describe('the queues', () => {
  it('deliver a message six times and keep it if it fails', () => {
    const queues = Object.values(sandbox.resources('AWS::SQS::Queue')).map(({ Properties }) => Properties);
    const working = queues.filter(({ RedrivePolicy }) => RedrivePolicy);

    expect(working).toHaveLength(2);
    for (const { RedrivePolicy } of working) expect(RedrivePolicy).toMatchObject({ maxReceiveCount: 6 });
    expect(queues.every(({ SqsManagedSseEnabled }) => SqsManagedSseEnabled === true)).toBe(true);
  });

  it('hide a message for six times the consumer’s time-out', () => {
    const mappings = Object.values(sandbox.resources('AWS::Lambda::EventSourceMapping'));
    for (const { Properties } of mappings) {
      const [alias] = referencesOf(Properties.FunctionName);
      const { FunctionName } = sandbox.resources('AWS::Lambda::Alias')[alias!.id]!.Properties;
      const consumer = (FunctionName as { Ref: string }).Ref;
      const queue = (Properties.EventSourceArn as { 'Fn::GetAtt': string[] })['Fn::GetAtt'][0]!;
      const { Timeout } = sandbox.resources('AWS::Lambda::Function')[consumer]!.Properties;
      const { VisibilityTimeout } = sandbox.resources('AWS::SQS::Queue')[queue]!.Properties;
      expect(VisibilityTimeout).toBeGreaterThanOrEqual(6 * Number(Timeout));
      expect(Properties).toMatchObject({ BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] });
    }
    expect(mappings).toHaveLength(2);
  });

  it('get the id of every event from the stream of the table', () => {
    sandbox.template.hasResourceProperties('AWS::Pipes::Pipe', {
      Source: { 'Fn::GetAtt': [Match.stringLikeRegexp('^TablesEvents'), 'StreamArn'] },
      Target: { 'Fn::GetAtt': [Match.stringLikeRegexp('^QueuesWebhook[0-9A-F]{8}$'), 'Arn'] },
      SourceParameters: {
        FilterCriteria: { Filters: [{ Pattern: '{"eventName":["INSERT"]}' }] },
        DynamoDBStreamParameters: {
          StartingPosition: 'TRIM_HORIZON',
          DeadLetterConfig: { Arn: { 'Fn::GetAtt': [Match.stringLikeRegexp('OutboxDeadLetters'), 'Arn'] } },
        },
      },
      TargetParameters: { InputTemplate: '{"eventId": <$.dynamodb.Keys.id.S>}' },
    });
  });
});

describe('the submission of KYC data', () => {
  it('has its own function in the sandbox, with the simulators; production has the product’s function', async () => {
    const production = await synthesized('production');

    expect(sandbox.environmentOf('SubmitKyc')).toHaveProperty('SIMULATORS_URL');
    expect(production.environmentOf('SubmitKyc')).not.toHaveProperty('SIMULATORS_URL');
    expect(Object.keys(sandbox.environmentOf('SubmitKyc'))).toEqual(
      expect.arrayContaining(Object.keys(production.environmentOf('SubmitKyc'))),
    );
  });
});

describe('the schedules', () => {
  it.each([
    ['SweepStuckTransactions', 'rate(1 minute)', 60],
    ['QueueDueDeliveries', 'rate(1 minute)', 60],
    ['ReconcilePix', 'rate(5 minutes)', 300],
    ['ReconcileBooks', 'rate(1 hour)', 3600],
    ['ReturnUnmatchedPayments', 'rate(1 minute)', 60],
    ['WatchTransfers', 'rate(1 minute)', 60],
    ['ReviewPendingKyc', 'rate(1 minute)', 60],
    ['RefreshLists', 'rate(2 hours)', 7200],
    ['ReadTreasuryFloat', 'rate(1 minute)', 60],
    ['ArchiveHistories', 'rate(1 minute)', 60],
    ['RescreenClients', 'rate(5 minutes)', 300],
  ])('%s runs at %s, and its events are given up after %i seconds', (name, rate, seconds) => {
    const target = sandbox.find('AWS::Lambda::Function', name);
    const RetryPolicy = { MaximumEventAgeInSeconds: seconds };

    sandbox.template.hasResourceProperties('AWS::Events::Rule', {
      ScheduleExpression: rate,
      Targets: [Match.objectLike({ Arn: { 'Fn::GetAtt': [target, 'Arn'] }, RetryPolicy })],
    });
    expect(lateRunsOf(target)).toMatchObject({ MaximumEventAgeInSeconds: seconds });
  });

  it('run again after a failure, and keep it in a queue, unless they run each minute anyway', () => {
    for (const [name, { everyMinutes }] of Object.entries(SCHEDULES)) {
      const target = sandbox.find('AWS::Lambda::Function', name);
      const { Properties } = sandbox.resources('AWS::Lambda::Function')[target]!;
      const { MaximumRetryAttempts: retries = 2 } = lateRunsOf(target);
      const kept = JSON.stringify(Properties.DeadLetterConfig ?? '');

      expect({ name, retries }).toEqual({ name, retries: everyMinutes === 1 ? 0 : 2 });
      expect(kept.includes('ScheduleDeadLetters'), name).toBe(everyMinutes > 1);
    }
  });

  it('are every function that a rule invokes, besides the simulators, which have the same limits', () => {
    const invoked = Object.values(sandbox.resources('AWS::Events::Rule'))
      .flatMap(({ Properties }) => Properties.Targets as { Arn: unknown }[])
      .flatMap(({ Arn }) => referencesOf(Arn).map(({ id }) => id));
    const limits = invoked.map((id) => Number(lateRunsOf(id).MaximumEventAgeInSeconds));

    expect(invoked).toHaveLength(Object.keys(SCHEDULES).length + 1);
    for (const seconds of limits) expect(seconds).toBeGreaterThanOrEqual(60);
  });

  /** The limits for the asynchronous events of a function. */
  function lateRunsOf(target: string) {
    const found = Object.values(sandbox.resources('AWS::Lambda::EventInvokeConfig')).filter(
      ({ Properties }) => referencesOf(Properties.FunctionName).some(({ id }) => id === target),
    );
    expect(found, target).toHaveLength(1);
    return found[0]!.Properties;
  }
});

describe('the tables', () => {
  it('have one key, and the indexes that the adapters query', () => {
    const simulators = sandbox.find('AWS::DynamoDB::Table', 'SimulatorsTable');
    const id = { AttributeName: 'id', KeyType: 'HASH' };
    const inFolder = [
      { AttributeName: 'folder', KeyType: 'HASH' },
      { AttributeName: 'id', KeyType: 'RANGE' },
    ];
    for (const [name, { Properties }] of Object.entries(sandbox.resources('AWS::DynamoDB::Table'))) {
      const { KeySchema, BillingMode, SSESpecification } = Properties;
      expect(KeySchema).toEqual(name === simulators ? inFolder : [id]);
      expect(BillingMode).toBe('PAY_PER_REQUEST');
      expect(SSESpecification).toMatchObject({ SSEEnabled: true, SSEType: 'KMS' });
    }
    const keysOf = (name: string) => {
      const { Properties } =
        sandbox.resources('AWS::DynamoDB::Table')[sandbox.find('AWS::DynamoDB::Table', name)]!;
      const [index] = Properties.GlobalSecondaryIndexes as { IndexName: string; KeySchema: Properties[] }[];
      return [index?.IndexName, ...(index?.KeySchema ?? []).map(({ AttributeName }) => AttributeName)];
    };
    expect(keysOf('TablesTransactions')).toEqual(['due', 'sweep', 'nextCheckAt']);
    expect(keysOf('TablesKycRecords')).toEqual(['due', 'sweep', 'nextCheckAt']);
    expect(keysOf('TablesEvents')).toEqual(['due', 'sweep', 'nextCheckAt']);
    expect(keysOf('TablesDeliveries')).toEqual(['due', 'due', 'lookAt']);
    sandbox.template.hasResourceProperties('AWS::DynamoDB::Table', {
      GlobalSecondaryIndexes: Match.arrayWith([
        Match.objectLike({
          IndexName: 'client',
          KeySchema: [
            { AttributeName: 'pendingClientId', KeyType: 'HASH' },
            { AttributeName: 'issuedAt', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'KEYS_ONLY' },
        }),
      ]),
    });
    sandbox.template.hasResourceProperties('AWS::DynamoDB::Table', {
      GlobalSecondaryIndexes: Match.arrayWith([
        Match.objectLike({
          IndexName: 'parked',
          KeySchema: [
            { AttributeName: 'parkedFor', KeyType: 'HASH' },
            { AttributeName: 'parkedAt', KeyType: 'RANGE' },
          ],
          Projection: { ProjectionType: 'ALL' },
        }),
      ]),
    });
  });
});

describe('an alarm', () => {
  it('has no metric that cannot occur: the state machine has no time limit of its own', () => {
    expect(readDefinition()).not.toHaveProperty('TimeoutSeconds');
    expect(Object.keys(sandbox.resources('AWS::CloudWatch::Alarm')).join()).not.toContain('TimedOut');
  });
});
