import { describe, expect, test } from 'vitest';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import { reviewClient } from '../../functions/logic/kyc/review-pending.ts';
import { reviewPendingKyc } from '../../functions/schedules/review-pending-kyc.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { outcomeOf, tally } from '../support/limited-client.ts';
import { type Fate, mortalOutside } from '../support/mortal-process.ts';
import { openPorts } from '../support/ports.ts';
import { aRequest, HOLDER, partnerOf, reviewIs } from '../support/submissions.ts';
import { memoryTables, tapped } from '../support/tables.ts';

const CNPJ = '11222333000181';
const HOUR_MS = 60 * MINUTE_MS;

/** A partner with a quota. Its clients are PENDING until their documents are reviewed. */
async function openWorld(perDay: number, tables = memoryTables()) {
  const ports = openPorts(tables);
  const { partner, submit } = partnerOf(ports, { registryQuota: { perDay } });
  await ports.register.create(partner);
  async function pending(request = aRequest()) {
    const client = { partnerId: partner.id, cpf: request.cpf };
    const clientId = await reviewIs(ports, client, 'PENDING');
    const { token } = await submit(request);
    // The id of evidence contains its instant, so the next decision needs a later one.
    ports.clock.advance(1);
    const review = async (using = ports) => {
      await reviewIs(ports, client, 'APPROVED');
      await reviewClient(clientId, using);
      return statusOf();
    };
    const statusOf = async () => (await ports.kycRecords.findRecord(token))!.status;
    return { token, review, statusOf };
  }
  return {
    ports,
    tables,
    pending,
    send: () => outcomeOf(submit(aRequest())),
    counted: () => countedOf(partner, ports),
    asked: () => ports.cpfRegistry.asked.length + ports.companyRegistry.asked.length,
    async allow(more: number) {
      const found = await ports.partners.findPartner(partner.id);
      await ports.partners.save(found!, { registryQuota: { perDay: more } });
    },
  };
}

const countedOf = ({ id }: Partner, { registryUse, clock }: ReturnType<typeof openPorts>) =>
  registryUse.findUsed(id, dayInBrasilia(clock.now()));

// docs/decisions.md, "Limits of a partner"
describe('a later look at a PENDING client', () => {
  test('counts as a submission does, once for each registry', async () => {
    const { pending, counted, asked } = await openWorld(10);
    const person = await pending();
    const company = await pending(aRequest({ personType: 'PJ', cnpj: CNPJ }));
    expect([await counted(), asked()]).toEqual([3, 3]);

    expect([await person.review(), await company.review()]).toEqual(['APPROVED', 'APPROVED']);

    expect([await counted(), asked()]).toEqual([6, 6]);
  });

  test('waits beyond the quota, asks nobody, and succeeds the next day', async () => {
    const { ports, pending, counted, asked } = await openWorld(1);
    const { review, statusOf } = await pending();

    expect(await review()).toBe('PENDING');

    expect([await counted(), asked()]).toEqual([1, 1]);
    expect(ports.log.raised).toContain('ScreeningSilent');
    // The tests begin three hours before midnight in Brasília.
    ports.clock.advance(3 * HOUR_MS);
    await reviewPendingKyc(ports);
    expect(await statusOf()).toBe('APPROVED');
  });

  test('waits beyond the quota until operators raise it', async () => {
    const { ports, pending, allow } = await openWorld(1);
    const { review, statusOf } = await pending();
    expect(await review()).toBe('PENDING');

    await allow(2);
    ports.clock.advance(MINUTE_MS);
    await reviewPendingKyc(ports);

    expect(await statusOf()).toBe('APPROVED');
  });

  test('finds a tenth of the quota that submissions leave, and no more', async () => {
    const { ports, pending, send, counted, asked } = await openWorld(20);
    const clients = await Promise.all(Array.from({ length: 4 }, () => pending()));
    ports.identity.openApplicant = async ({ clientId: applicantId }) => ({
      applicantId,
      status: 'APPROVED',
      holder: HOLDER,
    });
    const outcomes = await Promise.all(Array.from({ length: 20 }, send));
    expect(tally(outcomes)).toEqual({ APPROVED: 14, 'KYC_QUOTA_EXCEEDED REGISTRY_LOOK_UPS': 6 });

    const reviewed = await Promise.all(clients.map(({ review }) => review()));

    expect(tally(reviewed)).toEqual({ APPROVED: 2, PENDING: 2 });
    expect([await counted(), asked()]).toEqual([20, 20]);
  });

  // Threat: "a stolen key burns paid look-ups of registries"
  test('is one of exactly as many as the quota, of twenty at once', async () => {
    const { pending, allow, counted, asked } = await openWorld(100);
    const clients = await Promise.all(Array.from({ length: 20 }, () => pending()));
    await allow(27);

    const reviewed = await Promise.all(clients.map(({ review }) => review()));

    expect(tally(reviewed)).toEqual({ APPROVED: 7, PENDING: 13 });
    expect([await counted(), asked()]).toEqual([27, 27]);
  });

  test('counts nothing while the registry does not answer', async () => {
    const { ports, pending, counted } = await openWorld(2);
    const { review, statusOf } = await pending();
    ports.cpfRegistry.isDown = true;
    expect(await review()).toBe('PENDING');
    for (let run = 0; run < 5; run++) {
      ports.clock.advance(MINUTE_MS);
      await reviewPendingKyc(ports);
    }
    expect(await counted()).toBe(1);

    ports.cpfRegistry.isDown = false;
    ports.clock.advance(HOUR_MS);
    await reviewPendingKyc(ports);

    expect([await statusOf(), await counted()]).toEqual(['APPROVED', 2]);
  });
});

const FATES = (['killed', 'failed'] as const).flatMap((kind) =>
  (['before', 'after'] as const).map((when) => ({ kind, when })),
);

describe.each(FATES)('a later look that is $kind $when any call', (fate) => {
  /** One look by a process that may die at any call, and its repetitions by the schedule. */
  async function lookTwice(at: number) {
    const outside = mortalOutside();
    const world = await openWorld(10);
    const { ports: sound, tables, pending } = world;
    const { review, statusOf } = await pending();
    const tap = (send: Send) => (command: object) =>
      outside.reach(command.constructor.name, () => send(command));
    const cpfRegistry = outside.around('registry', sound.cpfRegistry, 'findCpf');
    const { clock, identity, vault } = sound;
    const mortal = { ...openPorts(tapped(tables, tap as never)), cpfRegistry, clock, identity, vault };
    const mortally: Fate = { ...fate, at };
    const look = () => review(mortal as typeof sound).catch((error: unknown) => ({ error }));
    await outside.run(look, mortally);
    return { call: outside.struckAt(), world, statusOf };
  }

  test('has counted each look-up that was made, and the client is approved', async () => {
    const calls: string[] = [];
    for (let at = 1; at < 60; at++) {
      const { call, world, statusOf } = await lookTwice(at);
      if (call === undefined) break;
      calls.push(call);
      world.ports.clock.advance(MINUTE_MS);
      await reviewPendingKyc(world.ports);
      expect(await statusOf()).toBe('APPROVED');
      expect(world.asked()).toBeLessThanOrEqual(await world.counted());
    }

    expect(calls).toEqual(expect.arrayContaining(['UpdateCommand', 'registry.findCpf']));
  });
});
type Send = (command: object) => Promise<unknown>;
