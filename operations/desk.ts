import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { assemble, load } from '../functions/adapters/live/assemble.ts';
import { type Place, tableNames } from '../functions/adapters/live/parts.ts';
import { type KycRecord, type LaterFacts, laterFacts } from '../functions/domain/kyc/kyc.ts';
import type { Partner } from '../functions/domain/partners/partner.ts';
import { outputNameOf, type Setting } from '../functions/settings.ts';
import { DESK_MAKERS, type DeskParts } from './makers.ts';
import { findOutput, requireOutput, type Target } from './outputs.ts';
import { refuseOrder } from './words.ts';

const PARTS = [
  'caller',
  'acts',
  'policy',
  'partners',
  'register',
  'vendorKeys',
  'registryUse',
  'partnerTokens',
  'clients',
  'personBlocks',
  'litigationHolds',
  'deliveries',
  'events',
  'evidence',
  'archiveReader',
  'archiveHolds',
  'archiveRegister',
  'vault',
  'lookup',
  'totpSealer',
  'webhookSealer',
  'webhookSender',
  'unmatchedPayments',
  'ledger',
  'ledgerReader',
  'daySums',
  'cancellations',
  'outflows',
  'openPurchases',
  'dossier',
  'erasures',
  'corrections',
  'executions',
  'visits',
  'transactions',
  'purchaseLists',
  'unmatchedLists',
  'floats',
  'priceHistories',
  'wallets',
  'payouts',
  'promiseSums',
  'holds',
  'replays',
  'cases',
  'moneyCases',
  'kycRecords',
  'listArchive',
  'psp',
  'endedSessions',
] as const satisfies (keyof DeskParts)[];

type Method = (...given: never[]) => unknown;
/** A part whose methods all return promises, because the part is loaded first. */
type Later<Part> = {
  [Name in keyof Part]: Part[Name] extends (...given: never[]) => Promise<unknown>
    ? Part[Name]
    : Part[Name] extends (...given: infer Given) => infer Answer
      ? (...given: Given) => Promise<Answer>
      : never;
};

/** The parts with which a command works. They are those of the service, but use the operator's credentials. */
export type Desk = Pick<Place, 'stage' | 'clock' | 'random'> & {
  [Name in (typeof PARTS)[number]]: Later<DeskParts[Name]>;
};

const PROVIDER_MS = 4_000;

/**
 * Opens the desk. Each part is loaded and made when a command first calls it. Therefore a command starts
 * quickly. A command also works on a stack of an earlier version if that stack has all parts that the command
 * calls.
 */
export const openDesk = (target: Target): Desk => deskAt(targetPlace(target));

/** Imports the modules of all parts of the desk. */
export const loadDesk = () => load(DESK_MAKERS, PARTS);

export function deskAt(place: Place): Desk {
  const parts = assemble(DESK_MAKERS, place);
  const { stage, clock, random } = place;
  const desk = { stage, clock, random };
  const made = PARTS.map((name) => [
    name,
    madeLater(() => load(DESK_MAKERS, [name]).then(() => parts.get(name))),
  ]);
  return { ...desk, ...Object.fromEntries(made) } as Desk;
}

function madeLater(make: () => Promise<object>): object {
  let part: Promise<object> | undefined;
  async function call(name: string, given: never[]): Promise<unknown> {
    part ??= make();
    return ((await part) as Record<string, Method>)[name]?.(...given);
  }
  // `then` is undefined, because an `await` would otherwise take the part for a promise.
  const get = (_: object, name: string) =>
    name === 'then' ? undefined : (...given: never[]) => call(name, given);
  return new Proxy({}, { get: get as ProxyHandler<object>['get'] });
}

/**
 * The credentials for a sandbox, which takes each access key id as another person. The name is
 * `SANDBOX_OPERATOR`, or by default the name of the account on this machine.
 */
function sandboxCredentials() {
  const name = process.env.SANDBOX_OPERATOR ?? userInfo().username;
  return { accessKeyId: `operator-${name}`, secretAccessKey: 'operator' };
}

/** The options of AWS's clients. On AWS itself the operator's own credentials are used. */
export function awsOptionsOf({ region, endpoint }: Pick<Target, 'region' | 'endpoint'>) {
  const credentials = sandboxCredentials();
  return { region, ...(endpoint && { endpoint, credentials }) };
}

function targetPlace(target: Target): Place {
  const { stage, endpoint } = target;
  const awsOptions = awsOptionsOf(target);
  const requireSetting = (name: Setting) => requireOutput(target, outputNameOf(name));
  return {
    stage,
    clock: { now: () => Date.now(), minuteMs: 60_000 },
    random: { bytes: (length) => randomBytes(length) },
    settings: { find: (name) => findOutput(target, outputNameOf(name)), require: requireSetting },
    tables: tableNames(requireSetting),
    awsOptions: () => awsOptions,
    fetch,
    pixTransport: undefined,
    callLimit: { timeoutMs: PROVIDER_MS },
    // Calls to addresses of this machine are allowed only for a sandbox that runs here. Only its target has
    // an `endpoint`.
    allowsLoopback: endpoint !== undefined,
  };
}

export async function requirePartner({ partners }: Pick<Desk, 'partners'>, id: string): Promise<Partner> {
  return (await partners.findPartner(id)) ?? refuseOrder(`There is no partner ${id}.`);
}

/** Reads the facts of a client that may overrule a KYC record after its decision. */
export async function laterFactsAbout(
  { clientId, partnerId }: Pick<KycRecord, 'clientId' | 'partnerId'>,
  { clients, partners }: Pick<Desk, 'clients' | 'partners'>,
): Promise<LaterFacts> {
  const [client, partner] = await Promise.all([
    clients.findClient(clientId),
    partners.findPartner(partnerId),
  ]);
  return laterFacts(client ?? {}, partner ?? {});
}
