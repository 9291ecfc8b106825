import { beforeAll, describe, expect, it } from 'vitest';
import { folderReader } from '../../functions/adapters/lists/folder.ts';
import { publicationReader } from '../../functions/adapters/lists/published.ts';
import { sanctionsLists } from '../../functions/adapters/lists/sanctions-lists.ts';
import { hitsOf, REVIEW_POINT, reviewsOf } from '../../functions/domain/screening/screening.ts';
import type { SanctionsLists } from '../../functions/domain/screening/screening-ports.ts';
import { sandboxLists } from '../../infra/sandbox.ts';
import { companyNameOf } from '../../sandbox/providers/company-registry.ts';
import { registerSpelling } from '../../sandbox/providers/cpf-registry.ts';
import { personaOf } from '../../sandbox/providers/persona.ts';
import { isCpf } from '../../sandbox/providers/psp/validate.ts';
import { companyScenarios, scenarios } from '../../sandbox/providers/scenarios.ts';
import { stubClock } from '../support/stub-clock.ts';
import { stubLog } from '../support/stub-log.ts';

/** The lists of a sandbox function that has not read any newer publication. */
let screening: SanctionsLists;
beforeAll(async () => {
  const bundled = folderReader(await sandboxLists());
  const outside = {
    read: async () => undefined,
    bundled,
    log: stubLog(),
    clock: stubClock('2026-11-20T12:00:00Z'),
  };
  screening = sanctionsLists({ ...outside, published: publicationReader(outside) });
});

/** The lists that have the person whom the registry knows by this CPF. */
async function listsOf(cpf: string): Promise<string[]> {
  const { name, birthDate } = personaOf(cpf);
  const { candidates, index } = await screening.search({ cpf, name: registerSpelling(name), birthDate });
  expect(index?.source).toBe('BUNDLED');
  return [...new Set(hitsOf(candidates).map(({ list }) => list))];
}

describe('the sandbox lists, searched by the product', () => {
  const expected: Record<string, string[]> = {
    '11144477735': ['BR_CEIS'],
    '90000000175': ['BR_PEP'],
    '90000000256': ['OFAC_SDN'],
  };

  // Spec, What the service does: "sanctions lists from Brazil, the US and the UN"
  // docs/compliance.md, "Effect of a hit"
  it.each(scenarios.map(({ cpf, forces }) => [cpf, forces]))(
    'find %s (%s) in the expected place',
    async (cpf) => {
      expect(await listsOf(cpf)).toEqual(expected[cpf] ?? []);
    },
  );

  it('find the companies of two scenarios by name, one of them for a manual review, and no others', async () => {
    const found = companyScenarios.map(async ({ cnpj, answer: { name = '' } }) => {
      const person = { cpf: '', name: '', birthDate: '' };
      const { candidates } = await screening.search({ ...person, cnpj, companyName: registerSpelling(name) });
      return [hitsOf(candidates).length, reviewsOf(candidates).length];
    });

    expect(await Promise.all(found)).toEqual([[1, 0], [0, 1], ...Array(3).fill([0, 0])]);
  });

  it('find none of a hundred invented companies', async () => {
    const person = { cpf: '', name: '', birthDate: '' };

    for (let number = 0; number < 100; number++) {
      const companyName = companyNameOf(`${number}`);
      const { candidates } = await screening.search({ ...person, cnpj: '90000006000151', companyName });
      expect([companyName, candidates.filter(({ score }) => score >= REVIEW_POINT)]).toEqual([
        companyName,
        [],
      ]);
    }
  });

  it('find none of two hundred invented people', async () => {
    const cpfs: string[] = [];
    for (let base = 123_456_000; cpfs.length < 200; base += 4_567) {
      for (let check = 0; check < 100; check++) {
        const cpf = `${base}${String(check).padStart(2, '0')}`;
        if (isCpf(cpf)) cpfs.push(cpf);
      }
    }

    for (const cpf of cpfs) expect(await listsOf(cpf)).toEqual([]);
  });
});
