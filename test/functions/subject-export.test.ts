import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { type Kept, RETENTION } from '../../functions/domain/retention.ts';
import { outcomeEventIdOf } from '../../functions/logic/kyc/client-id.ts';
import { TABLE_LIST } from '../../functions/tables.ts';
import { SUBJECT_KINDS, UNSEARCHED } from '../../operations/subject-fields.ts';
import {
  type DataSubjectWorld,
  dataSubject,
  IDENTITY,
  putRareRows,
  SECRETS,
} from '../support/data-subject.ts';
import { newId, START_AT } from '../support/ports.ts';
import { randomCpf } from '../support/sandbox.ts';

const folder = mkdtempSync(join(tmpdir(), 'subjects-'));
afterAll(() => rmSync(folder, { recursive: true }));

const exported = ({ ops, cpf }: DataSubjectWorld, flags: object = {}) =>
  ops('ana', 'subject export', { flags: { cpf, ...flags } });

// docs/operations.md, "A client's rights"
describe('the description of what is known of a CPF', () => {
  const kinds = Object.entries(RETENTION as Record<string, Kept>);

  it('has each kind of row with a client’s data, in every table', () => {
    const described = [...SUBJECT_KINDS, ...Object.keys(UNSEARCHED)];
    const personal = kinds.filter(([, { table, personal }]) => table && !personal.startsWith('none'));

    expect(described.sort()).toEqual(personal.map(([kind]) => kind).sort());
  });

  it('has each table whose rows name a client, a person or a purchase in an index', () => {
    const owners = ['clientId', 'personId', 'transactionId', 'pendingClientId'];
    const ofClients = TABLE_LIST.filter(({ indexes }) =>
      Object.values(indexes).some(({ key }) => owners.includes(key)),
    );
    const covered = new Set(SUBJECT_KINDS.map((kind) => RETENTION[kind].table));

    expect(ofClients.length).toBeGreaterThan(5);
    for (const { name } of ofClients) expect([...covered]).toContain(name);
  });
});

describe('subject export', () => {
  it('finds each kind of row, at the partner where the person is a client', async () => {
    const world = await dataSubject();
    await putRareRows(world);

    const { found, without } = JSON.parse(await exported(world, { json: true }));

    expect(without).toEqual([]);
    expect(found.map(({ kind }: { kind: string }) => kind).sort()).toEqual([...SUBJECT_KINDS].sort());
  });

  // A token opens purchases for a day.
  it.each([true, false])(
    'shows only the end of a KYC token, in every record that names it, as JSON: %s',
    async (json) => {
      const world = await dataSubject();
      const { token, partnerId, clientId } = world;
      const id = await outcomeEventIdOf({ token, sequence: 1 }, world.ports.lookup);
      await world.put('events', { id, partnerId, data: { token }, at: START_AT });
      const reviewed = { id: newId(), partnerId, clientId, token };
      await world.put('cases', { ...reviewed, status: 'OPEN', openedAt: START_AT });

      const text = await exported(world, json ? { json } : {});

      expect(text).not.toContain(token);
      expect(text).not.toContain(token.slice(0, -6));
      const sections: { kind: string; text: string }[] = json
        ? JSON.parse(text).found.map((each: { kind: string }) => ({
            kind: each.kind,
            text: JSON.stringify(each),
          }))
        : text.split('\n\n').map((each) => ({ kind: each.split(':')[0], text: each }));
      const naming = sections.filter((each) => each.text.includes(`kyc_…${token.slice(-6)}`));
      const kinds = ['kycRecords', 'evidence', 'cases', 'transactions', 'events'];
      expect(naming.map(({ kind }) => kind)).toEqual(kinds);
    },
  );

  it('shows CPF, name, birth date and notes in words, each with its meaning', async () => {
    const world = await dataSubject();

    const text = await exported(world);

    expect(text).toContain(`CPF (cpf): ${world.cpf.replaceAll(/\D/g, '')}`);
    for (const each of Object.values(IDENTITY)) expect(text).toContain(each);
    expect(text).toContain('the partner’s own notes on the purchase (metadata): order 4711');
    expect(text).toMatch(/\(history\):\n +1: at 20\d\d-\d\d-\d\d \d\d:\d\d:\d\d, status PROCESSING\n/);
    expect(text).not.toContain('{"');
    expect(text).toContain('ten years');
    expect(text).toContain('record, kept until');
  });

  it('explains every field that it shows', async () => {
    const world = await dataSubject();

    const { found } = JSON.parse(await exported(world, { json: true }));

    for (const { kind, meanings, records } of found)
      for (const { fields, notShown } of records)
        for (const name of [...Object.keys(fields), ...notShown])
          expect(meanings, `${kind}.${name}`).toHaveProperty(name);
  });

  it('is refused before the act if the file exists', async () => {
    const world = await dataSubject();
    const out = join(folder, 'known.txt');
    writeFileSync(out, 'known');

    expect(await exported(world, { out })).toBe(`${out} exists: name a new file.`);

    expect(await world.ops('bia', 'audit list', { role: 'admin' })).not.toContain('subject export');
    expect(readFileSync(out, 'utf8')).toBe('known');
  });

  it('shows no secret, and says that it exists', async () => {
    const world = await dataSubject();
    await putRareRows(world);

    const [text, json] = [await exported(world), await exported(world, { json: true })];

    for (const secret of SECRETS) expect(text + json).not.toContain(secret);
    expect(text).toContain(
      'secret of the authenticator app, encrypted (totpCipher): exists, and is not shown',
    );
    expect(text).toContain('(wait): exists, and is not shown');
  });

  it('names what it cannot find by a CPF, and what is kept elsewhere', async () => {
    const text = await exported(await dataSubject());

    for (const kind of Object.keys(UNSEARCHED)) expect(text).toContain(`  - ${kind}: `);
    expect(text).toContain('log lines (CloudWatch');
  });

  it('writes a new file for its owner', async () => {
    const world = await dataSubject();
    const out = join(folder, 'subject.json');

    const said = await exported(world, { json: true, out });

    expect(said).toContain('sha256');
    expect(JSON.parse(readFileSync(out, 'utf8')).header).toMatchObject({
      by: 'ana',
      personId: world.personId,
    });
  });

  it('is recorded by the keyed hash, without the CPF', async () => {
    const world = await dataSubject();

    await exported(world);

    const events = await world.ports.acts.listOfSubject(world.personId);
    expect(events.map(({ kind }) => kind).sort()).toEqual(['DONE', 'ORDERED']);
    expect(JSON.stringify(events)).not.toContain(world.cpf.replaceAll(/\D/g, ''));
  });

  it('says that nothing is known of an unknown CPF, also when asked again', async () => {
    const world = await dataSubject();
    const unknown = { ...world, cpf: randomCpf() };

    expect(await exported(unknown)).toBe('Nothing is known of this CPF.');
    expect(await exported(unknown)).toBe('Nothing is known of this CPF.');
  });

  it.each([
    ['an invalid CPF', '111.111.111-11'],
    ['no digits', 'Maria'],
    ['10 kB', '9'.repeat(10_240)],
  ])('refuses %s', async (_, cpf) => {
    expect(await exported({ ...(await dataSubject()), cpf })).toContain('no CPF');
  });

  it('is for compliance alone', async () => {
    const world = await dataSubject();
    const flags = { cpf: world.cpf };

    expect(await world.ops('ana', 'subject export', { role: 'operator', flags })).toContain(
      'may not do that',
    );
  });
});
