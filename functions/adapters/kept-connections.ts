/** The connections that requests to providers and nodes keep. A kept one may be dead after Lambda froze the process. */
import http from 'node:http';
import https from 'node:https';

const AGENTS = {
  'http:': new http.Agent({ keepAlive: true }),
  'https:': new https.Agent({ keepAlive: true }),
};

export const agentFor = ({ protocol }: URL): http.Agent => AGENTS[protocol as keyof typeof AGENTS];

/** The codes of a write to a kept connection that the other side has closed meanwhile. */
const DEAD_CODES: readonly unknown[] = ['ECONNRESET', 'EPIPE'];

export const isOfDeadConnection = (error: object): boolean =>
  'code' in error && DEAD_CODES.includes(error.code);
