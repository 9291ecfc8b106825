import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Queue } from '../../domain/ports.ts';

export function queue(load: () => Promise<SQSClient>, queueUrl: string): Queue {
  return {
    async send(message) {
      const command = new SendMessageCommand({ QueueUrl: queueUrl, MessageBody: JSON.stringify(message) });
      await (await load()).send(command);
    },
  };
}
