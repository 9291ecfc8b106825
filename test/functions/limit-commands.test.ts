import { describe, expect, test } from 'vitest';
import { dayInBrasilia } from '../../functions/domain/time.ts';
import { clientIdOf } from '../../functions/logic/kyc/client-id.ts';
import type { Flags, Plan } from '../../operations/command.ts';
import type { Desk } from '../../operations/desk.ts';
import { clientLimitCommand, quotaCommand, tierLimitCommand } from '../../operations/limits.ts';
import { partnerCommands } from '../../operations/partners.ts';
import { type Shown, shownLines } from '../../operations/shown.ts';
import { aClient, aPartner, MINUTE_MS } from '../support/builders.ts';
import { anOrder } from '../support/operators.ts';
import { newId, openPorts } from '../support/ports.ts';

const CPF = '529.982.247-25';

async function opened() {
  const ports = openPorts();
  const partner = aPartner({ id: `p${newId().slice(-12).toLowerCase()}` });
  await ports.register.create(partner);
  const { id: partnerId } = partner;
  const clientId = await clientIdOf({ partnerId, cpf: '52998224725' }, ports.lookup);
  await ports.clients.create(aClient({ id: clientId, partnerId }));
  const plan = async ({ run }: typeof tierLimitCommand, flags: Flags) =>
    (await run({ words: [partnerId], flags, ask: async () => '' }, ports as unknown as Desk)) as Plan;
  const show = () => partnerCommands.find(({ name }) => name === 'partners show')!;
  return {
    ports,
    id: partnerId,
    show: async () =>
      shownLines(
        (await show().run(
          { words: [partnerId], flags: {}, ask: async () => '' },
          ports as unknown as Desk,
        )) as Shown,
      ).join('\n'),
    plan,
    tier: async () => (await ports.partners.findPartner(partnerId))?.limits,
    quota: async () => (await ports.partners.findPartner(partnerId))?.registryQuota,
    client: async () => (await ports.clients.findClient(clientId))?.limits,
  };
}

describe('the caps of a tier at a partner', () => {
  test('are replaced once the operator has confirmed them, and those of other tiers stay', async () => {
    const { plan, tier } = await opened();
    await (await plan(tierLimitCommand, { tier: 'PEP', caps: 'dailyBrl=500' })).perform(anOrder());

    const wanted = await plan(tierLimitCommand, { tier: 'HIGH', caps: 'dailyBrl=1000,openCharges=2' });

    expect(await tier()).toEqual({ PEP: { dailyBrl: 500 } });
    await wanted.perform(anOrder());
    expect(await tier()).toEqual({ PEP: { dailyBrl: 500 }, HIGH: { dailyBrl: 1_000, openCharges: 2 } });
    await (await plan(tierLimitCommand, { tier: 'HIGH', caps: 'none' })).perform(anOrder());
    expect(await tier()).toEqual({ PEP: { dailyBrl: 500 }, HIGH: {} });
  });

  test.each([
    ['LOW', 'dailyBrl=500', '--tier is one of'],
    ['HIGH', 'dayBrl=500', '--caps has names of'],
    ['HIGH', 'dailyBrl=', 'dailyBrl must be whole BRL'],
    ['HIGH', 'dailyBrl=1e3', 'dailyBrl must be whole BRL'],
    ['HIGH', 'openCharges=11', 'openCharges must be'],
  ])('are not %s and %s', async (tier, caps, words) => {
    const { plan } = await opened();

    await expect(plan(tierLimitCommand, { tier, caps })).rejects.toThrow(words);
  });
});

describe('the caps of one client', () => {
  test('are replaced once the operator has confirmed them', async () => {
    const { plan, client } = await opened();

    const wanted = await plan(clientLimitCommand, { cpf: CPF, caps: 'yearlyBrl=100000' });

    expect(await client()).toBeUndefined();
    await wanted.perform(anOrder());
    expect(await client()).toEqual({ yearlyBrl: 100_000 });
    expect(JSON.stringify(wanted)).not.toMatch(/529\.?982/);
  });

  test('are refused for a CPF that is no client', async () => {
    const { plan } = await opened();

    const wanted = plan(clientLimitCommand, { cpf: '111.444.777-35', caps: 'none' });

    await expect(wanted).rejects.toThrow('has no client');
  });
});

describe('the quota of look-ups of a partner', () => {
  test('is replaced once the operator has confirmed it, and may be the default again', async () => {
    const { plan, quota } = await opened();

    const wanted = await plan(quotaCommand, { amount: '500' });

    expect(await quota()).toBeUndefined();
    await wanted.perform(anOrder());
    expect(await quota()).toEqual({ perDay: 500 });
    await (await plan(quotaCommand, { amount: 'default' })).perform(anOrder());
    expect(await quota()).toEqual({});
  });

  test('is shown with the use of the day', async () => {
    const { ports, id, plan, show } = await opened();
    await (await plan(quotaCommand, { amount: '500' })).perform(anOrder());
    const day = dayInBrasilia(ports.clock.now());
    await ports.registryQuotas.count({ partnerId: id, day, count: 2 }, 500);

    expect(await show()).toContain('2 paid look-ups since midnight in Brasília, of 500 paid look-ups a day');
    ports.clock.advance(24 * 60 * MINUTE_MS);
    expect(await show()).toContain('0 paid look-ups since midnight');
  });

  test.each(['', '-1', '1.5', '1e3', '1000001', 'none'])('is not "%s"', async (amount) => {
    const { plan } = await opened();

    await expect(plan(quotaCommand, { amount })).rejects.toThrow('--amount');
  });
});
