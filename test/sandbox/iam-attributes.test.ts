import { beforeAll, describe, expect, test } from 'vitest';
import { dynamodbNeeds } from '../../sandbox/cloud/dynamodb.ts';
import { type Iam, readIam } from '../../sandbox/cloud/iam.ts';
import { loadTemplate, type Template } from '../../sandbox/cloud/template.ts';
import { synthesized } from '../infra/synthesized.ts';

let template: Template;
let iam: Iam;
beforeAll(async () => {
  const { outdir, stack } = await synthesized('sandbox');
  template = loadTemplate(outdir, stack.stackName);
  // A table's stream gets its ARN only when the table runs, so the test gives one.
  for (const { logicalId } of template.ofType('AWS::DynamoDB::Table'))
    template.learn(logicalId, { StreamArn: `${template.attribute(logicalId, 'Arn')}/stream/now` });
  iam = readIam(template);
});

const idOf = (type: string, name: string) =>
  template.ofType(type).find(({ logicalId }) => new RegExp(`^${name}[0-9A-F]{8}$`).test(logicalId))!
    .logicalId;

/** True when the template's policies let the function send the request to the table. */
function may(name: string, operation: string, table: string, request: object): boolean {
  const roleArn = template.attribute(idOf('AWS::IAM::Role', `${name}Role`), 'Arn');
  const TableName = template.ref(idOf('AWS::DynamoDB::Table', table));
  const needs = dynamodbNeeds(operation, { ...request, TableName });
  return needs.every((need) => iam.isAllowed({ roleArn }, need));
}

describe('a function that may change some attributes', () => {
  const Key = { id: { S: 'x' } };
  const changing = (UpdateExpression: string, more: object = {}) => ({ Key, UpdateExpression, ...more });

  test('can change them, with conditions about them', () => {
    const request = changing('SET #liveness = :liveness', {
      ConditionExpression: '#status = :awaiting AND #liveness.attempt = :was',
      ExpressionAttributeNames: { '#liveness': 'liveness', '#status': 'status' },
    });

    expect(may('GetTransactionStatus', 'UpdateItem', 'TablesTransactions', request)).toBe(true);
  });

  test.each([
    ['another beside them', changing('SET liveness = :liveness, riskTier = :tier')],
    [
      'another by a name that stands for it',
      changing('SET #a = :a', { ExpressionAttributeNames: { '#a': 'pix' } }),
    ],
    ['one that is removed', changing('SET liveness = :liveness REMOVE nextCheckAt')],
    [
      'one in a condition',
      changing('SET liveness = :a', { ConditionExpression: 'attribute_exists(pix.payload)' }),
    ],
    ['one that is taken over', changing('SET liveness = if_not_exists(history, :a)')],
    ['one in the old form', { Key, AttributeUpdates: { amountCentavos: { Value: { N: '1' } } } }],
  ])('is refused %s', (_, request) => {
    expect(may('GetTransactionStatus', 'UpdateItem', 'TablesTransactions', request)).toBe(false);
  });

  test('can make no API key of the operators, with any request', () => {
    const status = changing('SET #s = :s', {
      ConditionExpression: 'attribute_exists(id)',
      ExpressionAttributeNames: { '#s': 'status' },
    });
    const digest = changing('SET #s = :s, sha256 = :digest', {
      ExpressionAttributeNames: { '#s': 'status' },
    });
    const Item = { id: { S: 'KEY#acme#mine' }, sha256: { S: 'ab' } };

    for (const name of [
      'RevokeApiKey',
      'AddWebhookEndpoint',
      'RemoveWebhookEndpoint',
      'RotateWebhookSecret',
      'MakeApiKey',
    ]) {
      expect(may(name, 'UpdateItem', 'TablesPartners', status), name).toBe(true);
      expect(may(name, 'UpdateItem', 'TablesPartners', digest), name).toBe(false);
      expect(may(name, 'UpdateItem', 'TablesPartners', changing('SET spreadBasisPoints = :none'))).toBe(
        false,
      );
      expect(may(name, 'PutItem', 'TablesPartners', { Item }), name).toBe(false);
    }
  });

  test('has the same limits in a transaction', () => {
    const TableName = template.ref(idOf('AWS::DynamoDB::Table', 'TablesPartners'));
    const roleArn = template.attribute(idOf('AWS::IAM::Role', 'RevokeApiKeyRole'), 'Arn');
    const asked = (UpdateExpression: string) =>
      dynamodbNeeds('TransactWriteItems', {
        TransactItems: [
          {
            ConditionCheck: {
              TableName,
              Key,
              ConditionExpression: '#s = :a',
              ExpressionAttributeNames: { '#s': 'status' },
            },
          },
          { Update: { TableName, Key, UpdateExpression, ExpressionAttributeNames: { '#s': 'status' } } },
        ],
      }).map((need) => iam.isAllowed({ roleArn }, need));

    expect(asked('SET #s = :r')).toEqual([true, true]);
    expect(asked('SET #s = :r, sha256 = :d')).toEqual([true, false]);
  });
});
