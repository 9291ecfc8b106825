import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { partnerRowId } from '../../functions/adapters/dynamodb/partners.ts';
import { changePartnerSettings, handler } from '../../functions/api/partner/change-partner-settings.ts';
import { getPartnerSettings } from '../../functions/api/partner/get-partner-settings.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { aPartner } from '../support/builders.ts';
import { newId, openPorts } from '../support/ports.ts';
import { issuesBy, neverFits, pathsOf } from '../support/requests.ts';
import { memoryTables } from '../support/tables.ts';

async function openWorld() {
  const tables = memoryTables();
  const ports = openPorts(tables);
  const partner = aPartner({ id: newId().toLowerCase() });
  const Item = { ...partner, id: partnerRowId(partner.id) };
  await tables.client.send(new PutCommand({ TableName: tables.names.partners, Item }));
  const caller = { partner, ids: reservedIds({ at: 0, seed: '' }) };
  const change = (request: Parameters<typeof changePartnerSettings>[0], stage = 'sandbox') =>
    changePartnerSettings(request, caller, { ...ports, stage });
  const read = async () =>
    getPartnerSettings({}, { ...caller, partner: (await ports.partners.findPartner(partner.id))! });
  return { change, read, partner };
}

describe('200', () => {
  test('shows the partner’s name and no host until they are set', async () => {
    const { read, partner } = await openWorld();

    expect(await read()).toEqual({ displayName: partner.name, returnHosts: [] });
  });

  test('changes what is named, and leaves the rest', async () => {
    const { change, read } = await openWorld();

    await change({ returnHosts: ['app.example.com', 'app.example.com'] });
    const changed = await change({ displayName: 'Acme' });

    expect(changed).toEqual({ displayName: 'Acme', returnHosts: ['app.example.com'] });
    expect(await read()).toEqual(changed);
  });

  test('keeps both of two changes at once', async () => {
    const { change, read } = await openWorld();

    await Promise.all([change({ displayName: 'Acme' }), change({ returnHosts: ['a.example'] })]);

    expect(await read()).toEqual({ displayName: 'Acme', returnHosts: ['a.example'] });
  });
});

describe('400', () => {
  test.each([
    'https://app.example.com',
    'app.example.com/path',
    'app.example.com:443',
    'App.example.com',
    '*.example.com',
    'user@example.com',
    '10.0.0.1',
    '[::1]',
    'example',
    'example.com.',
    '-a.example.com',
    'javascript:alert(1)',
    ' example.com',
    'ex\u00e4mple.com',
    `${'a'.repeat(64)}.com`,
    '',
  ])('refuses the host %j', (host) => {
    expect(pathsOf(issuesBy(handler, { returnHosts: ['a.example', host] }))).toEqual(['returnHosts.1']);
  });

  test.each([
    ...neverFits('displayName'),
    ['spaces', 'displayName', '  '],
    ['61 characters', 'displayName', 'x'.repeat(61)],
    ['a line break', 'displayName', 'a\nb'],
    ['a turned direction', 'displayName', 'a\u202eb'],
    ['half a character', 'displayName', '\ud800'],
    ['one host', 'returnHosts', 'a.example'],
    ['21 hosts', 'returnHosts', Array.from({ length: 21 }, (_, index) => `a${index}.example`)],
  ])('refuses %s as %s', (_, field, value) => {
    expect(pathsOf(issuesBy(handler, { [field]: value }))).toEqual([field]);
  });

  test('refuses the developer’s own machine in production, and takes it in the sandbox', async () => {
    const { change } = await openWorld();
    const hosts = { returnHosts: ['a.example', 'localhost'] };

    const issues = [{ path: 'returnHosts.1', message: expect.any(String) }];
    await expect(change(hosts, 'production')).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      details: { issues },
    });
    expect(await change(hosts)).toMatchObject(hosts);
  });
});
