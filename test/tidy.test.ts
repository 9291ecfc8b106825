/** The house rules. A rule that a linter or the compiler keeps is not repeated here. */

import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { outdated } from '../docs/generate.ts';
import { ERRORS, type ErrorCode } from '../functions/domain/errors.ts';
import { PROVIDERS } from '../functions/domain/purchase/story-obstacles.ts';
import { ROUTES } from '../functions/routes.ts';
import { functionIdOf } from '../infra/sources.ts';
import { missingPlatforms, readLock } from './support/lock-platforms.ts';

const ROOT = new URL('..', import.meta.url).pathname;
const SKIPPED = ['node_modules', '.git', '.cache', 'cdk.out', 'dist', 'package-lock.json'];
/** Text files of ours. The lists and keys of the simulators are not among them. */
const TEXT = /\.(ts|json|md|sol)$|^\.ci\//;

const paths = readdirSync(ROOT)
  .filter((name) => !SKIPPED.includes(name))
  .flatMap(below)
  .filter((path) => TEXT.test(path));
const texts = new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
const sources = [...texts].filter(([path]) => path.endsWith('.ts'));
const functions = sources.filter(([path]) => path.startsWith('functions/'));

function below(name: string): string[] {
  if (!statSync(join(ROOT, name)).isDirectory()) return [name];
  return readdirSync(join(ROOT, name), { recursive: true, encoding: 'utf8' })
    .map((file) => join(name, file))
    .filter((path) => statSync(join(ROOT, path)).isFile());
}

/** `path:line text` for every line of code that `pattern` matches; comments are not code. */
function linesWith(pattern: RegExp, files: [string, string][]): string[] {
  return files.flatMap(([path, text]) =>
    text
      .split('\n')
      .map((line, index) => ({ line, at: `${path}:${index + 1}` }))
      .filter(({ line }) => !/^\s*(\/?\*|\/\/)/.test(line) && pattern.test(line))
      .map(({ line, at }) => `${at} ${line.trim()}`),
  );
}

describe('imports', () => {
  const HANDLERS = /^functions\/(api|callbacks|steps|queues|schedules)\//;
  const DOMAIN_LIBRARIES = [
    'ethers/address',
    '@brazilian-utils/brazilian-utils/is-valid-cpf',
    '@brazilian-utils/brazilian-utils/is-valid-cnpj',
  ];
  const DESCRIPTIONS = /^functions\/(tables|tables\/(describe|sharded)|settings)\.ts$/;
  /** The files, by their path, and what they may import: files, files for their types alone, and packages. */
  const DIRECTIONS: { from: RegExp; to: RegExp[]; types?: RegExp; libraries?: string[] }[] = [
    { from: /^client\//, to: [/^client\//], libraries: [] },
    { from: /^functions\/domain\//, to: [/^functions\/domain\//], libraries: DOMAIN_LIBRARIES },
    {
      from: /^functions\/adapters\//,
      to: [/^functions\/(adapters|domain)\//, /^functions\/(settings|tables\/(describe|sharded))\.ts$/],
    },
    {
      from: /^functions\/entry\//,
      to: [/^functions\/(entry|domain)\//, /^functions\/(logic\/ids|adapters\/live|routes)\.ts$/],
    },
    { from: /^functions\/logic\//, to: [/^functions\/(logic|domain)\//] },
    // Handlers never import each other: what two of them do is in `logic`.
    { from: HANDLERS, to: [/^functions\/(domain|entry|logic)\//, /^functions\/routes\.ts$/] },
    { from: /^functions\/routes\.ts$/, to: [/^functions\/domain\//] },
    // Descriptions need types alone of other folders, so a function that loads one loads nothing else.
    {
      from: /^functions\/(tables|settings)/,
      to: [/^functions\/tables\//],
      types: /^functions\/(domain\/|adapters\/dynamodb\/rows\.ts$)/,
    },
    // The command acts on the stores as the functions do.
    {
      from: /^operations\//,
      to: [/^(operations|statemachines)\//, /^functions\/(domain|logic|adapters)\//, DESCRIPTIONS],
    },
    {
      from: /^infra\/sandbox\.ts$/,
      to: [
        /^(infra|sandbox)\//,
        /^docs\/openapi\/operations\.ts$/,
        /^functions\/routes\.ts$/,
        /^functions\/domain\//,
      ],
      types: /./,
    },
    // Types are gone when the code runs, so infrastructure may import the types of what it configures.
    {
      from: /^infra\//,
      to: [/^infra\//, /^docs\/site\.ts$/, /^functions\/routes\.ts$/, /^functions\/domain\//, DESCRIPTIONS],
      types: /./,
    },
    // The description of the API is made from what the endpoints declare.
    {
      from: /^docs\/openapi\//,
      to: [/^docs\//, /^functions\/(domain|entry|logic)\//, /^functions\/routes\.ts$/],
    },
    // The pages for partners show what the sandbox lists, and the form of each event.
    {
      from: /^docs\/(partner-pages|event-examples)\.ts$/,
      to: [/^docs\//, /^functions\/(domain|logic)\//, /^sandbox\/providers\//],
    },
    { from: /^docs\//, to: [/^docs\//, /^functions\/(domain\/|routes\.ts$)/, DESCRIPTIONS] },
  ];

  it('point one way', () => {
    const wrong = sources.flatMap(([path, text]) => {
      const rule = DIRECTIONS.find(({ from }) => from.test(path));
      return rule
        ? importsOf(text)
            .filter((each) => !isAllowed(each, path, rule))
            .map((each) => `${path} → ${each.name}`)
        : [];
    });

    expect(wrong).toEqual([]);
  });

  it('run in no circle, types included', () => {
    const graph = new Map(sources.map(([path, text]) => [path, targetsOf(path, text)]));

    expect(circlesIn(graph)).toEqual([]);
  });

  it('of one subject of the domain name only those before it', () => {
    const subjectOf = (path: string) =>
      SUBJECTS.findIndex((name) => path.startsWith(`functions/domain/${name}/`));
    const ofDomain = functions.filter(([path]) => path.startsWith('functions/domain/'));
    const wrong = ofDomain.flatMap(([path, text]) =>
      targetsOf(path, text)
        // The list of all ports is above all subjects.
        .filter((target) => subjectOf(target) > subjectOf(path) && path !== 'functions/domain/ports.ts')
        .map((target) => `${path} → ${target}`),
    );

    expect(wrong).toEqual([]);
  });

  /** In their order: each may import those before it, and what lies beside the folders. */
  const SUBJECTS = ['partners', 'screening', 'kyc', 'purchase', 'treasury', 'books'];

  function targetsOf(path: string, text: string): string[] {
    const own = importsOf(text).filter(({ name }) => name.startsWith('.'));
    return own.map(({ name }) => relative(ROOT, resolve(ROOT, dirname(path), name)));
  }

  /** Each circle once, as the way around it. */
  function circlesIn(graph: ReadonlyMap<string, string[]>): string[] {
    const done = new Set<string>();
    const found: string[] = [];
    const visit = (path: string, way: string[]): void => {
      if (way.includes(path)) found.push([...way.slice(way.indexOf(path)), path].join(' → '));
      if (done.has(path) || way.includes(path)) return;
      for (const next of graph.get(path) ?? []) visit(next, [...way, path]);
      done.add(path);
    };
    for (const path of graph.keys()) visit(path, []);
    return found;
  }

  type Import = { name: string; isType: boolean };

  function importsOf(text: string): Import[] {
    const found = text.matchAll(/^(?:import|export) (type )?[^;]*?from '([^']+)'|\bimport\('([^']+)'\)/gm);
    return [...found].map(([, type, name, lazy]) => ({ name: (name ?? lazy)!, isType: type !== undefined }));
  }

  function isAllowed({ name, isType }: Import, path: string, rule: (typeof DIRECTIONS)[number]): boolean {
    if (!name.startsWith('.')) return !rule.libraries || rule.libraries.includes(name);
    const target = relative(ROOT, resolve(ROOT, dirname(path), name));
    return rule.to.some((each) => each.test(target)) || (isType && rule.types?.test(target) === true);
  }
});

describe('the outside', () => {
  const OUTSIDE = 'functions/adapters/live/environment.ts';
  const others = functions.filter(([path]) => path !== OUTSIDE);

  it('gives time and dice in one file only', () => {
    const dice = /Date\.now\b|new Date\(\)|Math\.random|\brandomUUID\(|\brandomBytes\(/;

    expect(linesWith(dice, others)).toEqual([]);
  });

  it('gives the environment in one file only', () => {
    expect(linesWith(/process\.env/, others)).toEqual([]);
  });
});

describe('a source', () => {
  it('has no any, no default export, no enum, and is no index', () => {
    const banned = /[:<] ?any\b|\bas any\b|^export default (?!defineConfig)|^(export )?(const )?enum /;

    expect(
      linesWith(
        banned,
        sources.filter(([path]) => path !== 'test/tidy.test.ts'),
      ),
    ).toEqual([]);
    expect(paths.filter((path) => /(^|\/)index\.ts$/.test(path))).toEqual([]);
  });

  it('that ships or runs the sandbox has at most 300 lines, and what ships has code of at most 110 columns', () => {
    const shipped = sources.filter(([path]) => /^(functions|infra|operations|client|docs)\//.test(path));
    const sandbox = sources.filter(([path]) => path.startsWith('sandbox/'));
    const isLong = ([, text]: [string, string]) => text.split('\n').length > 301;
    const long = [...shipped, ...sandbox].filter(isLong).map(([path]) => path);

    expect({ long, wide: linesWith(/^.{111}/, shipped) }).toEqual({ long: [], wide: [] });
  });

  it('has at most 120 columns in each line, comments included, except in a line that is one string', () => {
    const isString = (line: string) => /^\s*(\w+: )?(['"]).*\2,?$/.test(line);
    const isWide = (line: string) => line.length > 120 && !isString(line);
    const wide = sources.flatMap(([path, text]) =>
      text.split('\n').flatMap((line, index) => (isWide(line) ? [`${path}:${index + 1}`] : [])),
    );

    expect(wide).toEqual([]);
  });

  it('exports no value whose name another source of the service exports, besides these conventions', () => {
    const shared = ['handler', 'needs', 'makeClient', 'PROVIDER'];
    const shipped = sources.filter(([path]) => /^(functions|infra|operations)\//.test(path));
    const names = shipped.flatMap(([path, text]) =>
      [...text.matchAll(/^export (?:async )?(?:function|const|class) (\w+)/gm)].map(([, name = '']) => ({
        name,
        path,
      })),
    );
    const twice = [...Map.groupBy(names, ({ name }) => name)].filter(([, all]) => all.length > 1);

    expect(names.length).toBeGreaterThan(1000);
    expect(twice.filter(([name]) => !shared.includes(name))).toEqual([]);
  });

  it('spreads no object literal: the formatter breaks lines', () => {
    expect(linesWith(/\.\.\.\{/, sources)).toEqual([]);
  });
});

describe('an error code', () => {
  /** The codes that are refused in several places, or in none of ours, each with its reason. */
  const EXCEPTIONS: Partial<Record<ErrorCode, { places: number; because: string }>> = {
    NOT_FOUND: { places: 2, because: 'a stranger’s callback and an unknown page meet nothing' },
    INVALID_REQUEST: {
      places: 4,
      because: 'a field, its meaning, the body as a whole and a header may be wrong',
    },
    INVALID_API_KEY: {
      places: 3,
      because:
        'a malformed key is refused before a look-up, an unknown one after, one revoked meanwhile at its write',
    },
    KYC_REJECTED: { places: 2, because: 'an unverifiable token ends before there is a record' },
    MFA_ATTEMPTS_EXCEEDED: { places: 2, because: 'a transaction and a client have a limit each' },
  };

  it.each(Object.keys(ERRORS) as ErrorCode[])('%s is refused in its place', (code) => {
    const places = linesWith(new RegExp(`(refuse|new Refusal)\\('${code}'`), functions);

    expect(places.length, places.join('\n')).toBe(EXCEPTIONS[code]?.places ?? 1);
  });
});

describe('a remedy for a provider that does not answer', () => {
  it.each(PROVIDERS)('fits a message that begins with "%s"', (name) => {
    const message = new RegExp(`['\`]${name}`);
    const others = functions.filter(([path]) => !path.endsWith('/story-obstacles.ts'));

    expect(linesWith(message, others)).not.toEqual([]);
  });
});

describe('a function', () => {
  const isTestOf = (path: string, name: string) =>
    ['functions', 'wire'].some((folder) => path === `test/${folder}/${name}.test.ts`);
  const kebab = (id: string) => id.replace(/(?<!^)[A-Z]/g, '-$&').toLowerCase();

  it.each(ROUTES)('$function has its file and its test', ({ function: id, path }) => {
    const beginnings = { '/callbacks/': 'callbacks', '/laas/partner': 'api/partner' };
    const folder = Object.entries(beginnings).find(([begin]) => path.startsWith(begin))?.[1] ?? 'api';

    expect(paths).toContain(`functions/${folder}/${kebab(id)}.ts`);
    expect(paths.filter((each) => isTestOf(each, kebab(id)))).not.toEqual([]);
  });

  it('below steps/ is a Task of the state machine by the same name, and every Task is one', () => {
    const { States } = JSON.parse(texts.get('statemachines/onramp.asl.json')!) as {
      States: Record<string, { Type: string }>;
    };
    const tasks = Object.keys(States).filter((name) => States[name]?.Type === 'Task');
    const steps = paths.filter((path) => path.startsWith('functions/steps/'));

    expect(
      steps.map((path) => functionIdOf(path.slice('functions/steps/'.length, -'.ts'.length))).sort(),
    ).toEqual(tasks.sort());
  });
});

describe('the lock file', () => {
  it('knows the packages of every platform, or `npm ci` refuses it: npm run lock', () => {
    expect(missingPlatforms(readLock())).toEqual([]);
  });

  it('names no registry', () => {
    expect(JSON.stringify(readLock())).not.toContain('"resolved"');
  });
});

describe('the project', () => {
  it('has generated documents that equal what generates them', () => {
    expect(outdated()).toEqual([]);
  });

  it('names no path of a machine and no private registry', () => {
    const machine = /(?<![\w.:/@>)}-])\/(?:home|root|Users|work|workspace|mnt)\/\w/;
    const registry =
      /(?:registry|artifactory|nexus|verdaccio)\.(?!npmjs\.org)[\w-]+\.(?:com|org|net|io|dev|internal)/;
    const named = [...texts].filter(([, text]) => machine.test(text) || registry.test(text));

    expect(named.map(([path]) => path)).toEqual([]);
    const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8');
    expect(lock.match(/"resolved": "(?!https:\/\/registry\.npmjs\.org\/).*"/g) ?? []).toEqual([]);
  });

  it('names no document that it does not have', () => {
    const isThere = (name: string, path: string) =>
      paths.includes(join(name)) ||
      paths.includes(join(dirname(path), name)) ||
      (!name.includes('/') && paths.some((each) => basename(each) === name));
    const missing = [...texts].flatMap(([path, text]) =>
      [...text.matchAll(/(?<![\w/.:-])[\w./-]+\.md\b/g)]
        .filter(([name]) => !isThere(name, path))
        .map(([name]) => `${path} → ${name}`),
    );

    expect(missing).toEqual([]);
  });

  it('speaks of its own decisions, not of an outline', () => {
    const outline = /\bdesign(?:'s)?,? section|\bsection \d+ of the design|\bthe design’s|\bissue #?\d/i;
    const named = [...texts].filter(([path, text]) => path !== 'test/tidy.test.ts' && outline.test(text));

    expect(named.map(([path]) => path)).toEqual([]);
  });
});
