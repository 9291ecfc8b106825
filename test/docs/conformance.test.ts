import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ERRORS } from '../../functions/domain/errors.ts';
import { EVENT_TYPES } from '../../functions/domain/partners/events.ts';
import { STATUS_NAMES } from '../../functions/domain/purchase/status.ts';
import { ROUTES } from '../../functions/routes.ts';

const ROOT = new URL('../..', import.meta.url).pathname;
/** What the specification says that it does not show, or leaves unresolved: all of it, in its order. */
const SILENCES = [
  ...[
    'the value of the sandbox’s test CPF',
    'fields of the record beyond those listed',
    'the partner resource',
  ],
  ...['how PENDING_AUTH relates to the states', 'transitions', 'whether biometricHash is enforced'],
  ...['other allowed values of mode', 'REST body field names', 'response envelope', 'other response fields'],
  ...['partner management endpoints', 'request signing scheme', 'how keys are issued'],
  ...['whether sandbox and production keys differ', 'whether both events after liveness are sent'],
  ...['webhook registration', 'delivery headers and signing', 'retry policy', 'envelope'],
  ...['other payload fields of transaction.mfa_cleared and', 'events for failure and expiry'],
  ...['the code of amounts outside 50..50000', 'the code of an unsupported asset'],
  ...['the code of missing or malformed fields', 'the code of an unknown KYC token'],
  ...['other values of details.reason', 'status and code for an expired transaction'],
  ...['how long an idempotency key is remembered', 'deprecation policy', 'other versions'],
  'version negotiation',
];

const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');
const document = read('docs/conformance.md');
/** A sentence may break its line anywhere. */
const flat = document.replaceAll(/\s+/g, ' ');
const decisions = read('docs/decisions.md');
const unique = <T>(items: T[]) => [...new Set(items)];
const isThere = (path: string) => existsSync(join(ROOT, path));

const sources = [
  ...document.matchAll(/`((?:[\w-]+\/)*[\w-][\w.-]*\.(?:ts|json|md))`(?: \(((?:`\w+`(?:, )?)+)\))?/g),
].map(([, file = '', names = '']) => ({
  path: file,
  names: [...names.matchAll(/\w+/g)].map(([name]) => name),
}));
const shown = [...flat.matchAll(/`(test\/[\w/.-]+)` › "([^"]+)"/g)].map(([, path = '', title = '']) => ({
  path,
  title,
}));
const isRow = (line: string) => line.startsWith('| ') && !/^\| (-+|Section|Sentence) /.test(line);
/** The rows of a section's table, cell by cell. */
const rowsOf = (heading: string) =>
  (document.split(/^##+ /m).find((section) => section.startsWith(`${heading}\n`)) ?? '')
    .split('\n')
    .filter(isRow)
    .map((line) =>
      line
        .slice(2, -2)
        .split(' | ')
        .map((cell) => cell.trim()),
    );

/** A test's title may stand in a table beside its `test.each`; a comment is none. */
const codeOf = (path: string) => read(path).replaceAll(/^\s*(\/\/|\/?\*).*$/gm, '');

describe('a row', () => {
  it('names files of ours, and what is in them', () => {
    const missing = sources.filter(({ path }) => !isThere(path)).map(({ path }) => path);
    const unknown = sources
      .filter(({ path }) => isThere(path))
      .flatMap(({ path, names }) => names.map((name) => ({ path, name })))
      .filter(({ path, name }) => !new RegExp(`\\b${name}\\b`).test(read(path)));

    expect(sources.length).toBeGreaterThan(100);
    expect({ missing: unique(missing), unknown }).toEqual({ missing: [], unknown: [] });
  });

  it('names tests by words of their titles', () => {
    const missing = shown.filter(({ path }) => !isThere(path));
    const unknown = shown
      .filter(({ path }) => isThere(path))
      .filter(({ path, title }) => !codeOf(path).includes(title));

    expect(shown.length).toBeGreaterThan(100);
    expect({ missing, unknown }).toEqual({ missing: [], unknown: [] });
  });

  it('has its place of decision and its test', () => {
    const rows = document.split('\n').filter(isRow);

    expect(rows.filter((line) => !/`[\w./-]+\.(ts|json)`|decision "/.test(line))).toEqual([]);
    expect(rows.filter((line) => !line.includes('› "'))).toEqual([]);
  });
});

describe('a gap', () => {
  const listed = [...document.matchAll(/^(\d+)\. /gm)].map(([, number]) => Number(number));
  const named = [...flat.matchAll(/\(gaps? ([\d, ]+)\)/g)].flatMap(([, numbers]) =>
    numbers!.split(', ').map(Number),
  );

  it('has a number of its own, and a row that leads to it', () => {
    expect(listed).toEqual(listed.map((_, index) => index + 1));
    expect(unique(named).sort((a, b) => a - b)).toEqual(listed);
  });
});

describe('everything that a partner meets', () => {
  it('has its row: every code, status, event and route', () => {
    const rows = document.split('\n').filter(isRow).join('\n');
    const words = [
      ...[...Object.keys(ERRORS), ...STATUS_NAMES, ...EVENT_TYPES],
      ...ROUTES.filter(({ path }) => !path.startsWith('/v1/')).map(({ method, path }) => `${method} ${path}`),
    ];

    expect(words.filter((word) => !rows.includes(`\`${word}\``))).toEqual([]);
    const specified = ROUTES.filter(({ path }) => path.startsWith('/v1/'));
    expect(specified.filter(({ method, path }) => !document.includes(`\n\`${method} ${path}\`\n`))).toEqual(
      [],
    );
  });

  it('has the five endpoints of the specification, and those of ours apart from them', () => {
    const specified = ROUTES.filter(({ path }) => path.startsWith('/v1/'));

    expect(specified.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'POST /v1/laas/kyc/submit',
      'GET /v1/laas/clients/{kycToken}',
      'POST /v1/laas/transactions/initiate',
      'POST /v1/laas/transactions/{id}/mfa',
      'GET /v1/laas/transactions/{id}/status',
    ]);
    const others = ROUTES.filter(({ path }) => !path.startsWith('/v1/')).map(
      ({ path }) => path.split('/')[1],
    );
    expect(unique(others)).toEqual(['laas', 'callbacks']);
  });
});

describe('what the specification does not show', () => {
  const rows = rowsOf('What the specification does not show');

  it('is listed whole, in its order', () => {
    const plain = rows.map(([, topic = '']) => topic.replaceAll('`', '').replaceAll("'", '’'));

    expect(plain.map((topic, index) => topic.startsWith(SILENCES[index] ?? 'nothing more'))).toEqual(
      SILENCES.map(() => true),
    );
  });

  it('is closed by an entry each', () => {
    expect(rows.filter(([, , closed]) => !/^decision "[^"]+"$/.test(closed!))).toEqual([]);
  });
});

describe('a decision', () => {
  /** A record about how we build answers no open point of the specification. */
  const entries = decisions
    .split(/^## /m)
    .slice(1)
    .filter((section) => !section.startsWith('How it is built'))
    .flatMap((section) => section.split(/^### /m).slice(1))
    .map((entry) => entry.slice(0, entry.indexOf('\n')));

  it('that is named exists under that title', () => {
    const named = unique([...flat.matchAll(/decision "([^"]+)"/g)].map(([, title]) => title!));

    expect(named.filter((title) => !decisions.includes(`\n### ${title}\n`))).toEqual([]);
  });

  it('that closes something open is reached from here', () => {
    expect(entries.filter((title) => !flat.includes(`decision "${title}"`))).toEqual([]);
  });
});
