import https from 'node:https';
import { type Answer, answerOf } from './partner-api.ts';
import { sandbox } from './sandbox.ts';

type ProviderCall = { body: unknown; apiKey?: string; certificate?: https.RequestOptions };

/**
 * Posts to the API of callbacks as the payment provider does, with its certificate. Sends strings and bytes as they
 * are, and everything else as JSON.
 */
export function callAsProvider(path: string, { body, apiKey, certificate }: ProviderCall): Promise<Answer> {
  const { callbacksUrl, pspCertificate } = sandbox();
  const bytes = typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body);
  const headers = {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(bytes),
    ...(apiKey !== undefined && { 'X-Service-API-Key': apiKey }),
  };
  const options = { method: 'POST', headers, agent: false, ...(certificate ?? pspCertificate) };
  return new Promise((resolve, reject) => {
    const request = https.request(`${callbacksUrl}${path}`, options, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      const received = new Headers(response.headers as Record<string, string>);
      resolve(answerOf(response.statusCode ?? 0, received, text));
    });
    request.on('error', reject).end(bytes);
  });
}
