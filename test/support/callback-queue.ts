import { GetQueueAttributesCommand } from '@aws-sdk/client-sqs';
import { eventually, sandbox, sqs } from './sandbox.ts';

/**
 * The number of callbacks in the shared sandbox that are stored but not processed yet. Callbacks in work count too.
 */
async function queuedCallbacks(): Promise<number> {
  const [, QueueUrl] = Object.entries(sandbox().refs).find(([id]) => /^QueuesCallback[0-9A-F]{8}$/.test(id))!;
  const AttributeNames = ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'] as const;
  const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] });
  const { Attributes = {} } = await sqs().send(command);
  return AttributeNames.reduce((sum, name) => sum + Number(Attributes[name] ?? 0), 0);
}

/**
 * Waits until the queue of callbacks is empty. A message of another test may stay in the queue, so the wait ends
 * after five seconds and asserts nothing.
 */
export async function callbacksProcessed(): Promise<void> {
  await eventually(queuedCallbacks, (count) => count === 0, 5_000).catch(() => undefined);
}
