import { describe, expect, it } from 'vitest';
import { cnpjCharacters } from '../../functions/domain/kyc/cpf.ts';
import { companyScenarios } from '../../sandbox/providers/scenarios.ts';
import { basic, openWorld } from './providers-support.ts';

const CNPJ = '11222333000181';
const path = (ni: string) => `/company-registry/consulta-cnpj-df/v2/basica/${ni}`;

async function openRegistry() {
  const sandbox = openWorld();
  const { consumerKey, consumerSecret } = sandbox.world.settings.companyRegistry;
  const response = await sandbox.app.request('/company-registry/token', {
    method: 'POST',
    headers: {
      authorization: basic(consumerKey, consumerSecret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  const authorization = `Bearer ${((await response.json()) as { access_token: string }).access_token}`;
  const lookUp = (ni: string) => sandbox.call('GET', path(ni), undefined, { authorization });
  return { sandbox, lookUp, authorization };
}

describe('company registry', () => {
  it('answers 401 without a token, with a token for another API of the gateway, and after an hour', async () => {
    const { sandbox, lookUp, authorization } = await openRegistry();
    const cpf = '/cpf-registry/consulta-cpf-df/v2/cpf/52998224725';

    expect((await sandbox.call('GET', path(CNPJ))).status).toBe(401);
    expect((await sandbox.call('GET', cpf, undefined, { authorization })).status).toBe(401);
    sandbox.wait(3_600_000);
    expect((await lookUp(CNPJ)).status).toBe(401);
  });

  it.each([CNPJ, '12ABC34501DE35'])('knows the same active company under %s each time', async (ni) => {
    const { lookUp } = await openRegistry();

    const company = await (await lookUp(ni)).json();

    expect(company).toMatchObject({ ni, situacaoCadastral: { codigo: '2' } });
    expect(company).toMatchObject({ nomeEmpresarial: expect.stringMatching(/^[A-Z]+( [A-Z]+)+ LTDA$/) });
    expect(await (await lookUp(ni)).json()).toEqual(company);
  });

  it.each([
    ['11222333000182', 400],
    ['11.222.333/0001-81', 403],
    ['90000004000162', 404],
  ])('answers %s with %i', async (ni, status) => {
    const { lookUp } = await openRegistry();

    expect((await lookUp(ni)).status).toBe(status);
  });

  it.each([
    ['34238864000168', '2'],
    ['54447820000155', '3'],
    ['46768703000165', '4'],
    ['31151791000184', '8'],
    ['34428654000132', '1'],
    ['90000003000118', '8'],
  ])('shows %s with the situation %s', async (ni, codigo) => {
    const { lookUp } = await openRegistry();

    expect(await (await lookUp(ni)).json()).toMatchObject({ ni, situacaoCadastral: { codigo } });
  });

  it('is down for three calls about 90.000.005/0001-07 and then up, over and over', async () => {
    const { lookUp } = await openRegistry();
    const statuses: number[] = [];

    for (let i = 0; i < 8; i++) statuses.push((await lookUp('90000005000107')).status);

    const once = [503, 503, 503, 200];
    expect(statuses).toEqual([...once, ...once]);
  });

  it('fails, and changes its answer, as the control interface sets it', async () => {
    const { sandbox, lookUp } = await openRegistry();
    await sandbox.call('POST', '/control/company-registry/outage', { calls: 1, status: 504 });
    expect((await lookUp(CNPJ)).status).toBe(504);

    const say = (company: object) =>
      sandbox.call('PUT', `/control/company-registry/companies/${CNPJ}`, company);
    await say({ name: 'Outra Ltda' });
    expect(await (await lookUp(CNPJ)).json()).toMatchObject({ nomeEmpresarial: 'OUTRA LTDA' });
    await say({ status: 206 });
    const partial = await lookUp(CNPJ);
    expect(partial.status).toBe(206);
    expect(await partial.json()).not.toHaveProperty('nomeEmpresarial');
    await say({ missing: true });
    expect((await lookUp(CNPJ)).status).toBe(404);
  });
});

describe('scenarios of legal entities', () => {
  it('are valid CNPJs, each once', () => {
    expect(companyScenarios.map(({ cnpj }) => cnpjCharacters(cnpj))).toEqual(
      companyScenarios.map(({ cnpj }) => cnpj),
    );
    expect(new Set(companyScenarios.map(({ cnpj }) => cnpj)).size).toBe(companyScenarios.length);
  });
});
