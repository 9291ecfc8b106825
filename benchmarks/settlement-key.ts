/** Signs with a plain key on a thread of its own, because in production another machine (KMS) signs too. */
import { parentPort, workerData } from 'node:worker_threads';
import { SigningKey } from 'ethers';

const key = new SigningKey(workerData as string);

parentPort?.on('message', ({ id, digest }: { id: number; digest: string }) => {
  parentPort?.postMessage({ id, signature: key.sign(digest).serialized });
});
