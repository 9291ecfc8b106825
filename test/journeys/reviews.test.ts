import { describe, expect, test } from 'vitest';
import type { KnownWebhookEvent } from '../../client/webhook.ts';
import { WALLET } from '../support/builders.ts';
import { operations } from '../support/operations.ts';
import { rowsWhere } from '../support/partner-api.ts';
import { SLOW_MS } from '../support/purchases.ts';
import { askControl, BIOMETRIC_HASH, eventually, newPartner, randomCpf, rowOf } from '../support/sandbox.ts';

const { ops, opsAs } = operations();

type Partner = Awaited<ReturnType<typeof newPartner>>;

/** The CPFs of a listed person's namesake, and of the listed person. */
const NAMESAKE = '900.000.011-47';
const LISTED = '900.000.002-56';
const NAMESAKE_CPF = '90000001147';
const WHY = ['--reason', 'another birth date'];
const SLOW = { intervalMs: 200, timeoutMs: SLOW_MS };

const lines = ({ out }: { out: string }) => out.trimEnd().split('\n').filter(Boolean);
const purchaseWith = (kycToken: string) =>
  ({ kycToken, amountBrl: 250, asset: 'USDC', walletAddress: WALLET }) as const;
const submit = ({ client }: Partner, cpf: string) => client.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH });
const refusalOf = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    ({ code, details }: { code?: string; details?: object }) => ({ code, details }),
  );
const SANCTIONS_HIT = { code: 'KYC_REJECTED', details: { reason: 'SANCTIONS_HIT' } };

/** The list's entries about the partner's clients, one row each. */
async function listed({ partnerId }: Partner, ...more: string[]): Promise<string[][]> {
  const ran = await ops(['reviews', 'list', '--partner', partnerId, ...more]);
  expect(ran.code).toBe(0);
  return lines(ran)
    .slice(1)
    .map((line) => line.split(/ {2,}/));
}

/** The only case of the partner. */
async function onlyCase(partner: Partner, ...more: string[]): Promise<string> {
  const rows = await eventually(
    () => listed(partner, ...more),
    ({ length }) => length > 0,
  );
  expect(rows).toHaveLength(1);
  return rows[0]![0]!;
}

async function waitingClient() {
  const partner = await newPartner();
  const kyc = await submit(partner, NAMESAKE);
  expect(kyc).toMatchObject({ status: 'PENDING', riskTier: 'STANDARD' });
  return { ...partner, partner, kyc, id: await onlyCase(partner) };
}

/** The single event of a partner without purchases. A webhook may come twice. */
async function onlyEventOf({ client }: Partner): Promise<KnownWebhookEvent> {
  const { webhooks } = await eventually(
    () => client.sandbox.webhooks(),
    ({ webhooks: all }) => all.length > 0,
    SLOW_MS,
  );
  expect(new Set(webhooks.map(({ id }) => id)).size).toBe(1);
  return webhooks[0]!.event as KnownWebhookEvent;
}

/** The records about a case, the oldest first. */
async function recordsOf(id: string) {
  const rows = await rowsWhere('TablesEvidence', ({ id: row }) => String(row).startsWith(`${id}#`));
  return rows.sort((a, b) => Number(a.at) - Number(b.at));
}

describe.concurrent('a client who is close to a listed person', () => {
  test('waits for a reviewer, who sees both, clears the case, and the client buys', async () => {
    const { partner, client, partnerId, kyc, id } = await waitingClient();

    const [row = []] = await listed(partner);
    expect(row).toEqual([
      ...[id, expect.stringMatching(/^20\d\d-\d\d-\d\d \d\d:/), partnerId, 'OFAC_SDN', '9001'],
      ...[expect.stringMatching(/^0\.[78]\d+$/), 'REVIEW', 'name equal, birth date differs', 'PENDING'],
      ...['-', expect.stringMatching(/^20\d\d-/), '-'],
    ]);
    const shown = await ops(['reviews', 'show', id]);
    expect(shown.code).toBe(0);
    for (const part of [
      ...['RADOMIR VELTRANOV QUESSANDI', '1974-01-17', NAMESAKE_CPF, 'veltranov quessandi radomir'],
      ...['OFAC_SDN 9001, version ', 'REVIEW: a case from 0.7, a hit from 0.9', 'birth date differs'],
      ...[`${kyc.token}: PENDING, tier STANDARD, model 1`, 'pending: review of OFAC_SDN 9001'],
    ])
      expect(shown.out).toContain(part);
    expect(shown.out).toMatch(/^index +20\d\d-\S+ PUBLISHED, sha256 [0-9a-f]{64}$/m);
    expect(shown.out).toMatch(/^registry +REGULAR\ndocuments +APPROVED, holder SAME\n/m);
    expect(shown.out).toMatch(/^list +OFAC_SDN \S+, \d+ entries, sha256 [0-9a-f]{64}$/m);

    const cleared = await ops(['reviews', 'clear', id, ...WHY], `${id}\n`);

    expect(cleared).toMatchObject({ code: 0, out: `The case ${id} is CLEARED.\n` });
    expect(cleared.out + cleared.err).not.toMatch(/900000011|QUESSANDI/);
    const approved = await client.waitForKyc(kyc.token, ['APPROVED'], SLOW);
    expect(await onlyEventOf(partner)).toMatchObject({ type: 'kyc.approved', data: approved });
    expect(await client.initiateTransaction(purchaseWith(kyc.token))).toMatchObject({
      status: 'PENDING_AUTH',
    });
    expect(await submit(partner, NAMESAKE)).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
    expect(await listed(partner)).toEqual([]);
    const records = await recordsOf(id);
    expect(records.map(({ inputs }) => (inputs as { command: string }).command)).toEqual([
      ...['reviews show', 'reviews clear'],
    ]);
    expect(records[1]).toMatchObject({
      kind: 'operation',
      decidedBy: 'ana@onramp.example',
      decision: { reason: 'another birth date' },
      inputs: { list: 'OFAC_SDN', entryId: '9001', partnerId, case: id },
    });
    const { clientId } = (await rowOf('TablesCases', id))!;
    expect(records.map((record) => record.clientId)).toEqual([clientId, clientId]);
    expect(JSON.stringify(records)).not.toMatch(/900000011|quessandi/i);
  });

  test('is refused, now and later, once the reviewer confirms', async () => {
    const { partner, client, kyc, id } = await waitingClient();

    expect((await ops(['reviews', 'confirm', id, ...WHY, '--yes'])).code).toBe(0);

    const rejected = await client.waitForKyc(kyc.token, ['REJECTED'], SLOW);
    expect(rejected).toMatchObject({ reason: 'SANCTIONS_HIT' });
    expect(await onlyEventOf(partner)).toMatchObject({ type: 'kyc.rejected', data: rejected });
    expect(await refusalOf(client.initiateTransaction(purchaseWith(kyc.token)))).toEqual({
      code: 'KYC_NOT_APPROVED',
      details: { status: 'REJECTED' },
    });
    expect(await refusalOf(submit(partner, NAMESAKE))).toEqual(SANCTIONS_HIT);
    expect(await listed(partner, '--rejected')).toEqual([]);
    const cleared = await ops(['reviews', 'clear', id, ...WHY, '--yes']);
    expect(cleared).toMatchObject({
      code: 1,
      err: expect.stringContaining(`The case ${id} was CONFIRMED by ana@onramp.example`),
    });
  });

  test('has one decision if two reviewers decide at once', async () => {
    const { partner, id } = await waitingClient();
    const clear = (by: string) => opsAs(by)(['reviews', 'clear', id, '--reason', `as ${by}`, '--yes']);

    const ends = await Promise.all(['ana', 'bia'].map(clear));

    const row = await rowOf('TablesCases', id);
    expect(row).toMatchObject({ status: 'CLEARED', decidedBy: expect.stringMatching(/^(ana|bia)$/) });
    const { decidedBy } = row as { decidedBy: string };
    expect(ends.map(({ code }) => code).sort()).toEqual([0, 1]);
    const loser = ends.find(({ code }) => code === 1)!;
    expect(loser.err).toContain(`was CLEARED by ${decidedBy}`);
    await partner.client.waitForKyc(String(row!.token), ['APPROVED'], SLOW);
  });

  test('is confirmed after a wrong clearance: refused at once, announced once, and the case stays listed', async () => {
    const { partner, client, kyc, id } = await waitingClient();
    await ops(['reviews', 'clear', id, ...WHY, '--yes']);
    await client.waitForKyc(kyc.token, ['APPROVED'], SLOW);

    const confirmed = await ops(['reviews', 'confirm', id, '--reason', 'it is the same person', '--yes']);

    expect(confirmed).toMatchObject({ code: 0, err: expect.stringContaining('was cleared before') });
    expect(await refusalOf(client.initiateTransaction(purchaseWith(kyc.token)))).toEqual({
      code: 'KYC_NOT_APPROVED',
      details: { status: 'REJECTED' },
    });
    const rejected = await client.getKycStatus(kyc.token);
    expect(rejected).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    const [row = []] = await listed(partner, '--decided');
    expect([row[0], ...row.slice(6)]).toEqual([id, 'CONFIRMED', expect.any(String), 'it is the same person']);
    const { webhooks } = await eventually(
      () => client.sandbox.webhooks(),
      ({ webhooks: all }) => all.some(({ event }) => event.type === 'kyc.rejected'),
      SLOW_MS,
    );
    const told = webhooks.filter(({ event }) => event.type === 'kyc.rejected');
    expect(new Set(told.map(({ id: webhook }) => webhook)).size).toBe(1);
    expect(told[0]!.event.data).toEqual({ ...rejected, sequence: 2 });
    expect(await refusalOf(submit(partner, NAMESAKE))).toEqual(SANCTIONS_HIT);
  });

  test('has a case again after a clearance once the registry has another birth date', async () => {
    const partner = await newPartner();
    const cpf = randomCpf();
    const isNow = (birthDate: string) =>
      askControl(`/cpf-registry/people/${cpf}`, {
        method: 'PUT',
        body: JSON.stringify({ name: 'Radomir Veltranov Quessandi', birthDate }),
      });
    // The vendor of Model 2 has verified the person, so no document of another name interferes.
    const again = async () => {
      const token = await partner.client.sandbox.partnerKycToken({ cpf });
      return partner.client.submitKyc({ cpf, ...token });
    };
    await isNow('1975-05-28');
    expect((await again()).status).toBe('PENDING');
    const id = await onlyCase(partner);
    await ops(['reviews', 'clear', id, ...WHY, '--yes']);
    expect((await again()).status).toBe('APPROVED');

    await isNow('1976-02-27');

    expect((await again()).status).toBe('PENDING');
    expect(await onlyCase(partner)).not.toBe(id);
  });
});

describe.concurrent('a client who was refused for a listed person', () => {
  test('has a case; after its clearance the next submission is not refused for it', async () => {
    const partner = await newPartner();
    expect(await refusalOf(submit(partner, LISTED))).toEqual(SANCTIONS_HIT);
    expect(await listed(partner)).toEqual([]);
    const id = await onlyCase(partner, '--rejected');

    const cleared = await ops(['reviews', 'clear', id, ...WHY, '--yes']);

    expect(cleared).toMatchObject({ code: 0, err: expect.stringContaining('its token stays REJECTED') });
    expect(await submit(partner, LISTED)).toMatchObject({ status: 'APPROVED' });
  });
});

describe.concurrent('the command', () => {
  test('changes nothing without a confirmation, a reason, or an existing case', async () => {
    const { id } = await waitingClient();

    const ends = [
      await ops(['reviews', 'clear', id, ...WHY], 'no\n'),
      await ops(['reviews', 'confirm', id, ...WHY]),
      await ops(['reviews', 'show', 'nothing']),
      await ops(['reviews', 'clear', 'nothing', ...WHY, '--yes']),
      await ops(['reviews', 'clear', id, '--yes']),
      await ops(['reviews', 'confirm', '--reason', 'x', '--yes']),
    ];

    expect(ends.map(({ code }) => code)).toEqual([1, 1, 1, 1, 2, 2]);
    expect(await rowOf('TablesCases', id)).toMatchObject({ status: 'OPEN' });
    expect(await recordsOf(id)).toEqual([]);
  });
});
