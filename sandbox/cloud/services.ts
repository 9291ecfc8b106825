import { functionArnOf } from './arns.ts';
import { type DynamoDb, dynamodbNeeds } from './dynamodb.ts';
import { encryptionNeeds } from './encryption.ts';
import type { S3 } from './front.ts';
import type { Service } from './gate.ts';
import type { Lambdas } from './lambda.ts';
import { sqsNeeds } from './queues-and-buckets.ts';
import { s3Needs } from './s3-needs.ts';
import type { Storage } from './storage.ts';
import type { Template } from './template.ts';
import { type Fields, text } from './wire.ts';
import { writeRates } from './write-rate.ts';

type Emulators = { dynamodb: DynamoDb; storage: Storage; lambdas: Lambdas };

/** The services that emulators and functions answer, by the names that `front.ts` gives them. S3 has its own form. */
export function emulatedServices(template: Template, { dynamodb, storage, lambdas }: Emulators) {
  const encrypted = encryptionNeeds(template);
  const services: Record<string, Service> = {
    dynamodb: {
      ...tables(dynamodb),
      throttle: writeRates(template),
      needs: (operation, input) => encrypted(dynamodbNeeds(operation, input)),
    },
    streams: streams(dynamodb),
    sqs: { needs: (operation, input) => encrypted(sqsNeeds(operation, input)), call: storage.sqs },
    lambda: functions(lambdas),
  };
  const s3: S3 = { needs: (...request) => encrypted(s3Needs(...request)), forward: storage.forward };
  return { services, s3 };
}

function tables(dynamodb: DynamoDb): Pick<Service, 'call' | 'forward'> {
  return {
    call: (operation, input) => dynamodb.call(`DynamoDB_20120810.${operation}`, input),
    forward: (operation, body) => dynamodb.forward(`DynamoDB_20120810.${operation}`, body),
  };
}

/**
 * Serves DynamoDB Streams. GetRecords gives only an iterator, but permissions are for a stream. The map
 * therefore holds the stream of each iterator.
 */
function streams(dynamodb: DynamoDb): Service {
  const iterators = new Map<string, string>();
  return {
    needs(operation, input) {
      const resource = text(input.StreamArn) || iterators.get(text(input.ShardIterator)) || '*';
      return [{ action: `dynamodb:${operation}`, resource }];
    },
    async call(operation, input) {
      const StreamArn = dynamodb.streamArns.get(text(input.StreamArn)) ?? input.StreamArn;
      const output = await dynamodb.call(`DynamoDBStreams_20120810.${operation}`, { ...input, StreamArn });
      const from = text(input.StreamArn) || iterators.get(text(input.ShardIterator)) || '';
      iterators.delete(text(input.ShardIterator));
      for (const key of ['ShardIterator', 'NextShardIterator']) {
        if (output[key]) iterators.set(text(output[key]), from);
      }
      return output;
    },
  };
}

function functions(lambdas: Lambdas): Service {
  return {
    needs: (_, input) => [
      { action: 'lambda:InvokeFunction', resource: functionArnOf(text(input.FunctionName)) },
    ],
    async call(_, input): Promise<Fields> {
      const name = text(input.FunctionName);
      if (input.InvocationType === 'Event') {
        void lambdas.invokeLater(name, input.Payload);
        return { StatusCode: 202, Payload: '' };
      }
      const { payload, functionError } = await lambdas.invoke(name, input.Payload);
      return {
        StatusCode: 200,
        Payload: payload,
        ...(functionError ? { FunctionError: functionError } : {}),
      };
    },
  };
}
