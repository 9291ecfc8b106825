import type { Storage } from './storage.ts';

type Forward = Storage['forward'];

/**
 * Adds S3's conditional writes (`If-Match`, `If-None-Match`), which the emulator ignores. Conditional writes
 * run one after another, so that only one of two with the same condition can succeed. Source: Amazon S3, "How
 * to prevent object overwrites with conditional writes".
 */
export function withConditions(forward: Forward): Forward {
  let last: Promise<unknown> = Promise.resolve();
  return async (request) => {
    const { 'if-match': wanted, 'if-none-match': unwanted } = request.headers;
    if (request.method !== 'PUT' || (wanted ?? unwanted) === undefined) return forward(request);
    const write = last.then(async () => {
      const { status, headers } = await forward({
        ...request,
        method: 'HEAD',
        headers: {},
        body: Buffer.alloc(0),
      });
      const etag = status === 200 ? String(headers.etag) : undefined;
      if (wanted !== undefined && etag === undefined) return refusal(404, 'NoSuchKey');
      const isMet = wanted === undefined ? etag === undefined : etag === wanted;
      return isMet ? forward(request) : refusal(412, 'PreconditionFailed');
    });
    last = write.catch(() => undefined);
    return write;
  };
}

function refusal(status: number, code: string) {
  const message = 'At least one of the pre-conditions you specified did not hold';
  const xml = `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
  return { status, headers: { 'content-type': 'application/xml' }, body: Buffer.from(xml) };
}
