/** Signs with a plain key on its own thread, because the signer in production is another machine too. */
import { parentPort, workerData } from 'node:worker_threads';
import { SigningKey } from 'ethers';

const key = new SigningKey(workerData as string);

parentPort?.on('message', ({ id, digest }: { id: number; digest: string }) => {
  parentPort?.postMessage({ id, signature: key.sign(digest).serialized });
});
