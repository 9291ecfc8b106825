import type { Principal } from './access.ts';
import { type EventWork, nothing, type Start, sendTo } from './event-work.ts';
import { ACCOUNT, awsError, type Fields, fields, list, parsed, REGION, sleep, text } from './wire.ts';

const SHORTEST_INTERVAL_MS = 250;

export function rule(work: EventWork, logicalId: string, properties: Fields): Start {
  if (properties.State === 'DISABLED') return nothing;
  if (properties.EventPattern) throw new Error(`${logicalId}: rules on event patterns are not simulated`);
  const everyMs = intervalOf(work, logicalId, text(properties.ScheduleExpression));
  if (everyMs === undefined) return nothing;
  const arn = work.template.attribute(logicalId, 'Arn');
  const event = () => ({
    version: '0',
    id: crypto.randomUUID(),
    'detail-type': 'Scheduled Event',
    source: 'aws.events',
    account: ACCOUNT,
    time: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
    region: REGION,
    resources: [arn],
    detail: {},
  });
  const targets = list(properties.Targets).map(fields);
  return repeat(work, everyMs, async () => {
    for (const target of targets) {
      const input = target.Input === undefined ? event() : parsed(target.Input);
      try {
        await fire(work, text(target.Arn), text(target.RoleArn), arn, input);
      } catch (error) {
        work.report((error as Error).message);
        const deadLetters = text(fields(target.DeadLetterConfig).Arn);
        if (deadLetters) await sendTo(work, eventsOf(arn), deadLetters, JSON.stringify(input));
      }
    }
  });
}

export function schedule(work: EventWork, properties: Fields): Start {
  if (properties.State === 'DISABLED') return nothing;
  const everyMs = intervalOf(work, text(properties.Name), text(properties.ScheduleExpression));
  if (everyMs === undefined) return nothing;
  const { Arn, RoleArn, Input } = fields(properties.Target);
  const input = Input === undefined ? {} : parsed(Input);
  work.iam.requireTrust(text(RoleArn), 'scheduler.amazonaws.com', text(properties.Name));
  return repeat(work, everyMs, () => fire(work, text(Arn), text(RoleArn), '', input));
}

/** EventBridge as the principal of a call, with the context keys that queue policies check. */
const eventsOf = (ruleArn: string): Principal => ({
  roleArn: 'events.amazonaws.com',
  context: { 'aws:SourceArn': ruleArn, 'aws:SourceAccount': ACCOUNT },
});

async function fire(work: EventWork, target: string, roleArn: string, ruleArn: string, input: unknown) {
  if (target.includes(':sqs:')) {
    // A rule has no role for a queue, so the queue's own policy must allow EventBridge. A target with a role
    // uses that role.
    return sendTo(work, roleArn ? { roleArn } : eventsOf(ruleArn), target, JSON.stringify(input));
  }
  if (target.includes(':states:')) {
    const start = { stateMachineArn: target, input: JSON.stringify(input) };
    await work.gate.perform({ roleArn }, 'states', 'StartExecution', start);
    return;
  }
  const allowed = roleArn
    ? work.iam.isAllowed({ roleArn }, { action: 'lambda:InvokeFunction', resource: target })
    : work.iam.mayInvoke(target, 'events.amazonaws.com', ruleArn);
  if (!allowed) throw awsError('AccessDeniedException', `${ruleArn || roleArn} may not invoke ${target}`);
  await work.lambdas.invokeLater(target, input);
}

/**
 * Returns the interval of a `rate(…)` in milliseconds. Returns undefined for any other expression and reports
 * that the schedule is left out. A `cron(…)` names an hour of the day, and a local sandbox seldom runs that
 * long.
 */
function intervalOf({ minuteMs, report }: EventWork, name: string, expression: string): number | undefined {
  const rate = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression);
  if (!rate) {
    report(`${name}: the schedule ${expression} is left out`);
    return undefined;
  }
  const minutes = Number(rate[1]) * { minute: 1, hour: 60, day: 1440 }[rate[2] as 'minute' | 'hour' | 'day'];
  return Math.max(SHORTEST_INTERVAL_MS, minutes * minuteMs);
}

/**
 * Node's timers overflow after 24 days. A longer interval is therefore slept in parts of at most this many
 * milliseconds.
 */
const LONGEST_SLEEP_MS = 2_000_000_000;

/**
 * Repeats `act`, and starts a run only after the previous run has ended. Without this, runs would pile up: a
 * short `minuteMs` shortens the interval but does not make functions faster.
 */
function repeat({ signal, report }: EventWork, everyMs: number, act: () => Promise<void>): Start {
  return async () => {
    let next = Date.now() + everyMs;
    while (!signal.aborted) {
      await sleep(Math.min(LONGEST_SLEEP_MS, Math.max(0, next - Date.now())), signal);
      if (signal.aborted || Date.now() < next - 1) continue;
      await act().catch((error: Error) => report(error.message));
      next = Math.max(next + everyMs, Date.now());
    }
  };
}
