import { describe, expect, test } from 'vitest';
import { requireUsable } from '../../functions/domain/kyc/kyc.ts';
import { requireClearClient } from '../../functions/logic/purchase/still-clear.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { actWorld } from '../support/act-world.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { newId } from '../support/ports.ts';
import { approvedClient, events, onList, openWorld, recordOf } from '../support/rescreening.ts';

const HOUR_MS = 60 * MINUTE_MS;

/** A client with an approved token, whose case was confirmed although they are another person. */
async function confirmedWorld() {
  const acts = actWorld();
  const kyc = openWorld(acts.tables);
  const client = await approvedClient(kyc);
  kyc.publish(2, { [client.cpf]: [onList('OFAC_SDN', 0.8, { zone: 'REVIEW' })] });
  const advance = (ms: number) => {
    for (const { clock } of [kyc.ports, acts.ports]) clock.advance(ms);
  };
  const submit = () => {
    advance(1);
    return client.again();
  };
  const waiting = await submit();
  const [found] = await kyc.cases.listOpen();
  advance(1);
  await kyc.decide(found!, 'CONFIRMED');
  const sweep = async () => {
    for (let minute = 0; minute < 10; minute++) {
      advance(MINUTE_MS);
      await reviewPendingKyc(kyc.ports);
    }
  };
  const { clientId, token: kycToken } = client;
  const paid = { id: newId(), clientId, personId: 'person', kycToken, disposition: undefined };
  /** The check of a paid purchase that was opened before the confirmation. */
  const check = (token = kycToken) =>
    requireClearClient({ ...paid, kycToken: token }, 'CheckWalletRisk', kyc.ports);
  const propose = async (by = 'ana') => (await acts.ops(by, `reviews undo ${found!.id}`)).split('\n')[0]!;
  const undo = async () => acts.ops('rui', `acts approve ${await propose()}`);
  const status = async () => (await kyc.cases.findCase(found!.id))?.status;
  return {
    ...acts,
    kyc,
    client,
    waiting,
    id: found!.id,
    advance,
    submit,
    sweep,
    check,
    propose,
    undo,
    status,
  };
}

// docs/operations.md, "Review cases"
describe('a confirmation that two persons have taken back', () => {
  test('lets the client’s next submission pass, and the client buy with it', async () => {
    const { undo, submit, sweep, kyc, client } = await confirmedWorld();
    await sweep();
    await expect(submit()).rejects.toMatchObject({ name: 'KYC_REJECTED' });

    expect(await undo()).toContain('is CLEARED. Ask the partner to submit the client again.');

    const fresh = await submit();
    expect(fresh).toMatchObject({ status: 'APPROVED', riskTier: 'STANDARD' });
    const verdict = (await kyc.ports.clients.findClient(client.clientId))!;
    const record = await recordOf(kyc.ports, fresh);
    expect(requireUsable(record, verdict, kyc.ports.clock.now())).toBe('STANDARD');
  });

  test('restores no token that was refused, and announces nothing more', async () => {
    const { undo, sweep, kyc, client, waiting } = await confirmedWorld();
    await sweep();
    const told = await events(kyc.ports);

    await undo();
    await sweep();

    for (const each of [client, waiting])
      expect(await recordOf(kyc.ports, each)).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
    expect(await events(kyc.ports)).toEqual(told);
  });

  test('refuses the older tokens even if no schedule has done so before', async () => {
    const { undo, sweep, kyc, client, waiting } = await confirmedWorld();

    await undo();
    await sweep();

    for (const each of [client, waiting])
      expect(await recordOf(kyc.ports, each)).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
  });

  test.each([true, false])(
    'refunds a purchase that was paid before it, after the schedules: %s',
    async (isSwept) => {
      const { undo, sweep, check, waiting } = await confirmedWorld();
      if (isSwept) await sweep();

      await undo();

      for (const token of [undefined, waiting.token])
        await expect(check(token)).rejects.toMatchObject({ name: 'CLIENT_REFUSED' });
    },
  );

  test('leaves the blocks of the client, and the tier', async () => {
    const { undo, kyc, client } = await confirmedWorld();
    const { clients } = kyc.ports;
    await clients.noteVerdict(client.clientId, { raisedAt: 1, raisedTier: 'HIGH' });
    const before = (await clients.findClient(client.clientId))!;

    await undo();

    const { confirmedPairs, ...rest } = before;
    expect(await clients.findClient(client.clientId)).toEqual({ ...rest, clearedPairs: confirmedPairs });
  });

  test('is in the audit with both persons, and the case shows the decision before', async () => {
    const { undo, ops, id } = await confirmedWorld();

    await undo();

    const [act] = JSON.parse(await ops('bia', 'audit list', { flags: { subject: id, json: true } }));
    expect(act).toMatchObject({
      what: 'reviews undo',
      state: 'DONE',
      events: [{ kind: 'PROPOSED', before: { status: 'CONFIRMED', decidedBy: 'ana' } }, {}, {}],
    });
    const [row] = JSON.parse(await ops('bia', 'reviews search', { flags: { json: true } }));
    expect(row).toMatchObject({ case: id, decision: 'CLEARED', by: 'ana with rui' });
    expect(await ops('ana', `reviews clear ${id}`)).toContain('Only reviews confirm can change it.');
  });
});

describe('reviews undo', () => {
  test('is not approved by its author, nor by an operator', async () => {
    const { propose, ops, status } = await confirmedWorld();
    const act = await propose();

    expect(await ops('ana', `acts approve ${act}`)).toContain('another person must approve it');
    expect(await ops('rui', `acts approve ${act}`, { role: 'operator' })).toContain('may not do that');

    expect(await status()).toBe('CONFIRMED');
  });

  test('is over after it was withdrawn, and after a day', async () => {
    const { propose, ops, status, advance } = await confirmedWorld();
    const [withdrawn, late] = [await propose(), await propose()];
    await ops('ana', `acts withdraw ${withdrawn}`);
    advance(25 * HOUR_MS);

    expect(await ops('rui', `acts approve ${withdrawn}`)).toContain('it is over');
    expect(await ops('rui', `acts approve ${late}`)).toContain('has expired');

    expect(await status()).toBe('CONFIRMED');
  });

  test('is done once, although two proposals are approved', async () => {
    const { propose, ops, status } = await confirmedWorld();
    const [first, second] = [await propose(), await propose('caio')];
    await ops('rui', `acts approve ${first}`);

    expect(await ops('rui', `acts approve ${second}`)).toContain('is stale, and nothing is changed');

    expect(await status()).toBe('CLEARED');
  });

  test('is refused for a case that is not confirmed', async () => {
    const { undo, ops, id, kyc, client } = await confirmedWorld();
    await undo();
    expect(await ops('ana', `reviews undo ${id}`)).toContain(`The case ${id} was CLEARED by ana with rui`);
    kyc.publish(3, { [client.cpf]: [onList('UN_SC', 0.8, { zone: 'REVIEW' })] });
    await client.again();
    const [open] = await kyc.cases.listOpen();

    expect(await ops('ana', `reviews undo ${open!.id}`)).toContain('is OPEN: clear or confirm it');
  });
});
