import { randomBytes } from 'node:crypto';
import { HTTPException } from 'hono/http-exception';

/** The documented codes of the errors that this simulator answers. Source: Sumsub, "Error codes". */
const named = {
  'app-token-invalid-format': 4000,
  'app-token-not-found': 4001,
  'app-token-signature mismatch': 4003,
  'app-token-request-expired': 4004,
  'app-token-not-all-auth-params-provided': 4006,
} as const;

type Status = 400 | 401 | 404 | 409 | 500 | 503;

/**
 * Makes an error's answer. Its body has the form in Sumsub, "Get API health status": `{description, code,
 * correlationId, errorCode?, errorName?}`.
 */
export function problemResponse(code: Status, description: string, errorName?: keyof typeof named): Response {
  const body = { description, code, correlationId: randomBytes(16).toString('hex') };
  const name = errorName && { errorCode: named[errorName], errorName };
  return Response.json({ ...body, ...name }, { status: code });
}

/** Throws this error, which ends the request. The error handler in `identity.ts` sends its answer. */
export function fail(code: Status, description: string, errorName?: keyof typeof named): never {
  throw new HTTPException(code, { res: problemResponse(code, description, errorName) });
}
