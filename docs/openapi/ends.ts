import { DAY_MS } from '../../functions/domain/time.ts';
import type { Route } from '../../functions/routes.ts';
import { headersOf } from './headers.ts';
import type { Schema } from './schemas.ts';

/** docs/decisions.md, "Versions". */
const NOTICE_DAYS = 180;

/**
 * Returns the OpenAPI marks and the response headers of a deprecated operation. Both are empty for any other
 * operation. Throws if fewer than `NOTICE_DAYS` days lie between the deprecation and the sunset. Throws also
 * if an operation has a sunset, but is not deprecated.
 */
export function endOf({ function: name, deprecated, sunset }: Route): { marks: Schema; headers: Schema } {
  if (!deprecated && sunset) throw new Error(`${name} has a sunset, but is not deprecated`);
  if (!deprecated) return { marks: {}, headers: {} };
  const days = sunset ? (Date.parse(sunset) - Date.parse(deprecated)) / DAY_MS : undefined;
  if (days !== undefined && !(days >= NOTICE_DAYS))
    throw new Error(`${name} must be deprecated for ${NOTICE_DAYS} days before its sunset`);
  return {
    marks: { deprecated: true, 'x-deprecated-since': deprecated, ...(sunset && { 'x-sunset': sunset }) },
    headers: headersOf(['Deprecation', ...(sunset ? ['Sunset' as const] : [])]),
  };
}
