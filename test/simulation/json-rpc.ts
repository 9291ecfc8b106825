import { connect } from 'node:net';
import { createInterface } from 'node:readline';

export type Answer = { result: unknown } | { error: { code: number; message: string; data?: unknown } };
export type JsonRpc = ReturnType<typeof jsonRpcOn>;

/**
 * JSON-RPC on a local socket, one line for each message. A simulation calls its chain thousands of times, and HTTP
 * takes several times as long.
 */
export function jsonRpcOn(path: string) {
  const socket = connect(path);
  const asked = new Map<number, PromiseWithResolvers<Answer>>();
  let asks = 0;
  createInterface({ input: socket }).on('line', (line) => {
    const { id, ...answer } = JSON.parse(line) as { id: number } & Answer;
    asked.get(id)?.resolve(answer as Answer);
    asked.delete(id);
  });
  socket.on('error', end);
  socket.on('close', () => end(new Error('the chain closed its socket')));

  function end(error: Error): void {
    for (const { reject } of asked.values()) reject(error);
    asked.clear();
  }

  function ask(method: string, params: unknown[] = []): Promise<Answer> {
    const answer = Promise.withResolvers<Answer>();
    const id = asks++;
    asked.set(id, answer);
    socket.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return answer.promise;
  }

  return { ask, close: () => void socket.destroy() };
}
