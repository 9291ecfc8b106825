import http from 'node:http';
import https from 'node:https';
import { agentFor, isOfDeadConnection } from '../kept-connections.ts';

/** The part of `fetch` that JSON-RPC needs. */
export type Post = (
  url: string,
  request: { method: 'POST'; headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<{ ok: boolean; json(): Promise<unknown> }>;

/**
 * Posts over Node's own sockets, which the AWS SDK has loaded anyway. `fetch` would take a tenth of a cold start,
 * because Node compiles it at its first use. After Lambda froze the process, a kept connection may be dead. Then the
 * request is sent once more, which is safe: a repeated broadcast has the same bytes.
 */
export const postJson: Post = async (url, request) => {
  try {
    return await sendPost(new URL(url), request);
  } catch (error) {
    if (!(error instanceof DeadConnection)) throw error;
    return sendPost(new URL(url), request, false);
  }
};

class DeadConnection extends Error {}

function sendPost(url: URL, { method, headers, body, signal }: Parameters<Post>[1], isKept = true) {
  const { request } = url.protocol === 'https:' ? https : http;
  const agent = isKept && agentFor(url);
  return new Promise<Awaited<ReturnType<Post>>>((resolve, reject) => {
    const length = { 'content-length': String(Buffer.byteLength(body)) };
    const sent = request(url, { method, headers: { ...headers, ...length }, agent, signal }, (answer) => {
      readAnswerText(answer).then((text) => {
        const { statusCode = 0 } = answer;
        resolve({ ok: statusCode >= 200 && statusCode < 300, json: async () => JSON.parse(text) });
      }, reject);
    });
    sent.on('error', (error) => {
      reject(sent.reusedSocket && isOfDeadConnection(error) ? new DeadConnection() : error);
    });
    sent.end(body);
  });
}

async function readAnswerText(answer: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of answer as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
