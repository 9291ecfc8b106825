import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  afterReturns,
  afterStretch,
  type BooksProgress,
  newProgress,
  type PartDone,
  partAfter,
  RETURNS_STEP_MS,
  returnsNow,
  type Stretch,
  stretchNow,
} from '../../functions/domain/books/books-progress.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const AT = Date.UTC(2026, 10, 20, 12);

/** Each part of a stretch reaches only to the start of the next. */
function walk(stretch: Stretch, { stepMs = HOUR_MS, pages = 1, isFinal = true } = {}) {
  const parts: Stretch[] = [];
  for (let part: Stretch | undefined = stretch; part; ) {
    parts.push(part);
    part = partAfter(part, doneOf(part, { stepMs, pages, isFinal }));
  }
  return parts;
}

function doneOf(
  part: Stretch,
  { stepMs, pages, isFinal }: { stepMs: number; pages: number; isFinal: boolean },
): PartDone {
  if (part.part === 'TRANSFERS') return { upTo: isFinal ? part.to + 1 : part.to - HOUR_MS };
  if (part.part === 'RECEIVED') return { upTo: Math.min(part.at + stepMs, part.to) };
  const page = Number(part.after?.page ?? 1);
  return page < pages ? { after: { page: page + 1 } } : {};
}

/** The stretches of one run that is never short of time. */
function runTo(end: number, begun: BooksProgress): { progress: BooksProgress; stretches: Stretch[] } {
  const stretches: Stretch[] = [];
  let progress = begun;
  for (let stretch = stretchNow(progress, end); stretch; stretch = progress.stretch) {
    stretches.push(stretch);
    progress = afterStretch(progress, walk(stretch).at(-1)!, end);
  }
  return { progress, stretches };
}

function look(progress: BooksProgress, end: number): BooksProgress {
  const returns = returnsNow(progress, end)!;
  return afterReturns({ ...progress, returns }, { ...returns, at: returns.to });
}

describe('a stretch of the comparison', () => {
  test('compares the chain, then what was received, then each page of its days', () => {
    const midnight = Date.UTC(2026, 10, 20, 3);
    const parts = walk(
      { from: midnight - HOUR_MS, to: midnight + HOUR_MS, begun: AT, part: 'TRANSFERS' },
      { pages: 2 },
    );

    expect(
      parts.map((each) => ({ ...each, from: undefined, to: undefined, finalTo: undefined })),
    ).toMatchObject([
      { part: 'TRANSFERS' },
      { part: 'RECEIVED', at: midnight - HOUR_MS },
      { part: 'RECEIVED', at: midnight },
      { part: 'POSTINGS', day: '2026-11-19' },
      { part: 'POSTINGS', day: '2026-11-19', after: { page: 2 } },
      { part: 'POSTINGS', day: '2026-11-20' },
      { part: 'POSTINGS', day: '2026-11-20', after: { page: 2 } },
    ]);
  });

  test('is compared again when one part has failed, but the next stretch follows first', () => {
    const end = AT + 10 * HOUR_MS;
    const progress = { ...newProgress(end), comparedUpTo: AT };
    const [, received] = walk({ from: AT - HOUR_MS, to: AT + HOUR_MS, begun: end, part: 'TRANSFERS' });
    const parts = walk({ ...received!, failedFrom: AT - HOUR_MS });

    const after = afterStretch(progress, parts.at(-1)!, end);

    expect(after).toMatchObject({ comparedUpTo: AT, stretch: { from: AT + HOUR_MS } });
    const over = runTo(end, after).progress;
    expect(over).toMatchObject({ comparedUpTo: AT });
    expect(stretchNow(over, end)).toMatchObject({ from: AT - 2 * HOUR_MS });
    expect(stretchNow(over, end)).not.toHaveProperty('failedFrom');
  });
});

describe('the comparison', () => {
  test('leaves out no instant after a pause of any length, and repeats the overlap with the last run', () => {
    const instants = fc.integer({ min: 1, max: 60 * 24 });
    fc.assert(
      fc.property(fc.array(instants, { minLength: 1, maxLength: 5 }), (minutes) => {
        let [end, progress] = [AT, newProgress(AT)];
        for (const pause of [0, ...minutes]) {
          const before = progress.comparedUpTo;
          end += pause * 60_000;
          const run = runTo(end, progress);
          progress = run.progress;
          const [first] = run.stretches;
          expect(first!.from).toBeLessThanOrEqual(before);
          for (const [at, { from }] of run.stretches.entries())
            if (at > 0) expect(from).toBe(run.stretches[at - 1]!.to);
          expect(progress.comparedUpTo).toBe(end);
        }
      }),
    );
  });

  test('continues with the next stretch after a stop, without the overlap', () => {
    const end = AT + 10 * HOUR_MS;
    const first = stretchNow({ ...newProgress(AT), stretch: undefined }, end)!;
    const stopped = afterStretch(newProgress(AT), walk(first).at(-1)!, end);

    expect(stretchNow(stopped, end + HOUR_MS)).toMatchObject({ from: first.to, part: 'TRANSFERS' });
  });

  test('repeats from the start of a comparison that took several runs, because some entries are shown late', () => {
    const progress = newProgress(AT);
    const last = AT + 5 * HOUR_MS;

    const over = runTo(last, progress).progress;

    expect(over.comparedUpTo).toBe(last);
    expect(stretchNow(over, last + HOUR_MS)).toMatchObject({ from: AT - 2 * HOUR_MS });
    const again = runTo(last + HOUR_MS, over).progress;
    expect(stretchNow(again, last + 2 * HOUR_MS)).toMatchObject({ from: last - HOUR_MS });
  });

  test('ends where blocks are final, and continues there in the next run', () => {
    const progress = newProgress(AT);

    const after = afterStretch(progress, walk(progress.stretch!, { isFinal: false }).at(-1)!, AT);

    expect(after).toMatchObject({ comparedUpTo: AT - HOUR_MS });
    expect(after).not.toHaveProperty('stretch');
  });

  test('leaves the last hours to later runs when a clock ahead has moved it', () => {
    const ahead = { version: 1, upTo: AT + DAY_MS, comparedUpTo: AT + DAY_MS };

    expect(stretchNow(ahead, AT)).toMatchObject({ from: AT - 2 * HOUR_MS, to: AT });
  });
});

describe('the look at returns of older payments', () => {
  test('is complete once all returns up to its time are compared', () => {
    const { progress } = runTo(AT, newProgress(AT));
    expect(progress).toMatchObject({ comparedUpTo: AT, upTo: AT - 2 * HOUR_MS });
    const begun = returnsNow(progress, AT)!;

    // Other returns are compared in the meantime. They do not complete the look.
    const meanwhile = runTo(AT + 3 * HOUR_MS, {
      ...progress,
      returns: { ...begun, at: AT - DAY_MS },
    }).progress;
    expect(meanwhile).toMatchObject({ comparedUpTo: AT + 3 * HOUR_MS, upTo: AT - 2 * HOUR_MS });
    const looked = afterReturns(meanwhile, returnsNow(meanwhile, AT + 3 * HOUR_MS)!);

    expect(looked).toMatchObject({ upTo: AT });
    expect(look(looked, AT + 4 * HOUR_MS)).toMatchObject({ upTo: AT + 3 * HOUR_MS });
  });

  test('stays open after a failure anywhere, and is repeated as a whole', () => {
    const { progress } = runTo(AT, newProgress(AT));
    const returns = returnsNow(progress, AT)!;

    const failed = afterReturns({ ...progress, returns }, { ...returns, isFailed: true });

    expect(failed.upTo).toBe(progress.upTo);
    expect(returnsNow(failed, AT)).toEqual(returns);
  });

  test('reaches back as far as a payment can be returned, in steps that providers answer', () => {
    const { from, to } = returnsNow({ version: 1, upTo: AT - HOUR_MS, comparedUpTo: AT }, AT)!;

    expect((AT - HOUR_MS - from) / DAY_MS).toBe(95);
    expect(to).toBe(AT);
    expect(RETURNS_STEP_MS).toBeLessThanOrEqual(10 * DAY_MS);
  });
});

describe('a period that an operator asks for', () => {
  const asked = { from: AT, to: AT + 5 * HOUR_MS };

  test('is compared once from start to end, without an overlap', () => {
    const { progress, stretches } = runTo(asked.to, newProgress(asked.to, asked));

    expect(stretches.map(({ from, to }) => [from - AT, to - AT])).toEqual([
      [0, 3 * HOUR_MS],
      [3 * HOUR_MS, 5 * HOUR_MS],
    ]);
    expect(stretchNow(progress, asked.to)).toBeUndefined();
    const looked = look(progress, asked.to);
    expect(looked.upTo).toBe(asked.to);
    expect(returnsNow(looked, asked.to)).toBeUndefined();
  });
});
