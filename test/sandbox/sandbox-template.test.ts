import { rmSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { GetQueueAttributesCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOnrampClient } from '../../client/onramp-client.ts';
import { CONDITIONS } from '../../functions/domain/watching/conditions.ts';
import { type Anvil, startAnvil } from '../../sandbox/chain/anvil.ts';
import { boot, type Cloud } from '../../sandbox/cloud/boot.ts';
import { LOCAL_ENVIRONMENT, STACK } from '../../sandbox/sandbox.ts';
import { localPartners, SANDBOX_API_KEY, seed, WEBHOOK_SECRET } from '../../sandbox/seed.ts';
import { synthesize } from '../../sandbox/synthesize.ts';
import { type Changeable, changedAssembly } from '../support/assemblies.ts';
import { pointsIn } from '../support/embedded-metrics.ts';
import { endOf, eventsOf, openPix, type Purchase } from '../support/purchases.ts';
import { eventually } from '../support/sandbox.ts';

type Statement = { Action: string | string[] };
type Index = { IndexName: string };

/** Removes six independent parts that a deployment could lack. Each test below shows the effect of one. */
function breakApart({ remove, propertiesOf }: Changeable): void {
  remove('OnrampApiv1laassandboxscenariosGET', 'AWS::ApiGateway::Method');
  remove('ProcessCallback', 'AWS::Lambda::EventSourceMapping');
  remove('OutboxPipe', 'AWS::Pipes::Pipe');
  // The alarm and the dashboard name the pipe, so they are removed with it.
  remove('AlarmsPipeFailed', 'AWS::CloudWatch::Alarm');
  remove('Dashboard', 'AWS::CloudWatch::Dashboard');
  const environment = propertiesOf('GetKycStatus', 'AWS::Lambda::Function').Environment;
  delete (environment as { Variables: Record<string, unknown> }).Variables.KYC_RECORDS_TABLE;
  const table = propertiesOf('TablesDeliveries', 'AWS::DynamoDB::Table');
  expect((table.GlobalSecondaryIndexes as Index[]).map(({ IndexName }) => IndexName)).toContain('due');
  delete table.GlobalSecondaryIndexes;
  table.AttributeDefinitions = [{ AttributeName: 'id', AttributeType: 'S' }];
  removeAction(propertiesOf('RefundPixPaymentRole', 'AWS::IAM::Role'), 'dynamodb:GetItem');
}

function removeAction({ Policies }: Record<string, unknown>, action: string): void {
  const documents = (Policies as { PolicyDocument: { Statement: Statement[] } }[]).map(
    ({ PolicyDocument }) => PolicyDocument,
  );
  for (const statement of documents.flatMap(({ Statement }) => Statement)) {
    statement.Action = [statement.Action].flat().filter((each) => each !== action);
  }
}

let anvil: Anvil;
let cloud: Cloud;
let assembly: string;
let purchase: Purchase;
const lines: string[] = [];

beforeAll(async () => {
  anvil = await startAnvil();
  assembly = changedAssembly(await synthesize({ minuteSeconds: 1, patience: 5 }), breakApart);
  // The schedules keep real minutes, so that no schedule repairs anything during the tests.
  const onLog = ({ line }: { line: string }) => lines.push(line);
  cloud = await boot({
    assembly,
    stackName: STACK,
    minuteMs: 60_000,
    onLog,
    environment: LOCAL_ENVIRONMENT,
  });
  await seed(cloud, { partners: localPartners(), webhookSecret: WEBHOOK_SECRET, rpcUrl: anvil.url });
  await cloud.invoke('ReconcilePix', {});
  // The service sells nothing until it has read the treasury.
  await cloud.invoke('ReadTreasuryFloat', {});
  const partner = { partnerId: 'demo', apiKey: SANDBOX_API_KEY, client: client() };
  purchase = await openPix({ partner });
});

afterAll(async () => {
  await cloud?.stop();
  await anvil?.stop();
  if (assembly) rmSync(assembly, { recursive: true });
});

function client() {
  const baseUrl = cloud.apis['onramp-sandbox']!;
  return createOnrampClient({ apiKey: SANDBOX_API_KEY, baseUrl, maxRetries: 0 });
}

function sqs() {
  const credentials = { accessKeyId: 'operator', secretAccessKey: 'operator' };
  return new SQSClient({ endpoint: cloud.endpoint, region: cloud.region, credentials });
}

async function messagesIn(queue: string): Promise<number> {
  const QueueUrl = cloud.physical(queue);
  const AttributeNames = ['ApproximateNumberOfMessages' as const];
  const { Attributes } = await sqs().send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames }));
  return Number(Attributes?.ApproximateNumberOfMessages);
}

/** The points of metrics, as CloudWatch would read them out of the lines. */
const points = () => pointsIn(lines.filter((line) => line.includes('"_aws"')));

/** The conditions that the functions have raised. */
const raised = () =>
  points()
    .filter(({ namespace, name }) => namespace === 'Onramp/sandbox' && name in CONDITIONS)
    .map(({ name }) => name);

describe('a sandbox that was booted from a template lacks exactly what the template lacks:', () => {
  test('without its Method a route is 404, and the next route works', async () => {
    const unknown = client().sandbox.scenarios();

    await expect(unknown).rejects.toMatchObject({ status: 404, code: 'NOT_FOUND' });
    expect(await client().sandbox.webhooks()).toEqual({ webhooks: [] });
  });

  test('without its variable a function answers 500, and names the variable only in the log', async () => {
    const broken = client().getKycStatus(purchase.kycToken);

    await expect(broken).rejects.toMatchObject({ status: 500, code: 'INTERNAL_ERROR', details: {} });
    await eventually(
      async () => lines.filter((line) => line.includes('the environment lacks KYC_RECORDS_TABLE')),
      ({ length }) => length > 0,
    );
    // A refused request raises nothing. This sandbox has published no lists, and uses its deployed copy.
    await expect(client().getTransactionStatus('unknown')).rejects.toMatchObject({ status: 404 });
    expect(new Set(raised())).toEqual(new Set(['RequestFailed', 'ListsUnreadable']));
  });

  test('without its index no row of a table is queued', async () => {
    const { error, payload } = await cloud.invoke('QueueDueDeliveries', {});

    expect(error).toBe('ValidationException');
    expect(JSON.stringify(payload)).toMatch(/index/i);
  });

  test('without its grant a function cannot make the call, and another function can', async () => {
    const { transactionId } = purchase;
    const denied = await cloud.invoke('RefundPixPayment', { transactionId });
    const neighbour = await cloud.invoke('ExpireTransaction', { transactionId });

    expect(denied.error).toBe('AccessDeniedException');
    expect(JSON.stringify(denied.payload)).toContain('dynamodb:GetItem');
    expect(neighbour).toEqual({ payload: { transactionId, status: 'AWAITING_PIX' } });
  });

  test('without its event source a queue is not processed, and reconciliation finds the payment', async () => {
    const { transactionId } = purchase;
    await client().sandbox.pay(transactionId);

    await eventually(
      () => messagesIn('QueuesCallback'),
      (count) => count === 1,
    );
    const told = await client().getTransactionStatus(transactionId);
    const { payload } = await cloud.invoke('ReconcilePix', {});
    // The service sells nothing until it has read the treasury.
    await cloud.invoke('ReadTreasuryFloat', {});

    expect(told.status).toBe('AWAITING_PIX');
    expect(payload).toEqual({ received: 1, recovered: 1 });
    expect((await endOf(purchase, ['COMPLETED'])).status).toBe('COMPLETED');
    await eventually(
      async () => points().filter(({ dimensions }) => dimensions.asset !== undefined),
      (settled) => settled.length === 1 && settled[0]!.name === 'TimeToSettle' && settled[0]!.value > 0,
    );
  });

  test('without the Pipe an event becomes a webhook only when it is put into the queue by hand', async () => {
    await endOf(purchase, ['COMPLETED']);
    // With a pipe the event would arrive in a tenth of this time.
    await wait(1000);
    const told = await client().sandbox.webhooks();
    const MessageBody = JSON.stringify({ eventId: `${purchase.transactionId}.1` });
    const waiting = await messagesIn('QueuesWebhook');

    await sqs().send(new SendMessageCommand({ QueueUrl: cloud.physical('QueuesWebhook'), MessageBody }));

    expect({ told, waiting }).toEqual({ told: { webhooks: [] }, waiting: 0 });
    expect(await eventsOf(purchase, 1)).toMatchObject([{ type: 'transaction.processing' }]);
  });
});
