/** Reads days and instants as people write them. Without a time zone they are in Brasília's time. */
import {
  DAY_MS,
  dayInBrasilia,
  HOUR_MS,
  MINUTE_MS,
  type Period,
  periodInBrasilia,
} from '../functions/domain/time.ts';
import { type Given, requireText } from './command.ts';
import { misused } from './words.ts';

const WORDS: Readonly<Record<string, number>> = { today: 0, yesterday: -1 };

/** The day as `YYYY-MM-DD`. It may also be written as 20/11/2026, `today` or `yesterday`. */
export function requireDay(text: string, now: number): string {
  const day = findDay(text, now);
  return day ?? misused(`${text} is no day: write it as 2026-11-20, 20/11/2026, today or yesterday.`);
}

function findDay(text: string, now: number): string | undefined {
  const days = WORDS[text.toLowerCase()];
  if (days !== undefined) return dayInBrasilia(now + days * DAY_MS);
  const day = text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$2-$1');
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(`${day}T12:00:00Z`) : Number.NaN;
  // A date parser reads the 31st of a short month as another day. Therefore the day is written again and compared.
  return !Number.isNaN(at) && dayInBrasilia(at) === day ? day : undefined;
}

/** A day as `requireDay` reads it, a month such as 2026-11 or 11/2026, or a year. */
export function requirePeriod(text: string, now: number): Period {
  const name = findDay(text, now) ?? text.replace(/^(\d\d)\/(\d{4})$/, '$2-$1');
  const [first, last] = /^\d{4}$/.test(name) ? [`${name}-01`, `${name}-12`] : [name, name];
  const [begin, end] = [first, last].map((each) => (FORM.test(each) ? periodInBrasilia(each) : undefined));
  if (begin && end) return { from: begin.from, to: end.to };
  return misused(`${text} is no day, month or year: write it as 2026-11-20, 20/11/2026, 2026-11 or 2026.`);
}

const FORM = /^\d{4}-\d\d(-\d\d)?$/;

/**
 * The instant in epoch milliseconds. It is written as a day, with or without a time and a zone, or as a span such as
 * `2h` before now.
 */
export function instantIn(text: string, now: number): number {
  const [, count, unit] = /^(\d+) ?(min|h|d)( ago)?$/.exec(text) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * (SPANS[unit] ?? 0);
  const [, day = '', time = '00:00', zone = '-03:00'] =
    /^([^ T]+)(?:[ T]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  const found = findDay(day, now);
  const at = found === undefined ? Number.NaN : Date.parse(`${found}T${time}${zone}`);
  if (!Number.isNaN(at)) return at;
  return misused(`${text} is no instant: write it as 2026-11-20T12:00:00Z, 20/11/2026 09:00, or 2h ago.`);
}

const SPANS: Readonly<Record<string, number>> = { min: MINUTE_MS, h: HOUR_MS, d: DAY_MS };

export type Span = { since: number; until: number };

/** The last days. The end is a day from now, because the clock that wrote a row may be ahead. */
export const lastDays = (days: number, now: number): Span => ({
  since: now - days * DAY_MS,
  until: now + DAY_MS,
});

/** The period of `--since` and `--until`. By default it is that of `lastDays`. */
export function spanIn(given: Given, now: number, days: number): Span {
  const { flags } = given;
  const usual = lastDays(days, now);
  const until = flags.until === undefined ? usual.until : instantIn(requireText(given, 'until'), now);
  const since = flags.since === undefined ? usual.since : instantIn(requireText(given, 'since'), now);
  return since < until ? { since, until } : misused('--since must be before --until.');
}
