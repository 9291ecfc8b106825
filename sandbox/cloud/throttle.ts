import { type Fields, fields, list, text } from './wire.ts';

/** True: the request may pass, and it is counted. `now` is in milliseconds. */
export type Throttle = (now: number) => boolean;

/** A bucket of tokens: full it holds `burst`, and `ratePerSecond` tokens flow in. Each request takes one. */
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
 * Makes the throttle of one method from the settings of its stage. Each method has a bucket of its own, also where it
 * takes the limits of the whole stage. Without limits only those of the account hold, which a laptop does not play.
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

/** A stage writes `/a/b` as `/~1a~1b`, after JSON Pointer. */
const plain = (path: string) => path.slice(1).replaceAll('~1', '/');
