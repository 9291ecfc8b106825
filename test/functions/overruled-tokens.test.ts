import { beforeEach, describe, expect, test } from 'vitest';
import { getKycStatus } from '../../functions/api/get-kyc-status.ts';
import { requireUsable } from '../../functions/domain/kyc/kyc.ts';
import { decideAgain, type Evidence } from '../../functions/domain/purchase/evidence.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { openPorts } from '../support/ports.ts';
import { approvedClient, events, onList, openWorld, recordOf, type World } from '../support/rescreening.ts';
import { reviewIs } from '../support/submissions.ts';
import { memoryTables, rowIn, type Tables, tapped } from '../support/tables.ts';

// Each test has its own tables, because a review reads everything.
let tables: Tables;
let world: World;
beforeEach(() => {
  tables = memoryTables();
  world = openWorld(tables);
});

type Client = Awaited<ReturnType<typeof approvedClient>>;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NEAR = onList('OFAC_SDN', 0.8, { zone: 'REVIEW' });
const rejected = expect.objectContaining({ name: 'KYC_REJECTED', details: { reason: 'SANCTIONS_HIT' } });
const notApproved = expect.objectContaining({ code: 'KYC_NOT_APPROVED', details: { status: 'REJECTED' } });
const lookUp = ({ partner }: Client, kycToken: string) =>
  getKycStatus({ kycToken }, { partner } as never, world.ports);
const aMinuteLater = () => {
  world.ports.clock.advance(MINUTE_MS);
  return reviewPendingKyc(world.ports);
};
const submitAgain = ({ again }: Client) => {
  world.ports.clock.advance(1);
  return again();
};

/** A namesake of a listed person, cleared by a reviewer, with two approved tokens. */
async function clearedClient() {
  const client = await approvedClient(world);
  world.publish(2, { [client.cpf]: [NEAR] });
  const waiting = await submitAgain(client);
  const found = (await world.cases.listOpen()).find(({ clientId }) => clientId === client.clientId)!;
  world.ports.clock.advance(1);
  await world.decide(found, 'CLEARED');
  await reviewPendingKyc(world.ports);
  expect(await lookUp(client, waiting.token)).toMatchObject({ status: 'APPROVED' });
  return { ...client, tokens: [client.token, waiting.token], found };
}

/** The partner's events about a token, the newest last. */
const toldOf = async (token: string) =>
  (await events(world.ports)).filter(({ data }) => (data as { token?: string }).token === token);
const refusedOnce = async (token: string) => {
  const told = (await toldOf(token)).filter(({ type }) => type === 'kyc.rejected');
  expect(told).toHaveLength(1);
  expect(told[0]).toMatchObject({ data: { token, status: 'REJECTED', reason: 'SANCTIONS_HIT' } });
};

describe('a client whose case was cleared first and then confirmed', () => {
  test('is answered as initiate decides, at once, and each of its tokens is announced as rejected once', async () => {
    const client = await clearedClient();
    world.ports.clock.advance(1);

    await world.decide(client.found, 'CONFIRMED');

    const verdict = (await world.ports.clients.findClient(client.clientId))!;
    for (const token of client.tokens) {
      const answer = await lookUp(client, token);
      expect(answer).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
      const record = await recordOf(world.ports, { token });
      expect(() => requireUsable(record, verdict, world.ports.clock.now())).toThrow(notApproved);
    }
    for (let minute = 0; minute < 10; minute++) await aMinuteLater();
    for (const token of client.tokens) {
      await refusedOnce(token);
      const [last] = (await toldOf(token)).slice(-1);
      expect(await lookUp(client, token)).toEqual({ ...last!.data, sequence: undefined });
    }
    expect((await toldOf(client.tokens[1]!)).map(({ type, sequence }) => [type, sequence])).toEqual([
      ['kyc.approved', 1],
      ['kyc.rejected', 2],
    ]);
    await expect(submitAgain(client)).rejects.toThrow(rejected);
  });

  test('stays in the list of cases, with the decider and the reason', async () => {
    const decided = async () => (await world.cases.listDecided({ since: 0, until: 1e15 })).cases;
    const { found } = await clearedClient();
    expect(await decided()).toMatchObject([{ id: found.id, status: 'CLEARED' }]);
    world.ports.clock.advance(1);

    await world.decide(found, 'CONFIRMED');

    expect(await world.cases.listOpen()).toEqual([]);
    expect(await decided()).toMatchObject([
      { id: found.id, status: 'CONFIRMED', decidedBy: 'ana', reason: 'looked at' },
    ]);
  });

  test('has evidence with the overruling fact, and the rules decide the same from it', async () => {
    const { found, tokens, clientId } = await clearedClient();
    world.ports.clock.advance(1);
    await world.decide(found, 'CONFIRMED');
    const { rejectedAt, rejectedFor } = (await world.ports.clients.findClient(clientId))!;

    await aMinuteLater();

    const evidence = await rowIn(tables, 'evidence', `${tokens[1]}#kyc#${world.ports.clock.now()}`);
    expect(evidence).toMatchObject({
      clientId,
      decidedBy: 'ReviewPendingKyc',
      findings: {
        overruledBy: { rejectedAt, rejectedFor: 'SANCTIONS_HIT' },
        screening: { candidates: [{ ...NEAR, review: 'CONFIRMED' }] },
      },
      decision: { status: 'REJECTED', reason: rejectedFor },
    });
    expect(decideAgain(evidence as unknown as Evidence)).toEqual((evidence as unknown as Evidence).decision);
  });

  test('is bound by a confirmation from a machine whose clock is an hour behind', async () => {
    const client = await clearedClient();
    const decision = { decidedBy: 'ana', decidedAt: world.ports.clock.now() - 60 * MINUTE_MS, reason: 'x' };

    await world.cases.decide(client.found.id, { status: 'CONFIRMED', ...decision });

    for (const token of client.tokens)
      expect(await lookUp(client, token)).toMatchObject({ status: 'REJECTED', reason: 'SANCTIONS_HIT' });
  });
});

describe('tokens of a client who was refused', () => {
  test('are announced as rejected, also while they are PENDING, and are never approved afterwards', async () => {
    const client = await clearedClient();
    await reviewIs(world.ports, { partnerId: client.partner.id, cpf: client.cpf }, 'PENDING');
    const waiting = await submitAgain(client);
    expect(waiting.status).toBe('PENDING');
    world.ports.clock.advance(1);
    await world.decide(client.found, 'CONFIRMED');
    await reviewIs(world.ports, { partnerId: client.partner.id, cpf: client.cpf }, 'APPROVED');

    for (let minute = 0; minute < 3; minute++) await aMinuteLater();

    await refusedOnce(waiting.token);
    expect((await toldOf(waiting.token)).map(({ type }) => type)).toEqual(['kyc.rejected']);
  });

  test('are not announced after their day, nor if they were rejected before', async () => {
    const client = await clearedClient();
    world.ports.clock.advance(DAY_MS - 1000);
    const young = await submitAgain(client);
    world.ports.clock.advance(1000);
    await world.decide(client.found, 'CONFIRMED');

    for (let minute = 0; minute < 3; minute++) await aMinuteLater();

    await refusedOnce(young.token);
    for (const token of client.tokens)
      expect((await toldOf(token)).filter(({ type }) => type === 'kyc.rejected')).toEqual([]);
    expect(await lookUp(client, client.token)).toMatchObject({ status: 'EXPIRED' });
  });

  test('are announced as rejected after a later submission', async () => {
    const client = await clearedClient();
    const { entry } = world.ports.cpfRegistry;
    world.ports.cpfRegistry.entry = { ...entry, situation: 'DECEASED' } as never;
    await expect(submitAgain(client)).rejects.toMatchObject({ details: { reason: 'DECEASED' } });

    await aMinuteLater();

    for (const token of client.tokens) {
      const [last] = (await toldOf(token)).slice(-1);
      expect(last).toMatchObject({ type: 'kyc.rejected', data: { status: 'REJECTED', reason: 'DECEASED' } });
    }
  });

  test('are those of this client only', async () => {
    const [client, stranger] = [await clearedClient(), await approvedClient(world)];
    world.ports.clock.advance(1);
    await world.decide(client.found, 'CONFIRMED');

    await aMinuteLater();

    expect(await toldOf(stranger.token)).toEqual([]);
    expect(await lookUp(stranger, stranger.token)).toMatchObject({ status: 'APPROVED' });
  });

  test('do not keep the client due for ever', async () => {
    const client = await clearedClient();
    world.ports.clock.advance(1);
    await world.decide(client.found, 'CONFIRMED');

    for (let minute = 0; minute < 10; minute++) await aMinuteLater();

    expect(await world.ports.overrulings.listDue(Number.MAX_SAFE_INTEGER, 10)).toEqual([]);
    for (const name of ['sweep', 'nextCheckAt', 'checks'])
      expect(await rowIn(tables, 'clients', client.clientId)).not.toHaveProperty(name);
  });

  // docs/decisions.md, "Screening again"
  test('are each announced once, whichever command the schedule dies at', async () => {
    const client = await clearedClient();
    world.ports.clock.advance(1);
    await world.decide(client.found, 'CONFIRMED');
    const newer = Promise.all(client.tokens.map((token) => recordOf(world.ports, { token })));
    expect((await newer).map(({ status }) => status)).toEqual(['APPROVED', 'APPROVED']);

    for (let commands = 0; commands < 30; commands++) {
      world.ports.clock.advance(MINUTE_MS);
      await reviewPendingKyc(dyingAfter(commands)).catch(() => undefined);
    }
    for (let minute = 0; minute < 40; minute++) await aMinuteLater();

    for (const token of client.tokens) await refusedOnce(token);
  });

  /** Ports whose process dies: after this number of commands none is sent, and the answer of the last is lost. */
  function dyingAfter(commands: number) {
    let left = commands;
    const dead = () => Object.assign(new Error('the process is dead'), { $fault: 'client', $metadata: {} });
    const dying = openPorts(
      tapped(tables, (send) => async (command) => {
        if (left <= 0) throw dead();
        const answer = await send(command);
        if (--left === 0) throw dead();
        return answer;
      }),
    );
    const { clock, vault, sanctions } = world.ports;
    return { ...dying, clock, vault, sanctions };
  }
});

test('a client whose tokens cannot be refused raises a condition, and is visited again', async () => {
  const client = await clearedClient();
  world.ports.clock.advance(1);
  await world.decide(client.found, 'CONFIRMED');
  const listIssued = () => Promise.reject(new TypeError('broken'));
  world.ports.clock.advance(MINUTE_MS);

  await reviewPendingKyc({ ...world.ports, overrulings: { ...world.ports.overrulings, listIssued } });

  expect(world.ports.log.raised).toEqual(['OverrulingFailed']);
  world.ports.clock.advance(60 * MINUTE_MS);
  await reviewPendingKyc(world.ports);
  for (const token of client.tokens) await refusedOnce(token);
});

describe('a submission during which a reviewer confirms', () => {
  test('is refused, and its record carries nothing', async () => {
    const { ports } = world;
    const client = await clearedClient();
    const search = ports.sanctions.search;
    // The reviewer confirms after the submission has read the client, whose pair was cleared until then.
    ports.sanctions.search = async (identity) => {
      ports.clock.advance(1);
      await world.decide(client.found, 'CONFIRMED');
      ports.clock.advance(1);
      return search(identity);
    };

    await expect(submitAgain(client)).rejects.toThrow(rejected);

    ports.sanctions.search = search;
    const issued = await ports.overrulings.listIssued(client.clientId, {
      from: 0,
      until: Number.MAX_SAFE_INTEGER,
    });
    expect(issued).toHaveLength(3);
    for (const token of issued) expect(await lookUp(client, token)).toMatchObject({ status: 'REJECTED' });
    await aMinuteLater();
    for (const token of issued) await refusedOnce(token);
  });
});
