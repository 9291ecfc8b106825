/**
 * Compares every answer of the service that a test of the sandbox gets with the document that the sandbox serves. The
 * client, the recorder and the plain calls all use this `fetch`. A file with a difference fails at its end.
 */
import { afterAll, inject } from 'vitest';
import { documentedByText } from './documented.ts';

const OURS = /^\/(v1\/laas|laas\/partner)(\/|$)/;

const plain = globalThis.fetch;
const differences = new Set<string>();
let documented: ReturnType<typeof read> | undefined;

async function read() {
  const answer = await plain(`${inject('sandbox').url}/openapi.json`);
  return documentedByText(await answer.text());
}

globalThis.fetch = async (input, init) => {
  const response = await plain(input, init);
  const { pathname } = new URL(input instanceof Request ? input.url : input);
  // Only an answer of the API has this header.
  if (!OURS.test(pathname) || !response.headers.has('x-amzn-requestid')) return response;
  documented ??= read();
  const { differencesOf } = await documented;
  const method = init?.method ?? (input instanceof Request ? input.method : 'GET');
  const { status } = response;
  const text = await response.clone().text();
  const type = response.headers.get('content-type') ?? undefined;
  for (const each of differencesOf({ method, path: pathname, status, text, type })) differences.add(each);
  return response;
};

afterAll(() => {
  globalThis.fetch = plain;
  if (differences.size > 0)
    throw new Error(`Answers differ from /openapi.json:\n${[...differences].join('\n')}`);
});
