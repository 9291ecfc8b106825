import type { Fields } from './wire.ts';

/**
 * SQS and S3. The library fauxqs emulates them in this process. It opens no port: this code passes requests
 * to it directly.
 */
export type Storage = {
  sqs(operation: string, input: Fields): Promise<Fields>;
  forward(request: { method: string; url: string; headers: Record<string, string>; body: Buffer }): Promise<{
    status: number;
    headers: Record<string, string | string[]>;
    body: Buffer;
  }>;
  queueUrl(name: string): string;
  stop(): Promise<void>;
};
