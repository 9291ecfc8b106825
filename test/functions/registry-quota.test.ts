import { describe, expect, test } from 'vitest';
import { submitKyc } from '../../functions/api/submit-kyc.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { aBlock } from '../support/blocked-person.ts';
import { outcomeOf, tally } from '../support/limited-client.ts';
import { type Fate, mortalOutside } from '../support/mortal-process.ts';
import { openPorts, START_AT } from '../support/ports.ts';
import { aRequest, clientIdOf, HOLDER, partnerOf } from '../support/submissions.ts';
import { memoryTables, rowIn, tapped } from '../support/tables.ts';

const CNPJ = '11222333000181';
const FULL = 'KYC_QUOTA_EXCEEDED REGISTRY_LOOK_UPS';
const HOUR_MS = 60 * 60_000;

/** A partner with a quota, and what its submissions cause. */
function openWorld(changes: Partial<Partner> = {}, tables = memoryTables()) {
  const ports = openPorts(tables);
  const { partner, submit } = partnerOf(ports, changes);
  ports.identity.openApplicant = async ({ clientId }) => ({
    applicantId: clientId,
    status: 'APPROVED',
    holder: HOLDER,
  });
  const counted = async () => {
    const row = await rowIn(tables, 'usages', `LOOKUPS#${partner.id}#${dayInBrasilia(ports.clock.now())}`);
    return Number(row?.calls ?? 0);
  };
  return {
    ports,
    partner,
    tables,
    send: (request = aRequest()) => outcomeOf(submit(request)),
    counted,
    asked: () => ports.cpfRegistry.asked.length + ports.companyRegistry.asked.length,
  };
}

// docs/decisions.md, "Limits of a partner"
describe('the look-ups of a partner', () => {
  test('are as many as its quota, of twenty submissions at once', async () => {
    const { send, counted, asked } = openWorld({ registryQuota: { perDay: 7 } });

    const outcomes = await Promise.all(Array.from({ length: 20 }, () => send()));

    expect(tally(outcomes)).toEqual({ APPROVED: 7, [FULL]: 13 });
    expect([await counted(), asked()]).toEqual([7, 7]);
  });

  test('are the default of the stage, unless operators changed the partner’s', async () => {
    const { ports, send } = openWorld();
    ports.registryQuota = 1;

    expect([await send(), await send()]).toEqual(['APPROVED', FULL]);
    const other = openWorld({ registryQuota: {} });
    other.ports.registryQuota = 1;
    expect([await other.send(), await other.send()]).toEqual(['APPROVED', FULL]);
  });

  test('are two of a company with its CNPJ, and none if only one is left', async () => {
    const { send, counted, asked } = openWorld({ registryQuota: { perDay: 3 } });
    const company = () => aRequest({ personType: 'PJ', cnpj: CNPJ });

    expect([await send(company()), await send(company())]).toEqual(['APPROVED', FULL]);
    expect([await counted(), asked()]).toEqual([2, 2]);
    expect([await send(aRequest({ personType: 'PJ' })), await send()]).toEqual(['PENDING', FULL]);
    expect([await counted(), asked()]).toEqual([3, 3]);
  });

  test('are as many as its quota, of hundreds at once', async () => {
    const { send, counted, asked } = openWorld({ registryQuota: { perDay: 112 } });

    const outcomes = await Promise.all(Array.from({ length: 300 }, () => send()));

    expect(tally(outcomes)).toEqual({ APPROVED: 101, [FULL]: 199 });
    expect([await counted(), asked()]).toEqual([101, 101]);
  });

  test('are counted while they are made, while all keys together cannot use them up', async () => {
    // A tenth of the quota is kept for later look-ups, so 4,001 of 4,445 are left for submissions.
    const { ports, send, counted, asked } = openWorld({ registryQuota: { perDay: 4445 } });
    const { count } = ports.registryQuotas;
    const askedBefore: number[] = [];
    ports.registryQuotas.count = async (...wanted) => {
      await new Promise((resolve) => setImmediate(resolve));
      askedBefore.push(asked());
      return count(...wanted);
    };

    expect([await send(), await send(), await send()]).toEqual(['APPROVED', 'APPROVED', 'APPROVED']);

    expect(askedBefore).toEqual([1, 2, 2]);
    expect([await counted(), asked()]).toEqual([3, 3]);
  });

  test('that cannot be counted give no answer, although they are made', async () => {
    const { ports, partner, asked } = openWorld({ registryQuota: { perDay: 4445 } });
    ports.registryQuotas.count = () => Promise.reject(new Error('socket hang up'));

    await expect(partnerOf(ports, partner).submit(aRequest())).rejects.toThrow('hang up');

    expect(asked()).toBe(1);
  });

  test('are none with a quota of none', async () => {
    const { send, counted, asked } = openWorld({ registryQuota: { perDay: 0 } });

    expect(await send()).toBe(FULL);
    expect([await counted(), asked()]).toEqual([0, 0]);
  });

  test('do not use up the quota of another partner', async () => {
    const tables = memoryTables();
    const [one, other] = [1, 2].map(() => openWorld({ registryQuota: { perDay: 1 } }, tables)) as [
      World,
      World,
    ];

    expect([await one.send(), await other.send()]).toEqual(['APPROVED', 'APPROVED']);
  });

  test('begin anew at midnight in Brasília, to the millisecond', async () => {
    const { ports, send } = openWorld({ registryQuota: { perDay: 1 } });
    // The tests begin at midnight of UTC, which is 21:00 of the day before in Brasília.
    expect([await send(), await send()]).toEqual(['APPROVED', FULL]);

    ports.clock.advance(3 * HOUR_MS - 1);
    expect(await send()).toBe(FULL);
    ports.clock.advance(1);
    expect([await send(), await send()]).toEqual(['APPROVED', FULL]);
  });
});
type World = ReturnType<typeof openWorld>;

describe('a submission beyond the quota', () => {
  test('says which limit it is, how much is left, and when to come back', async () => {
    const { ports, partner } = openWorld({ registryQuota: { perDay: 0 } });

    await expect(partnerOf(ports, partner).submit(aRequest())).rejects.toMatchObject({
      code: 'KYC_QUOTA_EXCEEDED',
      details: {
        limit: 'REGISTRY_LOOK_UPS',
        maximum: 0,
        remaining: 0,
        resetsAt: '2099-01-01T03:00:00.000Z',
        retryAfterSeconds: 3 * 60 * 60,
      },
    });
  });

  test('leaves no client, asks no provider, and succeeds the next day', async () => {
    const { ports, partner, send } = openWorld({ registryQuota: { perDay: 1 } });
    await send();
    const request = aRequest();
    ports.identity.applicants.length = 0;

    expect(await send(request)).toBe(FULL);

    expect(ports.identity.applicants).toEqual([]);
    const clientId = await clientIdOf(ports, partner.id, request.cpf);
    expect(await ports.clients.findClient(clientId)).toBeUndefined();
    ports.clock.advance(24 * HOUR_MS);
    expect(await send(request)).toBe('APPROVED');
  });

  test('of a blocked client, or with a false partner token, counts nothing', async () => {
    const { ports, send, counted } = openWorld({ registryQuota: { perDay: 5 } });

    expect(await send(aRequest({ partnerKycToken: 'no token' }))).toBe('KYC_REJECTED');
    const blocked = aRequest();
    ports.personBlocks.findBlock = () => aBlock(ports, blocked.cpf);

    expect(await send(blocked)).toBe('CLIENT_BLOCKED');
    expect(await counted()).toBe(0);
  });
});

const FATES = (['killed', 'failed'] as const).flatMap((kind) =>
  (['before', 'after'] as const).map((when) => ({ kind, when })),
);

describe.each(FATES)('a submission that is $kind $when any call', (fate) => {
  /** One submission by a process that may die at any call, and its repetition by another. */
  async function submitTwice(at: number) {
    const outside = mortalOutside();
    const world = openWorld({ registryQuota: { perDay: 2 } });
    const { ports: sound, partner, tables } = world;
    const opened = openPorts(
      tapped(tables, (send) => (command) => outside.reach(command.constructor.name, () => send(command))),
    );
    const cpfRegistry = outside.around('registry', sound.cpfRegistry, 'findCpf');
    const ports = {
      ...opened,
      cpfRegistry,
      clock: sound.clock,
      identity: sound.identity,
      vault: sound.vault,
    };
    const request = aRequest();
    const ids = reservedIds(newReservation(START_AT, sound.random));
    const submit = (using: typeof sound) => submitKyc(request, { partner, keyId: 'key1', ids }, using);
    const mortally: Fate = { ...fate, at };
    await outside.run(() => submit(ports as typeof sound).catch((error: unknown) => ({ error })), mortally);
    const call = outside.struckAt();
    if (call !== undefined) await submit(sound).catch((error: unknown) => ({ error }));
    return { call, world };
  }

  test('has counted each look-up that was made, and its repetition is counted too', async () => {
    const calls: string[] = [];
    for (let at = 1; at < 40; at++) {
      const { call, world } = await submitTwice(at);
      if (call === undefined) break;
      calls.push(call);
      const counted = await world.counted();
      expect(world.asked()).toBeLessThanOrEqual(counted);
      // The try and its repetition use up the quota of two only if both were counted.
      expect(await world.send()).toBe(counted === 2 ? FULL : 'APPROVED');
    }

    expect(calls).toEqual(expect.arrayContaining(['UpdateCommand', 'registry.findCpf']));
  });
});
