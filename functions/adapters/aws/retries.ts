import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Makes the queue deliver this receipt of a message again after so many seconds. */
export async function retryIn(
  client: SQSClient,
  queueUrl: string,
  receipt: { handle: string; seconds: number },
): Promise<void> {
  const { handle: ReceiptHandle, seconds: VisibilityTimeout } = receipt;
  const input = { QueueUrl: queueUrl, ReceiptHandle, VisibilityTimeout };
  await client.send(new ChangeMessageVisibilityCommand(input));
}
