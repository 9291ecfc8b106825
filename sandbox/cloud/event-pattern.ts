import { dig, type Fields, fields, list, text } from './wire.ts';

/**
 * True if the event matches a pattern in EventBridge's language. Pipes and event source mappings use these
 * patterns as filters.
 */
export function matchesPattern(pattern: unknown, event: unknown): boolean {
  // If the value is a list of objects, one of them must match as a whole.
  if (Array.isArray(event)) return event.some((each) => matchesPattern(pattern, each));
  return Object.entries(fields(pattern)).every(([key, wanted]) => {
    if (key === '$or') return list(wanted).some((each) => matchesPattern(each, event));
    const actual = dig(event, [key]);
    if (!Array.isArray(wanted)) return typeof actual === 'object' && matchesPattern(wanted, actual);
    return wanted.some((rule) => list(actual ?? [undefined]).some((value) => matchesRule(rule, value)));
  });
}

function matchesRule(rule: unknown, value: unknown): boolean {
  if (typeof rule !== 'object' || rule === null) return rule === value;
  const [[operator, operand] = ['', undefined]] = Object.entries(rule as Fields);
  switch (operator) {
    case 'exists':
      return (value !== undefined) === operand;
    case 'prefix':
      return typeof value === 'string' && value.startsWith(String(operand));
    case 'suffix':
      return typeof value === 'string' && value.endsWith(String(operand));
    case 'equals-ignore-case':
      return typeof value === 'string' && value.toLowerCase() === String(operand).toLowerCase();
    case 'anything-but':
      return value !== undefined && !list(operand).includes(value);
    case 'numeric':
      return typeof value === 'number' && inRange(list(operand), value);
    default:
      throw new Error(`The filter operator ${operator} is not simulated`);
  }
}

function inRange(bounds: unknown[], value: number): boolean {
  for (let index = 0; index < bounds.length; index += 2) {
    const [sign, bound] = [String(bounds[index]), Number(bounds[index + 1])];
    const difference = value - bound;
    const ok = {
      '=': difference === 0,
      '<': difference < 0,
      '<=': difference <= 0,
      '>': difference > 0,
      '>=': difference >= 0,
    };
    if (!ok[sign as keyof typeof ok]) return false;
  }
  return true;
}

/**
 * Replaces each `<$.path>` in a pipe's input template by the event's value at that path, and
 * `<aws.pipes.event>` by the whole event. Inside a JSON string the value is escaped and has no quotes.
 */
export function fillTemplate(template: string, event: Fields): string {
  let quoted = false;
  return template.replace(/\\.|"|<(\$[^>]*|aws\.pipes\.event(?:\.json)?)>/g, (found, path?: string) => {
    if (found === '"') quoted = !quoted;
    if (path === undefined) return found;
    const value = path.startsWith('$') ? dig(event, segments(path)) : event;
    if (value === undefined) return quoted ? '' : 'null';
    const json = JSON.stringify(value);
    if (!quoted) return json;
    return typeof value === 'string' ? json.slice(1, -1) : JSON.stringify(json).slice(1, -1);
  });
}

function segments(path: string): string[] {
  return path
    .replace(/\[(?:'([^']+)'|(\d+))\]/g, '.$1$2')
    .split('.')
    .slice(1);
}

/** True if the event passes one of the filters of a mapping or a pipe, or there are none. */
export function passesFilters(properties: Fields, event: Fields): boolean {
  const filters = list(fields(properties.FilterCriteria).Filters);
  if (filters.length === 0) return true;
  return filters.some((filter) => matchesPattern(JSON.parse(text(fields(filter).Pattern)), event));
}
