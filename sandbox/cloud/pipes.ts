import type { Principal } from './access.ts';
import { fillTemplate } from './event-pattern.ts';
import { type EventWork, nothing, type Start, sendTo } from './event-work.ts';
import { follow } from './stream-source.ts';
import { type Fields, fields, parsed, text } from './wire.ts';

/** A pipe, which sends the records of a stream to a queue or a function. */
export function pipe(work: EventWork, logicalId: string, properties: Fields): Start {
  if (properties.DesiredState === 'STOPPED') return nothing;
  if (properties.Enrichment) throw new Error(`${logicalId}: enrichment of a pipe is not simulated`);
  const source = text(properties.Source);
  if (!source.includes(':dynamodb:')) throw new Error(`${logicalId}: the source ${source} is not simulated`);
  const principal = { roleArn: text(properties.RoleArn) };
  const parameters = fields(fields(properties.SourceParameters).DynamoDBStreamParameters);
  const { InputTemplate } = fields(properties.TargetParameters);
  const deliver = async (records: Fields[]) => {
    const bodies = records.map((record) =>
      InputTemplate === undefined ? JSON.stringify(record) : fillTemplate(text(InputTemplate), record),
    );
    await deliverAll(work, principal, text(properties.Target), bodies);
  };
  const settings = { ...parameters, FilterCriteria: fields(properties.SourceParameters).FilterCriteria };
  return () => follow(work, source, principal, settings, deliver);
}

async function deliverAll(
  work: EventWork,
  principal: Principal,
  target: string,
  bodies: string[],
): Promise<void> {
  if (target.includes(':sqs:')) {
    for (const body of bodies) await sendTo(work, principal, target, body);
    return;
  }
  if (!target.includes(':lambda:')) throw new Error(`The pipe's target ${target} is not simulated`);
  const Payload = bodies.map(parsed);
  const answer = await work.gate.perform(principal, 'lambda', 'Invoke', { FunctionName: target, Payload });
  if (answer.FunctionError) throw new Error(text(answer.Payload));
}
