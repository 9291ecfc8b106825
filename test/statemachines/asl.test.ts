import { readdirSync, readFileSync } from 'node:fs';
import { StateMachine, type StateMachineDefinition } from 'aws-local-stepfunctions';
import { describe, expect, it } from 'vitest';
import { hasEndedUnpaid, machineStatusOf, STATUS_NAMES } from '../../functions/domain/purchase/status.ts';
import { MFA_WINDOW_MINUTES, PIX_WINDOW_MINUTES } from '../../functions/domain/purchase/transaction.ts';
import { SETTLEMENT_TRIES } from '../../functions/domain/treasury/settlement.ts';
import { paceLooks, readDefinition } from '../../infra/machine.ts';
import { LIMITS } from '../../infra/onramp-function.ts';
import { readContext } from '../../infra/settings.ts';
import { functionIdOf } from '../../infra/sources.ts';

type Retrier = { ErrorEquals: string[]; MaxAttempts: number; MaxDelaySeconds?: number };
type Catcher = { ErrorEquals: string[]; Next: string; ResultPath: string };
type Choice = { Variable: string; StringEquals: string; Next: string };
type State = {
  Type: string;
  Comment: string;
  Resource?: string;
  Parameters?: { FunctionName: string; Payload: Record<string, string> };
  TimeoutSeconds?: number;
  Retry?: Retrier[];
  Catch?: Catcher[];
  Choices?: Choice[];
  Next?: string;
  End?: boolean;
};

const file = new URL('../../statemachines/onramp.asl.json', import.meta.url);
const definition = JSON.parse(readFileSync(file, 'utf8')) as {
  StartAt: string;
  States: Record<string, State>;
};
const states = Object.entries(definition.States);
const tasks = states.filter(([, { Type }]) => Type === 'Task');
const state = (name: string): State => definition.States[name]!;

const WAITS = ['AwaitAuthentication', 'AwaitPixPayment'];
const work = tasks.filter(([name]) => !WAITS.includes(name));
const BUSINESS_ERRORS = [
  'SettlementFailed',
  'SettlementCancelled',
  'CLIENT_REFUSED',
  'KYC_REJECTED',
  'WALLET_RISK_TOO_HIGH',
  'PAYER_MISMATCH',
  'AMOUNT_MISMATCH',
  'PAID_LATE',
  'PAYMENT_TAKEN_BACK',
];

const retrierFor = (name: string, error: string) =>
  state(name).Retry?.find(
    ({ ErrorEquals }) => ErrorEquals.includes(error) || ErrorEquals.includes('States.ALL'),
  );
const catcherFor = (name: string, error: string) =>
  state(name).Catch?.find(
    ({ ErrorEquals }) => ErrorEquals.includes(error) || ErrorEquals.includes('States.ALL'),
  );
const errorsNamed = (name: string) =>
  [...(state(name).Retry ?? []), ...(state(name).Catch ?? [])]
    .flatMap(({ ErrorEquals }) => ErrorEquals)
    .filter((error) => !error.startsWith('States.') && !error.startsWith('Lambda.'));

describe('the definition', () => {
  /** The deployment puts the ARNs of functions in the places of their names. */
  const validated = (content: object) => {
    const deployed = JSON.stringify(content).replace(
      /\$\{(\w+)\}/g,
      'arn:aws:lambda:sa-east-1:123456789012:function:$1',
    );
    return new StateMachine(JSON.parse(deployed) as StateMachineDefinition);
  };

  it('is valid for a validator of the language', () => {
    expect(() => validated(definition)).not.toThrow();
  });

  it('would be refused with a state that is missing', () => {
    const { [definition.StartAt]: _, ...others } = definition.States;

    expect(() => validated({ ...definition, States: others })).toThrow('invalid');
  });
});

describe('every state', () => {
  it.each(states)('%s says which status it serves and what ends it', (_, { Comment }) => {
    const [before = '', ...after] = Comment.split('. ');
    const named = before.split(/, | or /);

    expect(
      named.every((each) => each === 'Any status' || STATUS_NAMES.some((status) => status === each)),
    ).toBe(true);
    expect(after.join('. ')).toMatch(/\.$/);
  });

  it('is reached from the start, and reaches an end', () => {
    const next = (name: string): string[] => {
      const { Next, Choices = [], Catch = [] } = state(name);
      return [Next, ...[...Choices, ...Catch].map((each) => each.Next)].filter((each) => each !== undefined);
    };
    const reached = new Set<string>();
    const walk = (name: string): void => {
      if (reached.has(name)) return;
      reached.add(name);
      for (const each of next(name)) walk(each);
    };
    walk(definition.StartAt);

    expect([...reached].sort()).toEqual(Object.keys(definition.States).sort());
    for (const [name, { Type, End }] of states) {
      expect(next(name).length > 0 || Type === 'Succeed' || End === true, name).toBe(true);
    }
  });
});

describe('every Task', () => {
  it('has a file in functions/steps, and each file there is a Task', () => {
    const files = readdirSync(new URL('../../functions/steps', import.meta.url));

    const names = files.map((each) => functionIdOf(each.replace(/\.ts$/, '')));

    expect(tasks.map(([name]) => name).sort()).toEqual(names.sort());
  });

  it.each(tasks)('%s runs the function of its own name', (name, { Resource, Parameters }) => {
    expect(Parameters?.FunctionName ?? Resource).toBe(`\${${name}}`);
  });

  it.each(tasks)('%s has a time limit, retriers and a catcher', (_, task) => {
    expect(task.TimeoutSeconds).toBeGreaterThan(0);
    expect(task.Retry).not.toEqual([]);
    expect(task.Catch?.at(-1)?.ErrorEquals).toEqual(['States.ALL']);
  });

  it.each(work)('%s outlives its function, so that a time-out is the function’s', (_, { TimeoutSeconds }) => {
    expect(TimeoutSeconds).toBeGreaterThan(LIMITS.steps.timeout.toSeconds());
  });

  it.each(tasks)('%s adds only the error to its input when an error is caught', (_, { Catch }) => {
    expect(Catch?.every(({ ResultPath }) => ResultPath === '$.error')).toBe(true);
  });
});

describe('the waits', () => {
  // Spec, Transaction states: "EXPIRED: no MFA response within 15 minutes"
  // Spec, Transaction states: "EXPIRED: no Pix payment within 30 minutes"
  it('last as long as the specification says', () => {
    expect(state('AwaitAuthentication').TimeoutSeconds).toBe(MFA_WINDOW_MINUTES * 60);
    expect(state('AwaitPixPayment').TimeoutSeconds).toBe(PIX_WINDOW_MINUTES * 60);
  });

  it.each(WAITS)('%s hands over the id, the status and the task token, and nothing else', (name) => {
    expect(state(name).Parameters?.Payload).toEqual({
      'transactionId.$': '$.transactionId',
      'status.$': '$.status',
      'taskToken.$': '$$.Task.Token',
    });
  });

  it.each(WAITS)(
    '%s repeats only failures before its function ran, because a repetition restarts the clock',
    (name) => {
      expect(state(name).Retry?.flatMap(({ ErrorEquals }) => ErrorEquals)).toEqual([
        'Lambda.TooManyRequestsException',
        'Lambda.ServiceException',
        'Lambda.SdkClientException',
      ]);
    },
  );

  it.each(WAITS)('%s expires the transaction when its time is over, then reads its status again', (name) => {
    expect(catcherFor(name, 'States.Timeout')?.Next).toBe('ExpireTransaction');
    expect(state(name).Next).toBe('WhatNow');
    expect(state('ExpireTransaction').Next).toBe('WhatNow');
  });
});

describe('WhatNow', () => {
  const words = (name: string) => state(name).Choices?.map(({ StringEquals }) => StringEquals) ?? [];

  // Spec, Transaction states: "CREATED, AWAITING_MFA, AWAITING_PIX, PROCESSING, COMPLETED, FAILED, EXPIRED"
  it('comes first and knows every status that a stored transaction has', () => {
    const stored = STATUS_NAMES.filter((status) => status !== 'CREATED');
    const told = new Set(stored.map(machineStatusOf));

    expect(definition.StartAt).toBe('WhatNow');
    expect(words('WhatNow').sort()).toEqual([...told].sort());
    expect(state('WhatNow').Choices?.every(({ Variable }) => Variable === '$.status')).toBe(true);
  });

  // docs/life-of-a-purchase.md, "When a purchase ends before its payment"
  it('is told only statuses that the first definition knew', () => {
    const first = ['AWAITING_MFA', 'AWAITING_PIX', 'PROCESSING', 'FAILED', 'COMPLETED', 'EXPIRED'];

    expect(words('WhatNow')).toEqual(first);
  });

  it.each(STATUS_NAMES.filter(hasEndedUnpaid))('ends an execution whose purchase is %s', (status) => {
    const choice = state('WhatNow').Choices?.find((each) => each.StringEquals === machineStatusOf(status));

    expect(state(choice?.Next ?? '').Type).toBe('Succeed');
  });

  // Spec, What the service does: "on-chain risk check on the destination wallet"
  // Spec, Transaction states: "Before the Pix payment is confirmed"
  // docs/decisions.md, "Paid, then failed"
  it('sends a paid purchase through the checks before its settlement', () => {
    const path = ['CheckWalletRisk', 'ConfirmPixPayment', 'SettleStablecoin', 'CompleteTransaction'];

    expect(state('WhatNow').Choices?.find((each) => each.StringEquals === 'PROCESSING')?.Next).toBe(path[0]);
    for (const [index, name] of path.slice(0, -1).entries()) expect(state(name).Next).toBe(path[index + 1]);
  });
});

describe('money', () => {
  it('is refunded only after a refusal or a failed settlement', () => {
    const ways = states
      .flatMap(([, { Catch = [] }]) => Catch)
      .filter(({ Next }) => Next === 'FailTransaction');

    const errors = new Set(ways.flatMap(({ ErrorEquals }) => ErrorEquals));
    expect([...errors].sort()).toEqual([...BUSINESS_ERRORS].sort());
    expect(states.filter(([, { Next }]) => Next === 'FailTransaction')).toEqual([]);
    expect(states.filter(([, { Next }]) => Next === 'RefundPixPayment')).toEqual([]);
  });

  it('is not sent after old checks, which are repeated', () => {
    expect(catcherFor('SettleStablecoin', 'CheckAgain')?.Next).toBe('CheckWalletRisk');
    expect(retrierFor('SettleStablecoin', 'CheckAgain')?.MaxAttempts).toBe(0);
  });

  it('is not refunded while its transfer may still be mined', () => {
    expect(catcherFor('FailTransaction', 'TransferMayLive')?.Next).toBe('SettleStablecoin');
    expect(retrierFor('FailTransaction', 'TransferMayLive')?.MaxAttempts).toBe(0);
  });

  // Spec, Limits: "Settlement failure: 3 automatic retries before FAILED"
  // docs/decisions.md, "A provider is down"
  it('is sent by one try and three retries', () => {
    expect(retrierFor('SettleStablecoin', 'SettlementFailed')?.MaxAttempts).toBe(SETTLEMENT_TRIES - 1);
  });

  it('waits for the chain and for the provider without using up a try', () => {
    const patient = { MaxDelaySeconds: 300, BackoffRate: 1.5, IntervalSeconds: 2 };

    expect(retrierFor('SettleStablecoin', 'NotYetConfirmed')).toMatchObject(patient);
    expect(retrierFor('RefundPixPayment', 'RefundPending')).toMatchObject(patient);
    expect(retrierFor('SettleStablecoin', 'NotYetConfirmed')?.MaxAttempts).toBeGreaterThanOrEqual(1000);
    expect(retrierFor('RefundPixPayment', 'RefundPending')?.MaxAttempts).toBeGreaterThanOrEqual(1000);
  });

  it('looks at a transfer again when its depth can be there', () => {
    const context = readContext().chain as { production: { confirmations: number; blockSeconds: number } };
    const { confirmations, blockSeconds } = context.production;

    const wait = { IntervalSeconds: confirmations * blockSeconds, BackoffRate: 1 };
    expect(retrierFor('SettleStablecoin', 'AwaitingDepth')).toMatchObject(wait);
    const paced = paceLooks(readDefinition(), { confirmations: 2, blockSeconds: 0.25 });
    expect(JSON.stringify(paced)).toContain('["AwaitingDepth"],"IntervalSeconds":1,');
  });

  it('waits for a person without using up a try, and meanwhile is neither sent nor refunded', () => {
    const patient = { MaxDelaySeconds: 300, BackoffRate: 2, IntervalSeconds: 2 };

    expect(retrierFor('CheckWalletRisk', 'ReviewPending')).toMatchObject(patient);
    expect(retrierFor('CheckWalletRisk', 'ReviewPending')?.MaxAttempts).toBeGreaterThanOrEqual(1000);
    expect(catcherFor('CheckWalletRisk', 'ReviewPending')?.Next).toBe('LookAgain');
  });

  it('stays in its step while a provider is down: the step is repeated for days, then entered again', () => {
    for (const [name] of work) {
      expect(retrierFor(name, 'Unavailable')?.MaxAttempts, name).toBeGreaterThanOrEqual(1000);
      expect(catcherFor(name, 'Unavailable')?.Next, name).toBe('LookAgain');
    }
    expect(state('LookAgain').Next).toBe('WhatNow');
  });
});

describe('refusals', () => {
  it('are never repeated', () => {
    for (const [name] of work) {
      const refusals = errorsNamed(name).filter(
        (error) => catcherFor(name, error)?.Next === 'FailTransaction',
      );
      for (const error of refusals.filter((each) => each !== 'SettlementFailed')) {
        expect(retrierFor(name, error)?.MaxAttempts, `${name} ${error}`).toBe(0);
      }
    }
  });

  it.each(work)('of %s are names that the step can throw', (name) => {
    const code = readdirSync(new URL('../../functions', import.meta.url), {
      recursive: true,
      encoding: 'utf8',
    })
      .filter((each) => each.startsWith('steps/') || each.startsWith('domain/'))
      .filter((each) => each.endsWith('.ts'))
      .map((each) => readFileSync(new URL(`../../functions/${each}`, import.meta.url), 'utf8'))
      .join('\n');

    for (const error of errorsNamed(name)) expect(code).toContain(`'${error}'`);
  });
});

it('has a history within the limit of AWS, even when every retrier is used up', () => {
  const EVENTS_PER_TRY = 3;
  for (const [name, { Retry = [] }] of tasks) {
    const tries = Retry.reduce((sum, { MaxAttempts }) => sum + MaxAttempts, 0);
    expect(tries * EVENTS_PER_TRY, name).toBeLessThan(25_000);
  }
});
