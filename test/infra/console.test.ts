import { App } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeAll, describe, expect, it } from 'vitest';
import { consoleOf } from '../../infra/console-settings.ts';
import { STAGES } from '../../infra/stage.ts';
import { ROLES } from '../../operations/console/roles.ts';
import { matchesWildcard } from '../../sandbox/cloud/wire.ts';
import { type Properties, type Synthesized, synthesized } from './synthesized.ts';

const CERTIFICATE = 'arn:aws:acm:sa-east-1:000000000000:certificate/6c8b0a0e-0000-4000-8000-000000000001';
const DOMAIN = { name: 'console.example.com', certificateArn: CERTIFICATE };
const ISSUER = { url: 'https://login.example.com/', clientId: 'onramp', claim: 'groups' };
const GROUPS = { viewer: 'viewer', operator: 'operator', compliance: 'compliance', admin: 'admin' };

const consoleApiOf = ({ resources }: Synthesized) =>
  Object.entries(resources('AWS::ApiGateway::RestApi')).find(([id]) => id.startsWith('Console'))!;
/** The setting `consoleSignIn`, with references as text. */
const signInOf = (made: Synthesized) =>
  JSON.stringify(made.environmentOf('ConsoleFunction').CONSOLE_SIGN_IN).replaceAll('\\', '');
const only = ({ resources }: Synthesized, type: string): Properties =>
  Object.values(resources(type))[0]!.Properties;

it.each(STAGES)('%s has no console by default', async (stage) => {
  const { resources } = await synthesized(stage);

  for (const type of [
    'Lambda::Function',
    'ApiGateway::RestApi',
    'Cognito::UserPool',
    'SecretsManager::Secret',
  ])
    expect(Object.keys(resources(`AWS::${type}`)).filter((id) => id.startsWith('Console'))).toEqual([]);
});

// docs/security.md, "Least privilege"
describe('a console without an issuer', () => {
  let made: Synthesized;
  beforeAll(async () => {
    made = await synthesized('production', { isValidated: true, console: { production: {} } });
  });

  it('meets CloudFormation’s rules and AWS’s checklist, or has a reason for each exception', () => {
    const { violations } = new AwsSolutionsChecks(made.app).validateScope(made.app);
    const own = violations.flatMap(({ ruleName, violatingResources }) =>
      violatingResources.map((found) => [ruleName, found.constructPath]),
    );

    expect(own.filter(([, path]) => String(path).includes('Console'))).toEqual([]);
  });

  it('has people who cannot sign up, who have a second factor, and who stay', () => {
    expect(only(made, 'AWS::Cognito::UserPool')).toMatchObject({
      AdminCreateUserConfig: { AllowAdminCreateUserOnly: true },
      MfaConfiguration: 'ON',
      EnabledMfas: ['SOFTWARE_TOKEN_MFA'],
      DeletionProtection: 'ACTIVE',
    });
    const groups = Object.values(made.resources('AWS::Cognito::UserPoolGroup'));
    expect(groups.map(({ Properties }) => Properties.GroupName).sort()).toEqual([...ROLES].sort());
  });

  it('has a client without a secret, for the code alone and for this address alone', () => {
    const { CallbackURLs, ...client } = only(made, 'AWS::Cognito::UserPoolClient');

    expect(client).toMatchObject({
      GenerateSecret: false,
      AllowedOAuthFlows: ['code'],
      PreventUserExistenceErrors: 'ENABLED',
    });
    expect(JSON.stringify(CallbackURLs)).toContain('/console/sign-in/callback');
  });

  it('gives nobody a token by which people could change their own e-mail address', () => {
    const { ExplicitAuthFlows, AllowedOAuthScopes } = only(made, 'AWS::Cognito::UserPoolClient');

    expect(ExplicitAuthFlows).toEqual(['ALLOW_REFRESH_TOKEN_AUTH']);
    expect(AllowedOAuthScopes).toEqual(['openid', 'email', 'profile']);
  });

  it('takes the role from the groups of that pool', () => {
    const signIn = signInOf(made);

    expect(signIn).toContain('"https://cognito-idp.sa-east-1.');
    expect(signIn).toContain(JSON.stringify({ claim: 'cognito:groups', groups: GROUPS }));
  });

  it('has the state in the first stack', () => {
    expect(Object.keys(made.state.node.findChild('Console').node.children)).not.toEqual([]);
    expect(made.state.console?.people).toBeDefined();
  });

  const written = (action: string) =>
    made
      .statementsOf('ConsoleFunction')
      .filter(({ Action }) => [Action].flat().includes(action))
      .map(({ Resource, Condition }) => {
        const tables = JSON.stringify(Resource).match(/(?<=Tables)[A-Z]\w+?(?=[0-9A-F]{8})/g) ?? [];
        const conditions = Condition as Record<string, Record<string, string[]>> | undefined;
        return {
          tables,
          attributes: conditions?.['ForAllValues:StringEquals']?.['dynamodb:Attributes'],
          ids: conditions?.['ForAllValues:StringLike']?.['dynamodb:LeadingKeys'],
        };
      });

  it('signs, sends and deletes nothing', () => {
    const actions = new Set(made.statementsOf('ConsoleFunction').flatMap(({ Action }) => Action));

    expect([...actions].sort()).toEqual([
      'dynamodb:BatchGetItem',
      'dynamodb:GetItem',
      'dynamodb:PutItem',
      'dynamodb:Query',
      'dynamodb:Scan',
      'dynamodb:UpdateItem',
      'kms:Decrypt',
      'kms:GetPublicKey',
      'logs:CreateLogStream',
      'logs:PutLogEvents',
      's3:GetObject',
      's3:ListBucket',
      'secretsmanager:GetSecretValue',
      'states:DescribeExecution',
      'states:DescribeStateMachine',
      'states:GetExecutionHistory',
      'xray:PutTelemetryRecords',
      'xray:PutTraceSegments',
    ]);
  });

  // docs/security.md, "Least privilege"
  it('puts only rows that acts make, and changes only the attributes of acts', () => {
    const updates = written('dynamodb:UpdateItem');

    const put = written('dynamodb:PutItem').flatMap(({ tables }) => tables);
    expect([...new Set(put)].sort()).toEqual([
      'Acts',
      'Deliveries',
      'EndedSessions',
      'Events',
      'Evidence',
      'Ledger',
      'Partners',
      'PersonBlocks',
      'Settlements',
    ]);
    const limited = written('dynamodb:PutItem').filter(({ ids, attributes }) => ids ?? attributes);
    expect(limited.flatMap(({ tables }) => tables).sort()).toEqual([
      'Deliveries',
      'Ledger',
      'Partners',
      'PersonBlocks',
      'Settlements',
    ]);
    expect(updates.every(({ attributes }) => Array.isArray(attributes))).toBe(true);
    const all = updates.flatMap(({ attributes }) => attributes);
    for (const attribute of [
      'txHash',
      'attempts',
      'nonce',
      'disposition',
      'cpfCipher',
      'totpCipher',
      'sha256',
    ])
      expect(all).not.toContain(attribute);
  });

  // docs/security.md, "Least privilege"
  it.each([
    ['Ledger', ['case#RETURNED_OUTSIDE', 'E1#RECOVERED#D1'], ['T#SETTLED', 'E1#TAKEN_BACK#D1']],
    ['Partners', ['KEY#acme#one'], ['PARTNER#acme']],
    ['PersonBlocks', ['f'.repeat(64)], [`HOLD#${'f'.repeat(64)}`, `MED#${'f'.repeat(64)}`]],
    ['Deliveries', ['T.1#we_1', 'acme.we_1.4711#we_1'], ['PACE#acme#ab', 'FAILING#acme#we_1#ab']],
  ])('puts rows of %s with ids such as %j, and none such as %j', (table, own, others) => {
    const patterns = written('dynamodb:PutItem').find(({ tables }) => tables[0] === table)!.ids!;
    const mayPut = (id: string) => patterns.some((pattern) => matchesWildcard(pattern, id));

    expect(own.map(mayPut)).toEqual(own.map(() => true));
    expect(others.map(mayPut)).toEqual(others.map(() => false));
  });

  it('opens the data of clients alone, not the secrets of webhooks, TOTP or payouts', () => {
    const opens = made
      .statementsOf('ConsoleFunction')
      .filter(({ Action }) => [Action].flat().includes('kms:Decrypt'));

    expect(opens.map(({ Condition }) => Condition)).toEqual([
      { StringEquals: { 'kms:EncryptionContext:purpose': 'client' } },
    ]);
  });

  it('reads the nodes of the chain, the key of keyed hashes and its own key, and no key of a provider', () => {
    const read = made
      .statementsOf('ConsoleFunction')
      .filter(({ Action }) => [Action].flat().includes('secretsmanager:GetSecretValue'))
      .map(({ Resource }) => JSON.stringify(Resource));

    expect(read.join()).toMatch(/ConsoleKey/);
    expect(read.join()).toMatch(/SecretsChain/);
    expect(read.join()).toMatch(/Lookup/);
    expect(read.join()).not.toMatch(/Pix|Identity|Registry|Screening/);
  });

  it('is the stage “console” of its API, whose address is an output', () => {
    const [id, { Properties }] = consoleApiOf(made);

    expect(Properties.DisableExecuteApiEndpoint).toBe(false);
    const stages = Object.values(made.resources('AWS::ApiGateway::Stage'));
    const own = stages.find(({ Properties: stage }) => (stage.RestApiId as { Ref: string }).Ref === id);
    expect(own?.Properties.StageName).toBe('console');
    expect(JSON.stringify(made.template.findOutputs('ConsoleUrl'))).toContain('/console"');
  });
});

describe('a console with an issuer and a domain', () => {
  let made: Synthesized;
  beforeAll(async () => {
    const groups = { admin: 'onramp-admins' };
    const settings = { domain: DOMAIN, issuer: { ...ISSUER, groups } };
    made = await synthesized('production', { console: { production: settings } });
  });

  it('signs people in there, and has no pool', () => {
    expect(made.resources('AWS::Cognito::UserPool')).toEqual({});
    expect(JSON.parse(String(made.environmentOf('ConsoleFunction').CONSOLE_SIGN_IN))).toEqual({
      address: 'https://console.example.com/console',
      issuer: ISSUER.url,
      clientId: ISSUER.clientId,
      roles: { claim: 'groups', groups: { ...GROUPS, admin: 'onramp-admins' } },
    });
  });

  it('has its domain as its only address', () => {
    const [id, { Properties }] = consoleApiOf(made);

    expect(Properties.DisableExecuteApiEndpoint).toBe(true);
    made.template.hasResourceProperties('AWS::ApiGateway::BasePathMapping', {
      RestApiId: { Ref: id },
      BasePath: 'console',
    });
    made.template.hasOutput('ConsoleUrl', { Value: 'https://console.example.com/console' });
  });
});

describe('the setting', () => {
  const of = (stage: 'sandbox' | 'production', given: unknown) =>
    consoleOf(stage, new App({ context: { console: { [stage]: given } } }).node);

  it.each([
    [{ issuer: { ...ISSUER, url: 'http://login.example.com' } }, 'issuer.url'],
    [{ issuer: { ...ISSUER, url: 'login.example.com' } }, 'issuer.url'],
    [{ issuer: { ...ISSUER, clientId: '' } }, 'issuer.clientId'],
    [{ issuer: { url: ISSUER.url, clientId: 'onramp' } }, 'issuer.claim'],
    [{ issuer: { ...ISSUER, groups: { root: 'root' } } }, 'issuer.groups'],
    [{ domain: { ...DOMAIN, name: 'https://console.example.com' } }, 'domain.name'],
    [{ password: 'x' }, 'all'],
  ])('%j is refused with the name of its field', (given, field) => {
    expect(() => of('production', given)).toThrow(`In cdk.json console of production: ${field}`);
  });

  it('allows an issuer without TLS only to a sandbox, whose issuer may be simulated', () => {
    const given = { issuer: { ...ISSUER, url: 'http://127.0.0.1:9000' } };

    expect(of('sandbox', given)?.issuer?.groups).toEqual(GROUPS);
  });
});
