import { App } from 'aws-cdk-lib';
import { Annotations, Match } from 'aws-cdk-lib/assertions';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import { edgeOf } from '../../infra/edge-settings.ts';
import { STAGES } from '../../infra/stage.ts';
import { type Properties, type Resources, type Synthesized, synthesized } from './synthesized.ts';

const CERTIFICATE = 'arn:aws:acm:sa-east-1:000000000000:certificate/6c8b0a0e-0000-4000-8000-000000000001';
const CALLBACK_DOMAIN = {
  name: 'pix.example.com',
  certificateArn: CERTIFICATE,
  trustStore: { key: 'truststore.pem', version: 'aVersion' },
};

const apisOf = ({ resources }: Synthesized): Resources => resources('AWS::ApiGateway::RestApi');
const apiOf = (made: Synthesized, id: string) =>
  Object.entries(apisOf(made)).find(([name]) => name.startsWith(id))!;

// docs/security.md, "Providers calling us"
describe('the API of the payment provider’s callbacks', () => {
  let production: Synthesized;
  beforeAll(async () => {
    production = await synthesized('production', {
      edge: { production: { callbackDomain: CALLBACK_DOMAIN } },
    });
  });

  it('asks for a certificate of the trust store, at its own domain', () => {
    production.template.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'pix.example.com',
      RegionalCertificateArn: CERTIFICATE,
      EndpointConfiguration: { Types: ['REGIONAL'] },
      SecurityPolicy: 'TLS_1_2',
      MutualTlsAuthentication: {
        TruststoreUri: {
          'Fn::Join': [
            '',
            ['s3://', { Ref: Match.stringLikeRegexp('^TrustStoreBucket') }, '/truststore.pem'],
          ],
        },
        TruststoreVersion: 'aVersion',
      },
    });
    const [id] = apiOf(production, 'CallbackApi');
    production.template.hasResourceProperties('AWS::ApiGateway::BasePathMapping', { RestApiId: { Ref: id } });
    expect(production.state.node.tryFindChild('TrustStore')).toBeDefined();
  });

  it('has no other address, so that no caller goes round the certificate', () => {
    expect(apiOf(production, 'CallbackApi')[1].Properties.DisableExecuteApiEndpoint).toBe(true);
    expect(apiOf(production, 'OnrampApi')[1].Properties.DisableExecuteApiEndpoint).toBe(false);
  });

  it('is the address that the service registers at the provider', () => {
    expect(production.environmentOf('ReconcilePix').CALLBACK_URL).toBe(
      'https://pix.example.com/callbacks/pix',
    );
  });

  it('has the route of that provider alone: the identity provider signs, and has no certificate', () => {
    const [id] = apiOf(production, 'CallbackApi');
    const methods = Object.values(production.resources('AWS::ApiGateway::Method'))
      .map(({ Properties }) => Properties)
      .filter(({ RestApiId }) => (RestApiId as { Ref: string }).Ref === id);

    expect(methods).toHaveLength(1);
    expect(JSON.stringify(methods[0]!.Integration)).toContain(
      `"${production.find('AWS::Lambda::Alias', 'PixReceivedAliaslive')}"`,
    );
  });

  it('has a plain address in a sandbox, whose simulated provider has no certificate', async () => {
    const sandbox = await synthesized('sandbox');
    const [id, { Properties }] = apiOf(sandbox, 'CallbackApi');

    expect(sandbox.resources('AWS::ApiGateway::DomainName')).toEqual({});
    expect(Properties.DisableExecuteApiEndpoint).toBe(false);
    expect(JSON.stringify(sandbox.environmentOf('ReconcilePix').CALLBACK_URL)).toContain(`{"Ref":"${id}"}`);
  });
});

describe('production without the domain of callbacks', () => {
  it('is not deployed, and the error names the setting', async () => {
    const { stack, state } = await synthesized('production');

    Annotations.fromStack(stack).hasError(
      '*',
      Match.stringLikeRegexp('edge\\.production\\.callbackDomain is missing'),
    );
    Annotations.fromStack(state).hasNoError('*', Match.anyValue());
  });

  it('has an address only for a deployment that is refused', async () => {
    const { stack } = await synthesized('production', {
      edge: { production: { callbackDomain: CALLBACK_DOMAIN } },
    });

    Annotations.fromStack(stack).hasNoError('*', Match.anyValue());
  });
});

describe('what is off by default', () => {
  it.each(STAGES)('is in no template of %s', async (stage) => {
    const { resources, template } = await synthesized(stage);

    expect(resources('AWS::WAFv2::WebACL')).toEqual({});
    expect(resources('AWS::ApiGateway::DomainName')).toEqual({});
    expect(JSON.stringify(template.toJSON())).not.toContain('ReservedConcurrentExecutions');
  });
});

describe('a stage with all of it', () => {
  let made: Synthesized;
  beforeAll(async () => {
    const edge = {
      accountConcurrency: 1000,
      reservedConcurrency: { SettleStablecoin: 100, ProcessCallback: 20 },
      callbackDomain: CALLBACK_DOMAIN,
      apiDomain: { name: 'api.example.com', certificateArn: CERTIFICATE },
      requestsPerIp: 3000,
    };
    made = await synthesized('production', { isValidated: true, edge: { production: edge } });
  });

  it('answers partners at its domain alone', () => {
    const [id, { Properties }] = apiOf(made, 'OnrampApi');

    expect(Properties.DisableExecuteApiEndpoint).toBe(true);
    made.template.hasResourceProperties('AWS::ApiGateway::BasePathMapping', { RestApiId: { Ref: id } });
    made.template.hasOutput('ApiUrl', { Value: 'https://api.example.com' });
    made.template.hasOutput('CallbackDomainTarget', {});
    const [partners] = Object.values(made.resources('AWS::ApiGateway::DomainName')).filter(
      ({ Properties: { DomainName } }) => DomainName === 'api.example.com',
    );
    expect(partners!.Properties).not.toHaveProperty('MutualTlsAuthentication');
  });

  it('limits the requests of an address in the envelope, except the callbacks of a provider', () => {
    const [acl] = Object.values(made.resources('AWS::WAFv2::WebACL'));
    const { Rules, CustomResponseBodies } = acl!.Properties as {
      Rules: { Name: string; Statement: Record<string, Properties>; Action?: unknown }[];
      CustomResponseBodies: { TooManyRequests: { Content: string } };
    };
    const [rate, common] = Rules;

    expect(rate!.Statement.RateBasedStatement).toMatchObject({
      Limit: 3000,
      AggregateKeyType: 'IP',
      EvaluationWindowSec: 300,
    });
    expect(rate!.Action).toMatchObject({ Block: { CustomResponse: { ResponseCode: 429 } } });
    expect(JSON.parse(CustomResponseBodies.TooManyRequests.Content)).toMatchObject({
      success: false,
      error: { code: 'RATE_LIMIT_EXCEEDED', details: {} },
    });
    for (const { Statement } of [rate!, common!])
      expect(JSON.stringify(Statement)).toMatch(
        /"ScopeDownStatement":\{"NotStatement":.*"SearchString":"\/callbacks\/identity"/,
      );
  });

  it('has AWS’s common rules, of which those that break our requests only count', () => {
    const [acl] = Object.values(made.resources('AWS::WAFv2::WebACL'));
    const group = JSON.stringify(acl!.Properties.Rules);

    expect(group).toContain('"AWSManagedRulesCommonRuleSet"');
    expect(group).toContain('{"ActionToUse":{"Count":{}},"Name":"SizeRestrictions_BODY"}');
    const [association] = Object.values(made.resources('AWS::WAFv2::WebACLAssociation'));
    expect(JSON.stringify(association!.Properties.ResourceArn)).toContain(`"${apiOf(made, 'OnrampApi')[0]}"`);
  });

  it('reserves concurrency for functions of the money path, and no queue uses more', () => {
    const reservedOf = (name: string) =>
      made.resources('AWS::Lambda::Function')[made.find('AWS::Lambda::Function', name)]!.Properties
        .ReservedConcurrentExecutions;

    expect(reservedOf('SettleStablecoin')).toBe(100);
    expect(reservedOf('ProcessCallback')).toBe(20);
    expect(reservedOf('SubmitKyc')).toBeUndefined();
    expect(atOnceIn(made)).toEqual({ ProcessCallback: 20, DeliverWebhook: 100 });
  });

  it('meets AWS’s checklist', () => {
    const { violations } = new AwsSolutionsChecks(made.app).validateScope(made.app);

    expect(violations.map(({ ruleName }) => ruleName)).toEqual([]);
  });
});

/** How many runs of a consumer its queue starts at once. */
function atOnceIn({ resources, find }: Synthesized): Record<string, number> {
  const mappings = Object.values(resources('AWS::Lambda::EventSourceMapping')).map(
    ({ Properties }) => Properties,
  );
  const limitOf = (name: string) => {
    const id = find('AWS::Lambda::Alias', `${name}Aliaslive`);
    const { ScalingConfig } = mappings.find(({ FunctionName }) => JSON.stringify(FunctionName).includes(id))!;
    return [name, (ScalingConfig as { MaximumConcurrency: number }).MaximumConcurrency];
  };
  return Object.fromEntries(['ProcessCallback', 'DeliverWebhook'].map(limitOf));
}

// https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html
it.each([
  [10, { ProcessCallback: 2, DeliverWebhook: 2 }],
  [1000, { ProcessCallback: 50, DeliverWebhook: 100 }],
  [50_000, { ProcessCallback: 1000, DeliverWebhook: 1000 }],
])('queues use a share of an account of %i', async (accountConcurrency, expected) => {
  expect(atOnceIn(await synthesized('sandbox', { edge: { sandbox: { accountConcurrency } } }))).toEqual(
    expected,
  );
});

describe('a method', () => {
  it('has a limit of its own, which is lower where a request costs money', async () => {
    const { resources } = await synthesized('sandbox');
    const stages = Object.entries(resources('AWS::ApiGateway::Stage'));
    const settingsOf = (api: string) =>
      stages.find(([id]) => id.startsWith(api))![1].Properties.MethodSettings;
    const limit = (HttpMethod: string, ResourcePath: string, rate: number, burst: number) =>
      expect.objectContaining({
        HttpMethod,
        ResourcePath,
        ThrottlingRateLimit: rate,
        ThrottlingBurstLimit: burst,
      });

    expect(settingsOf('OnrampApi')).toEqual(
      expect.arrayContaining([
        limit('*', '/*', 500, 1000),
        limit('POST', '/~1v1~1laas~1kyc~1submit', 50, 100),
        limit('POST', '/~1v1~1laas~1transactions~1initiate', 100, 200),
        limit('POST', '/~1callbacks~1identity', 200, 400),
        limit('GET', '/~1openapi.json', 50, 100),
        limit('GET', '/~1liveness~1{id}~1{token}', 200, 400),
      ]),
    );
    expect(settingsOf('CallbackApi')).toEqual(
      expect.arrayContaining([limit('POST', '/~1callbacks~1pix~1{token}~1pix', 200, 400)]),
    );
  });
});

describe('the setting `edge`', () => {
  const edgeWith = (fields: object) =>
    edgeOf('production', new App({ context: { edge: { production: fields } } }).node);

  it('may reserve all but a hundred', () => {
    const reservedConcurrency = { SettleStablecoin: 900 };

    expect(edgeWith({ accountConcurrency: 1000, reservedConcurrency })).toMatchObject({
      reservedConcurrency,
    });
  });

  it.each([
    [
      'a name with a scheme',
      { callbackDomain: { ...CALLBACK_DOMAIN, name: 'https://pix.example.com' } },
      /name/,
    ],
    ['no ARN', { callbackDomain: { ...CALLBACK_DOMAIN, certificateArn: 'abc' } }, /certificateArn/],
    ['no version', { callbackDomain: { ...CALLBACK_DOMAIN, trustStore: { key: 'a.pem' } } }, /version/],
    [
      'a reservation that leaves too little',
      { accountConcurrency: 1000, reservedConcurrency: { SettleStablecoin: 901 } },
      /901 of 1000/,
    ],
    [
      'a reservation in a new account',
      { accountConcurrency: 10, reservedConcurrency: { SettleStablecoin: 2 } },
      /leave less than 100/,
    ],
    [
      'a reservation of a function off the money path',
      { reservedConcurrency: { SubmitKyc: 2 } },
      /SubmitKyc/,
    ],
    ['an unknown field', { callbackDomian: CALLBACK_DOMAIN }, /callbackDomian/],
  ])('is refused with %s', (_, fields, message) => {
    expect(() => edgeWith(fields)).toThrow(message);
  });
});
