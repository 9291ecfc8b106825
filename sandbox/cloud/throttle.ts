import { type Fields, fields, list, text } from './wire.ts';

/**
 * Returns true if a request at `now` (milliseconds) may pass. A request that passes counts against the limit.
 */
export type Throttle = (now: number) => boolean;

/** A token bucket that holds at most `burst` tokens and gains `ratePerSecond`. Each request takes one token. */
export function tokenBucket(ratePerSecond: number, burst: number): Throttle {
  let tokens = burst;
  let at: number | undefined;
  return (now) => {
    tokens = Math.min(burst, tokens + ((now - (at ?? now)) / 1000) * ratePerSecond);
    at = now;
    if (tokens < 1) return false;
    tokens -= 1;
    return true;
  };
}

/**
 * Makes the request limit of one method from the settings of the API's stage. Each method has a token bucket
 * of its own, even if its numbers are the stage's. Undefined if the stage sets no limits. AWS then applies
 * the account's limits, which are not simulated.
 */
export function throttleOf(stage: Fields | undefined, method: string, path: string): Throttle | undefined {
  const settings = list(stage?.MethodSettings).map(fields);
  const own = settings.find(
    ({ HttpMethod, ResourcePath }) => HttpMethod === method && plain(text(ResourcePath)) === path,
  );
  const usual = settings.find(({ HttpMethod, ResourcePath }) => HttpMethod === '*' && ResourcePath === '/*');
  const limitOf = (name: string) => own?.[name] ?? usual?.[name];
  const [rate, burst] = [limitOf('ThrottlingRateLimit'), limitOf('ThrottlingBurstLimit')];
  return rate === undefined || burst === undefined ? undefined : tokenBucket(Number(rate), Number(burst));
}

/** Decodes the path in a method setting. A stage writes `/a/b` as `/~1a~1b`, as JSON Pointer does. */
const plain = (path: string) => path.slice(1).replaceAll('~1', '/');
