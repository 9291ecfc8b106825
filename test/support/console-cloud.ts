/** The console as it is deployed: its function with its own role behind API Gateway, and a simulated issuer. */

import { createOnrampClient } from '../../client/onramp-client.ts';
import type { PolicyChanges } from '../../functions/domain/acts/act-policy.ts';
import type { Decision } from '../../sandbox/cloud/iam.ts';
import { startIssuer } from '../../sandbox/issuer/issuer.ts';
import { startSandbox } from '../../sandbox/sandbox.ts';
import { changedAssembly } from './assemblies.ts';
import { rightsIn, templateIn } from './grant-report.ts';
import { judge } from './unused-grants.ts';

const LONG_MS = 360_000;
const clientId = 'console';
/** The issuer in the template. It is replaced at the start, because the simulated issuer's port is known only then. */
const PLACEHOLDER = 'http://issuer.invalid';

/** This sandbox wants a second person for an act, as production does. */
const OPERATORS: PolicyChanges = {
  acts: { 'partners suspend': { second: { by: ['compliance'], withinHours: 1 } } },
};

/** A person of each role, one with an unknown role, and one whom the issuer does not have. */
const NAMES = {
  viewer: 'vera',
  operator: 'otto',
  compliance: 'cora',
  admin: 'axel',
  none: 'nils',
  nobody: 'nobody',
} as const;
type Kind = keyof typeof NAMES;
export const personOf = (kind: Kind): string => NAMES[kind];

const PEOPLE = Object.fromEntries(
  Object.entries(NAMES)
    .filter(([kind]) => kind !== 'nobody')
    .map(([kind, name]) => [
      name,
      { sub: name, email: `${name}@onramp.example`, email_verified: true, groups: [kind] },
    ]),
);

export async function startConsoleCloud() {
  const issuer = await startIssuer({ clientId, redirectUrl: '', people: PEOPLE });
  const decisions: Decision[] = [];
  let assembly = '';
  const sandbox = await startSandbox({
    minuteSeconds: 2,
    console: { issuer: { url: PLACEHOLDER, clientId, claim: 'groups' } },
    onDecision: (decision) => decisions.push(decision),
    changeAssembly(synthesized) {
      assembly = changedAssembly(synthesized, ({ propertiesOf }) => {
        const properties = propertiesOf('ConsoleFunction', 'AWS::Lambda::Function');
        const text = JSON.stringify(properties.Environment).replace(PLACEHOLDER, issuer.url);
        const { Variables } = JSON.parse(text) as { Variables: object };
        properties.Environment = { Variables: { ...Variables, OPERATORS: JSON.stringify(OPERATORS) } };
      });
      return assembly;
    },
  });
  const api = sandbox.cloud.apis['onramp-console-sandbox']!;
  issuer.registered = { clientId, redirectUrl: `${api}/sign-in/callback`, people: PEOPLE };
  const client = createOnrampClient({
    apiKey: sandbox.apiKey,
    baseUrl: sandbox.url,
    timeoutMs: LONG_MS,
  });
  const isOfConsole = ({ roleArn }: { roleArn: string }) => /Console/.test(roleArn);
  return {
    sandbox,
    client,
    issuer,
    url: `${api}/console`,
    /** The calls of the console's function so far. */
    decisions: () => decisions.filter(isOfConsole),
    /** The grants of the console's function that no call so far has used, and that have no reason. */
    unused() {
      const rights = rightsIn(templateIn(assembly), decisions);
      const { unexplained } = judge({ ...rights, needsOf: new Map() });
      return unexplained.filter((line) => line.startsWith('Console'));
    },
    async stop() {
      await sandbox.stop();
      await issuer.stop();
    },
  };
}

/** A person with a browser that runs no script: it keeps cookies and follows redirects, as a test tells it. */
export function browserAt(url: string) {
  const jar = new Map<string, string>();

  async function go(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const headers = { cookie, 'sec-fetch-site': 'same-origin', ...init.headers };
    const answer = await fetch(new URL(path, url), { redirect: 'manual', ...init, headers });
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      if (value) jar.set(name, value);
      else jar.delete(name);
    }
    return answer;
  }

  return {
    go,
    jar,
    /** Signs in at the issuer as this person, and answers the page after it. */
    async signIn(name: string): Promise<Response> {
      const begun = await go('/console/sign-in/begin');
      const form = new URLSearchParams({ person: name });
      const atIssuer = { method: 'POST', body: form, redirect: 'manual' } as const;
      const back = await fetch(begun.headers.get('location')!, atIssuer);
      return go(back.headers.get('location')!);
    },
    /** The page, after the redirects of a search. */
    async read(path: string): Promise<{ status: number; text: string }> {
      const answer = await go(path);
      const to = answer.headers.get('location');
      return to ? this.read(to) : { status: answer.status, text: await answer.text() };
    },
    send: (path: string, form: Record<string, string>) =>
      go(path, { method: 'POST', body: new URLSearchParams(form) }),
  };
}
