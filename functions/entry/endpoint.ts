/**
 * Wraps every endpoint for partners. Before the operation it checks, in this order: the API key, the rate limit, the
 * request's form, the idempotency key. Only this file turns an endpoint's error into an answer.
 */

import middy from '@middy/core';
import type { APIGatewayProxyResult, Context } from 'aws-lambda';
import type * as z from 'zod';
import { live } from '../adapters/live.ts';
import { type Besides, begun } from '../domain/begun.ts';
import { type Details, type ErrorCode, Unavailable } from '../domain/errors.ts';
import type { Partner } from '../domain/partners/partner.ts';
import type { Ids, Need, Needs } from '../domain/ports.ts';
import { reservedIds } from '../logic/ids.ts';
import { addressOfRoute, endHeaders, type PartnerRoute, type Route } from '../routes.ts';
import { dataOf, failure, refusalOf, retryAfterOf, success, withHeaders } from './answer.ts';
import { requireRequest } from './body.ts';
import { type HttpEvent, identifyPartner, keyPartsOf, limitRate } from './caller-checks.ts';
import { type DocumentForm, documentAnswer, isAskedFor } from './document.ts';
import { headerOf } from './header.ts';
import { type ClaimedScope, claimKey, giveBack, IDEMPOTENCY_NEEDS, runOnce } from './idempotency.ts';
import { writeRequestLine } from './request-line.ts';

/** The ports that the checks before an operation need, for each HTTP method. */
export const GET_NEEDS = ['clock', 'stage', 'partners:read', 'rateLimiter'] as const satisfies Need[];
export const POST_NEEDS = [...GET_NEEDS, 'rateLimiter:read', ...IDEMPOTENCY_NEEDS] as const satisfies Need[];
type PostPorts = Needs<typeof POST_NEEDS>;

/** The refusals of the checks before an operation. Each operation adds its own refusals. */
export const GET_ERRORS = [
  'INVALID_API_KEY',
  'PARTNER_SUSPENDED',
  'KEY_SCOPE_INSUFFICIENT',
  'RATE_LIMIT_EXCEEDED',
  'INVALID_REQUEST',
  'INTERNAL_ERROR',
] as const satisfies ErrorCode[];
export const DELETE_ERRORS = [...GET_ERRORS, 'IDEMPOTENCY_KEY_REUSED', 'IDEMPOTENCY_IN_PROGRESS'] as const;
/** Only a POST has a body, which may be too large. */
export const POST_ERRORS = [...DELETE_ERRORS, 'REQUEST_TOO_LARGE'] as const satisfies ErrorCode[];

export type Caller<Early = never> = {
  partner: Partner;
  ids: Ids;
  /** The id of the API key of the request. Absent if the service itself calls the operation. */
  keyId?: string;
  /**
   * The first reads of the operation. They began before the checks had ended. Absent if the operation has no
   * first reads.
   */
  early?: Promise<Early>;
  /**
   * The operation may leave here work that runs in parallel and must end before the answer is sent. Absent
   * for a GET.
   */
  besides?: Besides;
};

/**
 * For whom the first reads run. The API key is not proven yet while they run. `hasPlentyLeft` is true if the
 * partner is far from its rate limit. Then the reads may also ask a provider.
 */
export type Asking = { partner: Partner | Promise<Partner>; hasPlentyLeft?: Promise<boolean> };

type HttpRequest = middy.Request<HttpEvent, APIGatewayProxyResult, Error, Context>;

type Form = z.core.$ZodType;
type AnswerForm = z.core.$ZodType<Details>;

type Definition<List extends readonly Need[], Schema extends Form, Answer extends AnswerForm, Early> = {
  /** The schema of the body's or query's fields together with those of the path. */
  request: Schema;
  /**
   * The schema of `data` in a success. Only the API's document and the tests use it. A function neither builds it at a
   * cold start nor checks its answers against it.
   */
  answer: () => Answer;
  /** The refusals of the operation itself, without those of the checks before it. */
  errors: readonly ErrorCode[];
  needs: List;
  /** The answer as a file, for callers who ask for its media type. */
  document?: DocumentForm<z.output<Answer>>;
  /**
   * Begins the first reads of the operation while the API key is being proven: docs/decisions.md, "Limits of a
   * partner". They may change nothing, because the request may still be refused. If a read fails, the operation
   * gets the error only after all checks.
   */
  read?: (request: z.output<Schema>, caller: Asking, ports: Needs<List>) => Promise<Early>;
  /**
   * Runs before a repeated request gets the stored success of its first try, and may change that answer.
   * Without `replay` the stored answer is sent as it is. `replay` also does the work that the first try left
   * in `besides`, because the first try may have crashed before that work ended.
   */
  replay?: (data: z.output<Answer>, ports: Needs<List>, partner: Partner) => Promise<z.output<Answer>>;
};

/**
 * Wraps an operation as a Lambda handler. The handler also carries the operation's definition. The API's
 * document is made from the definition, and the sandbox wraps its own version of an operation with it.
 */
export function endpoint<
  const List extends readonly Need[],
  Schema extends Form,
  Answer extends AnswerForm,
  Early,
>(
  route: PartnerRoute,
  definition: Definition<List, Schema, Answer, Early>,
  operation: (
    request: z.output<Schema>,
    caller: Caller<Early>,
    ports: Needs<List>,
  ) => Promise<NoInfer<z.output<Answer>>>,
) {
  const { request: schema, needs, document, replay } = definition;
  type Begun = { request: z.output<Schema>; early?: Promise<Early>; claimed?: Promise<ClaimedScope> };

  async function handle(event: HttpEvent, context: Context): Promise<APIGatewayProxyResult> {
    const { request, early, claimed } = (event.begun ?? { request: requireRequest(schema, event) }) as Begun;
    const ports = await live(needs);
    const { partner, keyId } = event;
    const operate = (ids: Ids, besides?: Besides) =>
      operation(request, { partner, keyId, ids, early, besides }, ports);
    if (route.method === 'GET') {
      const data = await operate(reservedIds({ at: 0, seed: '' }));
      const isDocument = document && isAskedFor(event, document.type);
      return isDocument ? documentAnswer(data, document) : withHeaders(success(data), {});
    }
    const { answer: first, isReplay } = await runOnce(
      ports as unknown as PostPorts,
      await (claimed ?? claimOf(event, context, { route, request })),
      async (reservation, besides) => success(await operate(reservedIds(reservation), besides)),
    );
    if (!isReplay) return withHeaders(first, {});
    const isShownAnew = replay && first.statusCode === 200;
    const shown = isShownAnew
      ? success(await replay(dataOf(first) as z.output<Answer>, ports, partner))
      : first;
    return withHeaders(shown, { 'Idempotent-Replayed': 'true' });
  }

  const wrapped = middy<HttpEvent, APIGatewayProxyResult>()
    .use({ after: (request) => finish(request, route), onError: (request) => answerError(request, route) })
    .use({
      before: ({ event }: HttpRequest) =>
        proveCaller(event, route, (partner) => beginReads(definition, event, partner)),
    })
    .use({ before: ({ event, context }: HttpRequest) => countRequest(event, context, route) })
    .handler(handle);
  return Object.assign(wrapped, definition);
}

/** Proves the API key. `begin` begins the first reads meanwhile. */
async function proveCaller(
  event: HttpEvent,
  route: PartnerRoute,
  begin: (partner: Promise<Partner>) => HttpEvent['begun'],
): Promise<void> {
  const ports = await live(GET_NEEDS);
  // A malformed API key is refused before any read begins.
  const parts = keyPartsOf(event, ports.stage);
  const partner = begun(identifyPartner(event, { ...parts, route }, ports));
  event.begun = begin(partner);
  await partner;
}

/**
 * Begins the first reads. Begins nothing for a malformed request, because the handler refuses that request later, in
 * the right order.
 */
function beginReads<List extends readonly Need[], Schema extends Form, Answer extends AnswerForm, Early>(
  { request: schema, needs, read }: Definition<List, Schema, Answer, Early>,
  event: HttpEvent,
  partner: Promise<Partner>,
): HttpEvent['begun'] {
  try {
    const request = requireRequest(schema, event);
    const asking = { partner, hasPlentyLeft: begun(partner.then(() => event.isClaimedEarly === true)) };
    return { request, early: read && begun(live(needs).then((ports) => read(request, asking, ports))) };
  } catch {
    return undefined;
  }
}

/** Counts the request, and refuses it beyond the rate limit. A claimed idempotency key is then given back. */
async function countRequest(event: HttpEvent, context: Context, route: PartnerRoute): Promise<void> {
  const { begun: first, isClaimedEarly } = event;
  if (first && isClaimedEarly)
    first.claimed = begun(claimOf(event, context, { route, request: first.request }));
  try {
    await limitRate(event, route.scope, await live(GET_NEEDS));
    if (event.refusal) throw event.refusal;
  } catch (error) {
    if (first?.claimed) await giveBack(await live(POST_NEEDS), first.claimed);
    throw error;
  }
}

async function claimOf(
  event: HttpEvent,
  context: Context,
  { route, request }: { route: PartnerRoute; request: unknown },
): Promise<ClaimedScope> {
  return claimKey(await live(POST_NEEDS), {
    key: headerOf(event, 'idempotency-key'),
    scope: `${event.partner.id} ${route.method} ${addressOfRoute(route, event.pathParameters)}`,
    request,
    timeoutMs: context.getRemainingTimeInMillis(),
  });
}

async function finish({ event, response }: HttpRequest, route: Route): Promise<void> {
  if (!response) return;
  response.headers = { ...response.headers, ...commonHeaders(event, route) };
  await writeRequestLine(event, route, response);
}

async function answerError(request: HttpRequest, route: Route): Promise<void> {
  const refusal = refusalOf(request.error);
  if (refusal.code === 'INTERNAL_ERROR') {
    const { log } = await live(['log']);
    const { requestId } = request.event.requestContext;
    const condition = request.error instanceof Unavailable ? 'RequestUnanswered' : 'RequestFailed';
    log.raise(condition, request.error, { requestId });
  }
  request.response = withHeaders(failure(refusal), { 'Retry-After': retryAfterOf(request.error, refusal) });
  await finish(request, route);
}

function commonHeaders({ requestContext, rate }: HttpEvent, route: Route): Record<string, string | number> {
  return {
    ...endHeaders(route),
    'X-Request-Id': requestContext.requestId,
    ...(rate && {
      'RateLimit-Limit': rate.limit,
      'RateLimit-Remaining': rate.remaining,
      'RateLimit-Reset': rate.resetSeconds,
    }),
  };
}
