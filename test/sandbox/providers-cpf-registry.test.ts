import { describe, expect, it } from 'vitest';
import { comparableOf } from '../../functions/domain/kyc/cross-check.ts';
import { documentPersonaOf, personaOf } from '../../sandbox/providers/persona.ts';
import { isCpf } from '../../sandbox/providers/psp/validate.ts';
import { scenarios } from '../../sandbox/providers/scenarios.ts';
import { basic, openWorld, PAYER, type Sandbox } from './providers-support.ts';

type Person = {
  ni: string;
  nome: string;
  nascimento: string;
  dataInscricao?: string;
  situacao: { codigo: string };
};

async function openRegistry() {
  const sandbox = openWorld();
  const { access_token } = (await (await tokenFrom(sandbox)).json()) as { access_token: string };
  const authorization = `Bearer ${access_token}`;
  const lookUp = (ni: string) =>
    sandbox.call('GET', `/cpf-registry/consulta-cpf-df/v2/cpf/${ni}`, undefined, { authorization });
  return { sandbox, lookUp, authorization };
}

function tokenFrom(sandbox: Sandbox, secret?: string) {
  const { consumerKey, consumerSecret } = sandbox.world.settings.cpfRegistry;
  return sandbox.app.request('/cpf-registry/token', {
    method: 'POST',
    headers: {
      authorization: basic(consumerKey, secret ?? consumerSecret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
}

describe('CPF registry', () => {
  it('issues a token for an hour, to the consumer only', async () => {
    const sandbox = openWorld();

    expect(await (await tokenFrom(sandbox)).json()).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'am_application_scope default',
    });
    const refused = await tokenFrom(sandbox, 'wrong');
    expect(refused.status).toBe(401);
    expect(await refused.json()).toMatchObject({ error: 'invalid_client' });
  });

  it('answers 401 without a token, with a forged one and after an hour', async () => {
    const { sandbox, lookUp } = await openRegistry();
    const path = `/cpf-registry/consulta-cpf-df/v2/cpf/${PAYER}`;

    expect((await sandbox.call('GET', path)).status).toBe(401);
    expect((await sandbox.call('GET', path, undefined, { authorization: 'Bearer 9.x' })).status).toBe(401);
    sandbox.wait(3_600_000);
    expect((await lookUp(PAYER)).status).toBe(401);
  });

  it('knows the same adult under a CPF every time', async () => {
    const { lookUp } = await openRegistry();

    const person = (await (await lookUp(PAYER)).json()) as Person;

    expect(person).toMatchObject({ ni: PAYER, situacao: { codigo: '0', descricao: 'REGULAR' } });
    expect(person.nome).toMatch(/^[A-Z]+( [A-Z]+)+$/);
    expect(person.nascimento).toMatch(/^\d{8}$/);
    expect(Number(person.nascimento.slice(4))).toBeLessThan(2008);
    expect(person.dataInscricao).toMatch(/^\d{8}$/);
    expect(await (await lookUp(PAYER)).json()).toEqual(person);
  });

  it.each([
    ['52998224726', 400],
    ['529.982.247-25', 400],
    ['40532176871', 200],
    ['88373571094', 206],
    ['30272095079', 422],
    ['20803407009', 451],
  ])('answers %s with %i', async (ni, status) => {
    const { lookUp } = await openRegistry();

    expect((await lookUp(ni)).status).toBe(status);
  });

  it.each([
    ['40532176871', '2'],
    ['05137518743', '3'],
    ['07691852312', '4'],
    ['01648527949', '5'],
    ['98302514705', '8'],
    ['64913872591', '9'],
  ])('shows %s with the situation %s', async (ni, codigo) => {
    const { lookUp } = await openRegistry();

    expect(await (await lookUp(ni)).json()).toMatchObject({ ni, situacao: { codigo } });
  });

  it('leaves fields out in a partial answer (206)', async () => {
    const { lookUp } = await openRegistry();

    expect(await (await lookUp('88373571094')).json()).not.toHaveProperty('dataInscricao');
  });

  it('answers 406 when the client wants something else than JSON', async () => {
    const { sandbox, authorization } = await openRegistry();
    const path = `/cpf-registry/consulta-cpf-df/v2/cpf/${PAYER}`;

    expect((await sandbox.call('GET', path, undefined, { authorization, accept: 'text/html' })).status).toBe(
      406,
    );
  });

  it('answers 403 to a wrong path', async () => {
    const { sandbox, authorization } = await openRegistry();

    expect(
      (await sandbox.call('GET', `/cpf-registry/cpf/${PAYER}`, undefined, { authorization })).status,
    ).toBe(403);
  });

  it('is down for three calls about 900.000.006-80 and then up', async () => {
    const { lookUp } = await openRegistry();
    const statuses: number[] = [];

    for (let i = 0; i < 4; i++) statuses.push((await lookUp('90000000680')).status);

    expect(statuses).toEqual([503, 503, 503, 200]);
    expect((await lookUp(PAYER)).status).toBe(200);
  });

  it('is down again about 900.000.006-80 when the scenario is repeated, but not before it is over', async () => {
    const { sandbox, lookUp } = await openRegistry();
    const anew = () =>
      sandbox.call('POST', '/control/scenarios/90000000680/hold', { clientId: 'c'.repeat(64) });
    const statuses = async (calls: number) => {
      const seen: number[] = [];
      for (let i = 0; i < calls; i++) seen.push((await lookUp('90000000680')).status);
      return seen;
    };

    expect(await statuses(2)).toEqual([503, 503]);
    await anew();
    expect(await statuses(2)).toEqual([503, 200]);
    await anew();
    expect(await statuses(4)).toEqual([503, 503, 503, 200]);
    expect((await lookUp(PAYER)).status).toBe(200);
  });

  it('fails and forgets people as the control interface sets it', async () => {
    const { sandbox, lookUp } = await openRegistry();
    await sandbox.call('POST', '/control/cpf-registry/outage', { calls: 1, status: 504 });
    await sandbox.call('PUT', `/control/cpf-registry/people/${PAYER}`, { missing: true });

    expect((await lookUp(PAYER)).status).toBe(504);
    expect((await lookUp(PAYER)).status).toBe(404);
  });
});

describe('scenarios', () => {
  it('are valid CPFs, each once, with unique names, except a namesake of a listed person', () => {
    expect(scenarios.every(({ cpf }) => isCpf(cpf))).toBe(true);
    expect(new Set(scenarios.map(({ cpf }) => cpf)).size).toBe(scenarios.length);
    const people = scenarios.filter(({ forces }) => forces !== 'PENDING for a review case');
    expect(people).toHaveLength(scenarios.length - 1);
    expect(new Set(people.map(({ persona }) => persona.name)).size).toBe(people.length);
  });

  it('show another person in the document only for IDENTITY_MISMATCH', () => {
    const differing = scenarios.filter(({ cpf }) => personaOf(cpf) !== documentPersonaOf(cpf));

    expect(differing.map(({ forces }) => forces)).toEqual(['IDENTITY_MISMATCH']);
    expect(documentPersonaOf(PAYER)).toEqual(personaOf(PAYER));
  });

  it('give the registry’s person to the partner, and another document number only for a mismatch', () => {
    const collecting = scenarios.filter(({ collected }) => collected);

    for (const { persona, collected } of collecting) expect(collected).toMatchObject(persona);
    const numbers = collecting.map(({ collected, documentNumber = '' }) => {
      return (
        comparableOf({ documentNumbers: [collected!.documentNumber] }).documentNumber![0] === documentNumber
      );
    });
    expect(numbers).toEqual([true, false]);
  });
});
