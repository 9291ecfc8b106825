/** The console on its own tables, as a browser or a caller meets it. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { ListEntry } from '../../functions/adapters/lists/entry.ts';
import { policyOf } from '../../functions/domain/acts/act-policy.ts';
import type { ExecutionRecord } from '../../functions/domain/purchase/execution.ts';
import { consoleApp, type Door } from '../../operations/console/app.ts';
import { demoDoor } from '../../operations/console/demo-door.ts';
import type { Desk } from '../../operations/desk.ts';
import { reviewCaseStore } from '../../operations/stores/cases.ts';
import { dossier } from '../../operations/stores/dossier.ts';
import { endedSessions } from '../../operations/stores/ended-sessions.ts';
import { ledgerReader } from '../../operations/stores/ledger-reader.ts';
import { payoutAllowances } from '../../operations/stores/payout-allowances.ts';
import { promiseSums } from '../../operations/stores/promise-sums.ts';
import { openPorts } from './ports.ts';
import { archiveOf } from './review-cases.ts';
import { memoryTables } from './tables.ts';

export const KEY = new Uint8Array(32).fill(7);

type Options = { key?: Uint8Array; stage?: string; door?: Door };

export function openConsole({ key = KEY, stage = 'sandbox', door = demoDoor }: Options = {}) {
  const tables = memoryTables();
  const { client, names } = tables;
  const ports = openPorts(tables);
  const executions = new Map<string, ExecutionRecord>();
  const errors: Error[] = [];
  const listed: ListEntry[] = [];
  const desk = {
    ...ports,
    stage,
    policy: policyOf('production', {}),
    dossier: dossier(client, names),
    ledgerReader: ledgerReader(client, names.ledger),
    promiseSums: promiseSums({ client, table: names.promises, limits: ports.promiseLimits }),
    endedSessions: endedSessions(client, names.endedSessions),
    visits: { findVisit: async (name: string) => ({ name, status: 'RUNNING' }) },
    executions: { findExecution: async (name: string) => executions.get(name) },
    cases: reviewCaseStore(client, names, ports),
    listArchive: archiveOf(listed),
    holds: { ...ports.holds, findMarks: async () => ({ witness: {}, tables: [] }) },
    wallets: { listWallets: async () => [] },
    payouts: payoutAllowances({
      client,
      settlementsTable: names.settlements,
      chainId: 1,
      random: ports.random,
    }),
  } as unknown as Desk;
  const app = consoleApp({ desk, key, door, onError: (error) => errors.push(error) });
  const put = (table: 'settlements' | 'moneyCases' | 'cases' | 'transactions' | 'ledger', row: object) =>
    client.send(new PutCommand({ TableName: names[table], Item: row }));
  return { app, ports, desk, executions, errors, put, listed };
}

export const HOST = 'http://console.test';
export type Opened = ReturnType<typeof openConsole>;

/** Answers of the console to a person who is signed in with this role. */
export async function signedIn({ app }: Pick<Opened, 'app'>, role = 'viewer') {
  const answer = await post({ app }, '/console/sign-in', { form: { role } });
  let cookie = cookieOf(answer);
  const ask = async (path: string, init: RequestInit = {}) => {
    const found = await app.request(`${HOST}${path}`, { ...init, headers: { cookie, ...init.headers } });
    return found;
  };
  return {
    cookie: () => cookie,
    ask,
    /** The page, after the redirect of a search. */
    async read(path: string): Promise<{ status: number; text: string; path: string }> {
      const found = await ask(path);
      cookie = cookieOf(found) || cookie;
      const to = found.headers.get('location');
      return to ? this.read(to) : { status: found.status, text: await found.text(), path };
    },
    send: (path: string, form: Record<string, string>) => post({ app }, path, { form, cookie }),
  };
}

export const cookieOf = (answer: Response) => answer.headers.get('set-cookie')?.split(';')[0] ?? '';

type Sent = { form: Record<string, string>; cookie?: string; host?: string; origin?: string };

/** A form as a browser sends it. */
export async function post(
  { app }: Pick<Opened, 'app'>,
  path: string,
  { form, cookie = '', host = HOST, origin = host }: Sent,
) {
  const headers = { cookie, origin, 'content-type': 'application/x-www-form-urlencoded' };
  return app.request(`${host}${path}`, { method: 'POST', headers, body: String(new URLSearchParams(form)) });
}
