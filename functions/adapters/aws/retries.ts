import { ChangeMessageVisibilityCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** Makes a queue deliver this receipt of a message again after so many seconds. */
export async function retryIn(
  client: SQSClient,
  { queueArn, handle }: { queueArn: string; handle: string },
  seconds: number,
): Promise<void> {
  const input = { QueueUrl: urlOf(queueArn), ReceiptHandle: handle, VisibilityTimeout: seconds };
  await client.send(new ChangeMessageVisibilityCommand(input));
}

/** The URL follows from the ARN, so that the function needs no variable. ProcessCallback has hardly room for one. */
function urlOf(queueArn: string): string {
  const [, , , region, account, name] = queueArn.split(':');
  return `https://sqs.${region}.amazonaws.com/${account}/${name}`;
}
