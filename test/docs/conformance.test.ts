import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { CLAUSES, SILENCES } from '../../docs/clauses.ts';
import { conformanceDocument, MARKS, ownNames, testsOfRoute, testsThatName } from '../../docs/conformance.ts';
import { GAPS } from '../../docs/gaps.ts';
import { markOfClause, markOfDecision, markOfThreat, marksIn } from '../../docs/marks.ts';
import { ROUTES } from '../../functions/routes.ts';
import { threatsOfPage } from '../support/threats.ts';

const sections = readFileSync(new URL('../../docs/decisions.md', import.meta.url), 'utf8').split(/^## /m);
const titlesIn = (text: string) => [...text.matchAll(/^### (.+)$/gm)].map(([, title]) => title!);
const decisions = sections.flatMap(titlesIn);
const clauseMarks = Object.entries(CLAUSES).flatMap(([heading, clauses]) =>
  clauses.map((clause) => markOfClause(heading, clause)),
);
const marked = new Set(MARKS.map(({ text }) => text));

describe('a mark', () => {
  it('names a clause of the specification, a decision or a threat', () => {
    const threats = threatsOfPage().map(({ threat }) => markOfThreat(threat));
    const known = new Set([...clauseMarks, ...decisions.map(markOfDecision), ...threats]);

    expect(MARKS.filter(({ text }) => !known.has(text))).toEqual([]);
  });

  it('stands above a test with a title', () => {
    expect(MARKS.length).toBeGreaterThan(300);
    expect(MARKS.filter(({ title }) => !title)).toEqual([]);
  });

  it.each([
    ["it('is paid', () => {", 'is paid'],
    ["test.concurrent.each(codes)('%s is answered', async (code) => {", '%s is answered'],
    ["  it.each([\n    ['a', f('b')],\n  ] as const)(\n    'takes %s',\n", 'takes %s'],
    ["it.each<[string, number]>([\n  ['a', 1],\n])('takes %s', (a) => {", 'takes %s'],
    ["it('does not hand out a record\\'s token', () => {", "does not hand out a record's token"],
    ['it("does not hand out a record\'s token", () => {', "does not hand out a record's token"],
    ['// Spec, Limits: "another mark"\n  describe.concurrent(`a purchase`, () => {', 'a purchase'],
    ['const purchase = 1;', undefined],
  ])('above %j has the title %j', (behind, title) => {
    const [mark] = marksIn(['test/x.test.ts', `  // Spec, Limits: "any unique string"\n${behind}`]);

    expect(mark).toEqual({ text: 'Spec, Limits: "any unique string"', file: 'test/x.test.ts', title });
  });
});

describe('a clause of the specification', () => {
  it('stands once under its heading', () => {
    expect(clauseMarks.filter((mark, index) => clauseMarks.indexOf(mark) !== index)).toEqual([]);
  });

  it('is proven by a test', () => {
    expect(clauseMarks.filter((mark) => !marked.has(mark))).toEqual([]);
  });
});

describe('a decision', () => {
  /** A record about how the project is built answers no open point of the specification. */
  const answers = sections.filter((section) => !section.startsWith('How it is built')).flatMap(titlesIn);

  it('that answers what the specification leaves open is shown by a test', () => {
    expect(answers.length).toBeGreaterThan(20);
    expect(answers.filter((title) => !marked.has(markOfDecision(title)))).toEqual([]);
  });

  it('closes each topic that the specification does not show', () => {
    const closing = Object.keys(SILENCES);

    expect(closing.filter((title) => !decisions.includes(title))).toEqual([]);
    expect(closing.filter((title) => !marked.has(markOfDecision(title)))).toEqual([]);
  });

  it('that a gap names exists', () => {
    const named = GAPS.flatMap(({ text }) =>
      [...text.matchAll(/decision "([^"]+)"/g)].map(([, title]) => title),
    );

    expect(named.filter((title) => !decisions.includes(title!))).toEqual([]);
  });
});

describe('the document', () => {
  const document = conformanceDocument();

  it('has every clause', () => {
    const quoted = document.replaceAll(/\n */g, ' ').replaceAll('\\<', '<');

    expect(
      Object.values(CLAUSES)
        .flat()
        .filter((clause) => !quoted.includes(`“${clause}”`)),
    ).toEqual([]);
  });

  it('has lines of at most 120 columns', () => {
    expect(document.split('\n').filter((line) => line.length > 120)).toEqual([]);
  });
});

describe('a code, a status or an event of ours', () => {
  it.each(ownNames())('is named by a test: %s', (name) => expect(testsThatName(name)).not.toEqual([]));
});

describe('the routes', () => {
  it.each(ROUTES.map((route) => [route.function, route] as const))('have tests named after %s', (_, route) =>
    expect(testsOfRoute(route)).not.toEqual([]),
  );

  /**
   * docs/decisions.md: "Charge limits of a client", "Quotes and open promises", "Webhooks", "Facts that partners
   * learn", "Receipts and reports". Cancel: docs/life-of-a-purchase.md.
   */
  const OURS = [
    '/v1/laas/clients/{kycToken}/limits',
    '/v1/laas/quotes',
    '/v1/laas/transactions/{id}/cancel',
    '/v1/laas/events',
    '/v1/laas/events/{eventId}',
    '/v1/laas/events/{eventId}/replay',
    '/v1/laas/events/replay',
    '/v1/laas/transactions',
    '/v1/laas/transactions/{id}',
    '/v1/laas/transactions/{id}/receipt',
  ];
  const specified = ROUTES.filter(({ path }) => path.startsWith('/v1/') && !OURS.includes(path));

  // Spec, Versioning: "All LaaS endpoints are under /v1/laas/"
  it('are the five endpoints of the specification, and ours apart from them', () => {
    const others = ROUTES.filter((route) => !specified.includes(route));

    expect(specified.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/laas/kyc/submit',
      'GET /v1/laas/clients/{kycToken}',
      'POST /v1/laas/transactions/initiate',
      'POST /v1/laas/transactions/{id}/mfa',
      'GET /v1/laas/transactions/{id}/status',
    ]);
    expect(others.map(({ path }) => path).filter((path) => path.startsWith('/v1/'))).toEqual(OURS);
    expect(new Set(others.map(({ path }) => path.split('/')[1]))).toEqual(
      new Set(['v1', 'laas', 'callbacks']),
    );
  });
});
