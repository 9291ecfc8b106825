import { functionArnOf } from './arns.ts';
import { type EventWork, nothing, type Start } from './event-work.ts';
import { queueMapping } from './queue-mapping.ts';
import { follow } from './stream-source.ts';
import { type Fields, text } from './wire.ts';

/** An event source mapping, by which Lambda calls a function for the messages of a queue or the records of a stream. */
export function mapping(work: EventWork, properties: Fields): Start {
  if (properties.Enabled === false) return nothing;
  const config = work.lambdas.find(text(properties.FunctionName));
  if (!config) throw new Error(`An event source mapping names no function: ${text(properties.FunctionName)}`);
  const principal = { roleArn: config.roleArn };
  const source = text(properties.EventSourceArn);
  const functionArn = functionArnOf(text(properties.FunctionName));
  if (source.includes(':sqs:'))
    return queueMapping(work, config, { source, principal, functionArn, properties });
  if (!source.includes(':dynamodb:')) throw new Error(`The event source ${source} is not simulated`);
  const deliver = async (records: Fields[]) => {
    const { functionError, payload } = await work.lambdas.invoke(functionArn, { Records: records });
    if (functionError) throw new Error(payload);
  };
  return () => follow(work, source, principal, properties, deliver);
}
