import type { HistoryEvent } from '@aws-sdk/client-sfn';
import { describe, expect, test } from 'vitest';
import { localChain } from '../../sandbox/chain/deploy.ts';
import { personaOf } from '../../sandbox/providers/persona.ts';
import { WEBHOOK_SECRET } from '../../sandbox/seed.ts';
import { executionsIn, statesOf } from '../support/executions.ts';
import { pspAt } from '../support/psp.ts';
import { endOf, openPurchase } from '../support/purchases.ts';
import { sandbox, totpCode } from '../support/sandbox.ts';

const OF_DATA = ['input', 'inputDetails', 'output', 'outputDetails'];
const ENTERED = ['stateEnteredEventDetails', 'name', 'input', 'inputDetails'];
const EXITED = ['stateExitedEventDetails', 'name', 'output', 'outputDetails'];
const OF_TASK = ['resourceType', 'resource'];

/** AWS Step Functions API Reference, `HistoryEvent`: the types that a purchase uses, and their fields. */
const AWS_EVENTS: Record<string, readonly string[]> = {
  ExecutionStarted: ['executionStartedEventDetails', 'input', 'inputDetails', 'roleArn'],
  ExecutionSucceeded: ['executionSucceededEventDetails', 'output', 'outputDetails'],
  ChoiceStateEntered: ENTERED,
  ChoiceStateExited: EXITED,
  TaskStateEntered: ENTERED,
  TaskStateExited: EXITED,
  TaskScheduled: ['taskScheduledEventDetails', ...OF_TASK, 'region', 'parameters', 'timeoutInSeconds'],
  TaskStarted: ['taskStartedEventDetails', ...OF_TASK],
  TaskSubmitted: ['taskSubmittedEventDetails', ...OF_TASK, 'output', 'outputDetails'],
  TaskSucceeded: ['taskSucceededEventDetails', ...OF_TASK, 'output', 'outputDetails'],
  LambdaFunctionScheduled: [
    'lambdaFunctionScheduledEventDetails',
    ...['resource', 'input', 'inputDetails', 'timeoutInSeconds'],
  ],
  LambdaFunctionStarted: [],
  LambdaFunctionSucceeded: ['lambdaFunctionSucceededEventDetails', 'output', 'outputDetails'],
  LambdaFunctionFailed: ['lambdaFunctionFailedEventDetails', 'error', 'cause'],
};

/** The bytes that the SDK reads. The SDK drops unknown fields. */
async function wireHistory(executionArn: string): Promise<Record<string, unknown>[]> {
  const response = await fetch(sandbox().awsEndpoint, {
    method: 'POST',
    headers: {
      authorization: 'AWS4-HMAC-SHA256 Credential=operator/20261120/us-east-1/states/aws4_request',
      'x-amz-target': 'AWSStepFunctions.GetExecutionHistory',
    },
    body: JSON.stringify({ executionArn, maxResults: 1000 }),
  });
  return ((await response.json()) as { events: Record<string, unknown>[] }).events;
}

async function completedPurchase() {
  const purchase = await openPurchase();
  const { client, transactionId, otpauthUri } = purchase;
  const code = totpCode(otpauthUri);
  const { pixPayload } = await client.confirmMfa({ transactionId, totpCode: code });
  await client.sandbox.pay(transactionId);
  return { ...purchase, code, pixPayload: pixPayload!, done: await endOf(purchase, ['COMPLETED']) };
}

/** The output of each state, by its name. */
function outputsOf(history: HistoryEvent[]): Map<string, Record<string, unknown>> {
  const exits = history.flatMap(({ stateExitedEventDetails }) => stateExitedEventDetails ?? []);
  return new Map(exits.map(({ name = '', output = 'null' }) => [name, JSON.parse(output)]));
}

describe('the history of an execution', () => {
  // Spec, What the service does: "on-chain risk check on the destination wallet"
  // Spec, Transaction states: "Before the Pix payment is confirmed"
  // docs/decisions.md, "Paid, then failed"
  test('shows each decision of a purchase in the words of AWS, and nothing personal', async () => {
    const purchase = await completedPurchase();
    const { transactionId, done } = purchase;
    const executions = executionsIn(sandbox());

    const description = await executions.describe(transactionId);
    const history = await executions.historyOf(transactionId);
    const wire = await wireHistory(executions.arnOf(transactionId));

    expect(description).toMatchObject({ name: transactionId, status: 'SUCCEEDED' });
    await expectDecisions(history, purchase);
    expect(JSON.parse(description.output!)).toMatchObject({ status: 'COMPLETED', txHash: done.txHash });
    expectWordsOfAws(wire);
    expect(wire).toHaveLength(history.length);
    expectNothingPersonal(JSON.stringify([description, wire]), purchase);
    // AWS records the parameters of a waiting task with its token. Nothing of ours may repeat the token.
    const others = wire.filter(({ type }) => type !== 'TaskScheduled');
    expect(others.length).toBeLessThan(wire.length);
    expect(JSON.stringify(others)).not.toMatch(/AQ[\w-]{60}/);
  });
});

type Completed = Awaited<ReturnType<typeof completedPurchase>>;

async function expectDecisions(history: HistoryEvent[], { transactionId, done }: Completed): Promise<void> {
  const outputs = outputsOf(history);
  const charge = await pspAt(sandbox()).charge(transactionId);

  expect(statesOf(history)).toEqual([
    ...['WhatNow', 'AwaitAuthentication', 'WhatNow', 'AwaitPixPayment', 'WhatNow', 'CheckWalletRisk'],
    ...['ConfirmPixPayment', 'SettleStablecoin', 'CompleteTransaction'],
  ]);
  expect(outputs.get('AwaitAuthentication')).toEqual({ transactionId, status: 'AWAITING_PIX' });
  expect(outputs.get('AwaitPixPayment')).toEqual({ transactionId, status: 'PROCESSING' });
  expect(outputs.get('CheckWalletRisk')).toEqual({
    transactionId,
    status: 'PROCESSING',
    decision: 'CLEAR',
    oracle: localChain.sanctionsOracle,
    blockNumber: expect.any(Number),
    listsVersion: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    screenedWith: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    checkedAt: expect.any(Number),
  });
  expect(outputs.get('ConfirmPixPayment')).toEqual({
    transactionId,
    status: 'PROCESSING',
    decision: 'PAID',
    payer: 'MATCH',
    endToEndId: charge!.pix![0]!.endToEndId,
    amountCentavos: 250_00,
    checkedAt: expect.any(Number),
  });
  expect(outputs.get('SettleStablecoin')).toEqual({
    transactionId,
    status: 'PROCESSING',
    decision: 'CONFIRMED',
    asset: 'USDC',
    txHash: done.txHash,
    blockNumber: expect.any(Number),
  });
}

function expectWordsOfAws(wire: Record<string, unknown>[]): void {
  for (const { type, id, previousEventId, timestamp, ...details } of wire) {
    const [key, ...allowed] = AWS_EVENTS[String(type)] ?? ['unknown'];
    const used = Object.entries(details).flatMap(([name, fields]) => [
      name,
      ...Object.keys(fields as object),
    ]);
    expect({ type, unknown: used.filter((name) => name !== key && !allowed.includes(name)) }).toEqual({
      type,
      unknown: [],
    });
    expect(previousEventId).toBe(id === 1 ? 0 : expectedPrevious(Number(id)));
    expect(timestamp).toEqual(expect.any(Number));
    expectTexts(Object.values(details));
  }
  expect(wire.map(({ id }) => id)).toEqual(wire.map((_, index) => index + 1));
  expect(wire[0]!.type).toBe('ExecutionStarted');
  expect(wire.at(-1)!.type).toBe('ExecutionSucceeded');
}

/** The first state follows the start, and each other event the one before, because nothing is parallel. */
const expectedPrevious = (id: number) => (id === 2 ? 0 : id - 1);

/** Data is JSON in a string, as AWS gives it. */
function expectTexts(details: unknown[]): void {
  for (const fields of details as Record<string, unknown>[]) {
    for (const name of ['input', 'output', 'parameters'].filter((each) => each in fields)) {
      expect(fields[name], name).toEqual(expect.any(String));
      expect(() => JSON.parse(String(fields[name]))).not.toThrow();
    }
    for (const name of OF_DATA.filter((each) => each.endsWith('Details') && each in fields)) {
      expect(fields[name]).toEqual({ truncated: false });
    }
  }
}

function expectNothingPersonal(text: string, purchase: Completed): void {
  const { cpf, kycToken, otpauthUri, apiKey, pixPayload, code, client: _ } = purchase;
  const dotted = cpf.replace(/(\d{3})(\d{3})(\d{3})(\d{2})/, '$1.$2.$3-$4');
  const { name, birthDate } = personaOf(cpf);
  const secret = new URL(otpauthUri).searchParams.get('secret')!;
  const secrets = { cpf, dotted, name, birthDate, kycToken, secret, apiKey, pixPayload, WEBHOOK_SECRET };
  const found = Object.entries(secrets).filter(([, value]) => text.includes(value));

  expect(found).toEqual([]);
  // Six digits may be part of a longer number.
  expect(text).not.toMatch(new RegExp(`(?<![\\w.])${code}(?!\\w)`));
}
