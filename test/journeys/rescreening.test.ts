import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createOnrampClient, type OnrampClient } from '../../client/onramp-client.ts';
import { type Sandbox, startSandbox } from '../../sandbox/sandbox.ts';
import { controlKeyOf } from '../../sandbox/seed.ts';
import { changedAssembly } from '../support/assemblies.ts';
import { executionsIn, statesOf } from '../support/executions.ts';
import { runCommand } from '../support/operations.ts';
import { eventsOf, newWallet, type Purchase, transfersTo } from '../support/purchases.ts';
import { eventually, randomCpf, totpCode } from '../support/sandbox.ts';

const LONG_MS = 360_000;
/** Names that nobody has, so that the lists say of them only what this journey puts there. */
const PEOPLE = {
  anna: { name: 'Alzenira Quoitabel Drumondine', birthDate: '1971-03-02' },
  bento: { name: 'Belarmino Vaztreu Ocanguira', birthDate: '1982-07-19' },
  clara: { name: 'Clotária Immervel Bastigonde', birthDate: '1990-11-30' },
  dario: { name: 'Dagoberto Xisteval Pontremoli', birthDate: '1965-01-08' },
  elisa: { name: 'Edwirges Tamborel Fuscaldine', birthDate: '1978-09-25' },
  fabio: { name: 'Fulgencio Ubertrano Calmirelle', birthDate: '1984-04-12' },
} as const;
type Who = keyof typeof PEOPLE;

let sandbox: Sandbox;
let assembly: string;
let client: OnrampClient;
const folder = mkdtempSync(join(tmpdir(), 'rescreening-'));

beforeAll(async () => {
  sandbox = await startSandbox({
    minuteSeconds: 2,
    changeAssembly: (synthesized) => {
      assembly = changedAssembly(synthesized, ({ propertiesOf }) => {
        // The journey itself sets the time. An instance looks for new lists every five minutes, which are real here.
        propertiesOf('SchedulesRescreenClients', 'AWS::Events::Rule').ScheduleExpression = 'rate(7 days)';
      });
      return assembly;
    },
  });
  client = createOnrampClient({ apiKey: sandbox.apiKey, baseUrl: sandbox.url, timeoutMs: LONG_MS });
  const local = { endpoint: sandbox.cloud.endpoint, region: sandbox.cloud.region, pid: process.pid };
  writeFileSync(
    join(folder, 'outputs.json'),
    JSON.stringify({ OnrampSandbox: sandbox.cloud.outputs, local }),
  );
});

afterAll(async () => {
  await sandbox?.stop();
  rmSync(folder, { recursive: true });
  if (assembly) rmSync(assembly, { recursive: true });
});

async function control(path: string, body?: object): Promise<void> {
  const answer = await fetch(`${sandbox.cloud.apis['onramp-simulators']}/control${path}`, {
    method: body ? 'PUT' : 'DELETE',
    headers: { 'x-control-key': controlKeyOf(sandbox.cloud) },
    body: JSON.stringify(body),
  });
  expect(answer.ok).toBe(true);
}

async function invoke(name: string) {
  const { error, payload } = await sandbox.cloud.invoke(name, {});
  expect(error).toBeUndefined();
  return payload as Record<string, unknown>;
}

const ops = (...args: string[]) => runCommand([...args, '--outputs', join(folder, 'outputs.json')]);

/** A client whom the partner's vendor, the registry and the lists of the day approve. */
async function approved(who: Who) {
  const cpf = randomCpf();
  await control(`/cpf-registry/people/${cpf}`, PEOPLE[who]);
  const kyc = await client.submitKyc({ cpf, ...(await client.sandbox.partnerKycToken({ cpf })) });
  expect(kyc.status).toBe('APPROVED');
  return { cpf, kycToken: kyc.token };
}

/** An approved client who is about to pay. */
async function aboutToPay(who: Who): Promise<Purchase> {
  const { cpf, kycToken } = await approved(who);
  const walletAddress = newWallet();
  const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress } as const;
  const { transactionId, authChallenge } = await client.initiateTransaction(request);
  const { otpauthUri } = authChallenge.enrollment!;
  await client.confirmMfa({ transactionId, totpCode: totpCode(otpauthUri) });
  const partner = { partnerId: 'demo', apiKey: sandbox.apiKey, client };
  return { ...partner, cpf, kycToken, transactionId, walletAddress, otpauthUri };
}

const statusOf = ({ transactionId }: Purchase) => client.getTransactionStatus(transactionId);
const statesIn = async ({ transactionId }: Purchase) => {
  const { cloud } = sandbox;
  const refs = Object.fromEntries(Object.entries(cloud.resources).map(([id, { ref }]) => [id, ref]));
  const place = { awsEndpoint: cloud.endpoint, region: cloud.region, refs };
  return statesOf(await executionsIn(place as Parameters<typeof executionsIn>[0]).historyOf(transactionId));
};

async function refunded(purchase: Purchase) {
  const { failure, refund } = await eventually(
    () => statusOf(purchase),
    (found) => found.refund?.status === 'REFUNDED',
    LONG_MS,
  );
  expect({ failure, refund }).toMatchObject({
    failure: { reason: 'SANCTIONS_HIT' },
    refund: { reason: 'SANCTIONS_HIT', amountBrl: 250 },
  });
  const told = (await eventsOf(purchase, 3)).map(({ type }) => type);
  expect(told).toEqual(['transaction.processing', 'transaction.failed', 'transaction.refunded']);
  expect(await transfersTo(sandbox.rpcUrl, purchase.walletAddress)).toEqual([]);
  expect(await statesIn(purchase)).not.toContain('SettleStablecoin');
}

/** The case that waits for the purchase's client. */
async function caseOf({ kycToken }: { kycToken: string }): Promise<string> {
  const ids = await eventually(
    async () => {
      const { out } = await ops('reviews', 'list', '--json');
      return (JSON.parse(out) as { case: string }[]).map((found) => found.case);
    },
    ({ length }) => length === 3,
    LONG_MS,
  );
  for (const id of ids) {
    const { out } = await ops('reviews', 'show', id);
    if (out.includes(kycToken)) return id;
  }
  throw new Error('no case waits for the purchase');
}

async function kycEventsOf(kycToken: string) {
  const { webhooks } = await client.sandbox.webhooks();
  // A webhook may come twice.
  return [...new Map(webhooks.map((each) => [each.id, each])).values()]
    .map(({ event }) => event as { type: string; data: { token?: string; reason?: string } })
    .filter(({ data }) => data.token === kycToken);
}

describe('lists that change while clients have tokens and purchases', () => {
  // docs/decisions.md, "Screening again"
  test('stop clients whom they name, hold clients whom they nearly name, and affect nobody else', async () => {
    const anna = await approved('anna');
    await approved('fabio');
    const [bento, clara, dario, elisa] = [
      await aboutToPay('bento'),
      await aboutToPay('clara'),
      await aboutToPay('dario'),
      await aboutToPay('elisa'),
    ];
    await control('/lists/people/OFAC_SDN/99001', PEOPLE.anna);
    await control('/lists/people/UN_SC/99002', PEOPLE.bento);
    await control('/lists/people/OFAC_SDN/99004', { ...PEOPLE.dario, birthDate: '1969-06-17' });
    await control('/lists/people/OFAC_SDN/99005', { ...PEOPLE.elisa, birthDate: '1970-02-11' });
    await control('/lists/people/OFAC_SDN/99006', { ...PEOPLE.fabio, birthDate: '1979-10-01' });

    const { changes } = await invoke('RefreshLists');
    await Promise.all(
      [bento, clara, dario, elisa].map(({ transactionId }) => client.sandbox.pay(transactionId)),
    );

    expect(changes).toMatchObject([
      { list: 'OFAC_SDN', added: 4, removed: 0, changed: 0 },
      { list: 'UN_SC', added: 1, removed: 0, changed: 0 },
    ]);
    await refunded(bento);
    const completed = ({ status }: { status: string }) => status === 'COMPLETED';
    await eventually(() => statusOf(clara), completed, LONG_MS);
    expect(await transfersTo(sandbox.rpcUrl, clara.walletAddress)).toHaveLength(1);

    // The schedule also finds clients without purchases. It does not reject the other clients again.
    const counts = await invoke('RescreenClients');
    expect(counts).toMatchObject({ rejected: 1, failed: 0 });
    const found = await client.waitForKyc(anna.kycToken, ['REJECTED'], { timeoutMs: LONG_MS });
    expect(found).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    for (const kycToken of [anna.kycToken, bento.kycToken]) {
      const told = await eventually(
        () => kycEventsOf(kycToken),
        ({ length }) => length > 0,
        LONG_MS,
      );
      expect(told).toMatchObject([{ type: 'kyc.rejected', data: { reason: 'SANCTIONS_HIT' } }]);
    }
    const again = {
      kycToken: anna.kycToken,
      amountBrl: 250,
      asset: 'USDC',
      walletAddress: newWallet(),
    } as const;
    await expect(client.initiateTransaction(again)).rejects.toMatchObject({
      code: 'KYC_NOT_APPROVED',
      details: { status: 'REJECTED' },
    });

    // Two wait for a person: nothing is sent, and nothing is returned.
    for (const held of [dario, elisa]) {
      expect(await statusOf(held)).toMatchObject({ status: 'PROCESSING' });
      expect((await client.getKycStatus(held.kycToken)).status).toBe('PENDING');
      expect(await transfersTo(sandbox.rpcUrl, held.walletAddress)).toEqual([]);
    }
    const why = ['--reason', 'compared the documents', '--yes'];
    const [hisCase, herCase] = [await caseOf(dario), await caseOf(elisa)];
    expect((await ops('reviews', 'clear', hisCase, ...why)).code).toBe(0);
    expect((await ops('reviews', 'confirm', herCase, ...why)).code).toBe(0);

    await eventually(() => statusOf(dario), completed, LONG_MS);
    expect(await transfersTo(sandbox.rpcUrl, dario.walletAddress)).toHaveLength(1);
    await refunded(elisa);
    expect(await client.waitForKyc(dario.kycToken, ['APPROVED'], { timeoutMs: LONG_MS })).toMatchObject({
      status: 'APPROVED',
    });
    expect(await client.waitForKyc(elisa.kycToken, ['REJECTED'], { timeoutMs: LONG_MS })).toMatchObject({
      reason: 'SANCTIONS_HIT',
    });
    // The same lists again have no new hits.
    expect(await invoke('RefreshLists')).toMatchObject({ changes: [] });
    expect(await invoke('RescreenClients')).toMatchObject({ rejected: 0, held: 0, failed: 0 });
  }, 600_000);

  // docs/operations.md, "Review cases"
  test('that lose an entry mark its case, which a person closes', async () => {
    await control('/lists/people/OFAC_SDN/99006');

    await invoke('RefreshLists');
    const gone = await ops('reviews', 'list', '--gone', '--json');
    const closed = await ops('reviews', 'close', '--reason', 'taken from the list', '--yes');

    expect(JSON.parse(gone.out)).toMatchObject([{ list: 'OFAC_SDN', entry: '99006', mark: 'ENTRY_GONE' }]);
    expect(closed).toMatchObject({ code: 0, out: '1 of 1 cases are CLOSED.\n' });
    const found = await ops('reviews', 'search', '--entry', '99006', '--decision', 'CLOSED', '--json');
    expect(JSON.parse(found.out)).toMatchObject([{ decision: 'CLOSED', reason: 'taken from the list' }]);
  }, 600_000);
});
