import { App } from 'aws-cdk-lib/core';
import { describe, expect, it } from 'vitest';
import { ACT_RULES } from '../../functions/domain/acts/act-rules.ts';
import { readContext, readSettings } from '../../infra/settings.ts';
import { readAllCommands } from '../../operations/commands.ts';

const second = { by: ['admin'], withinHours: 2 };

async function operatorsOf(stage: string, operators?: object) {
  const app = new App({ context: { ...readContext(), stage, ...(operators && { operators }) } });
  return (await readSettings(app.node)).operators;
}

// docs/operations.md, "Two persons"
describe('the operators of a stage', () => {
  it.each(['sandbox', 'production'])('of %s are changed nowhere unless cdk.json says so', async (stage) => {
    expect(await operatorsOf(stage)).toEqual({});
  });

  it('are changed for the stage that is named', async () => {
    const production = { acts: { 'fraud lift': { second } } };

    expect(await operatorsOf('production', { production })).toEqual(production);
    expect(await operatorsOf('sandbox', { production })).toEqual({});
  });

  it('are refused with a mistyped act, which would want no second person', async () => {
    const settings = operatorsOf('production', { production: { acts: { 'fraud lit': { second } } } });

    await expect(settings).rejects.toThrow('operators of production: there is no act fraud lit');
  });
});

describe('a rule', () => {
  const READS = [
    'acts list',
    'acts show',
    'audit list',
    'books',
    'books verify',
    'cases list',
    'cases show',
    'clients blocked',
    'deliveries list',
    'fraud list',
    'history show',
    'history verify',
    'ledger day',
    'lists show',
    'partners list',
    'partners show',
    'reviews list',
    'subject holds',
    'treasury show',
    'treasury wallets',
    'tx list',
    'tx show',
    'unmatched list',
    'vendor-keys list',
  ];
  /** Their own events record them. */
  const DECISIONS = ['acts approve', 'acts withdraw'];

  it('is there for each command that changes or discloses something, and for no other', async () => {
    const names = (await readAllCommands()).map(({ name }) => name);
    const ruled = Object.keys(ACT_RULES).filter((name) => name !== 'cases close RETURNED_OUTSIDE');

    expect(names.filter((name) => ![...READS, ...DECISIONS].includes(name)).sort()).toEqual(ruled.sort());
  });

  it('with a second person is for a command that needs a reason, or makes a key', async () => {
    const seconded = Object.entries(ACT_RULES).flatMap(([name, rule]) => ('second' in rule ? [name] : []));
    const commands = (await readAllCommands()).filter(({ name }) => seconded.includes(name));
    const without = commands.filter(({ needsReason }) => !needsReason).map(({ name }) => name);

    expect(without).toEqual(['keys create']);
  });
});
