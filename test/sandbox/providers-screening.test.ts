import { describe, expect, it } from 'vitest';
import { MANIFEST, manifestOf } from '../../functions/adapters/lists/manifest.ts';
import { sanctionsLists } from '../../functions/adapters/lists/sanctions-lists.ts';
import { registerSpelling } from '../../sandbox/providers/cpf-registry.ts';
import { listFiles, listOf } from '../../sandbox/providers/lists.ts';
import { personaOf } from '../../sandbox/providers/persona.ts';
import { isCpf } from '../../sandbox/providers/psp/validate.ts';
import { scenarios } from '../../sandbox/providers/scenarios.ts';

const files = Object.entries(listFiles).map(([name, make]) => {
  return { name, list: listOf[name as keyof typeof listFiles], bytes: make() };
});
const bytesOf = (name: string) =>
  name === MANIFEST
    ? Buffer.from(JSON.stringify(manifestOf('sandbox-1', files)))
    : files.find((file) => file.name === name)?.bytes;
const screening = sanctionsLists({
  clock: { now: () => Date.parse('2026-11-20T12:00:00Z') },
  read: async (name) => {
    const bytes = bytesOf(name);
    return bytes && { bytes };
  },
});

/** The lists on which the person that the registry shows is found. */
async function listsOf(cpf: string): Promise<string[]> {
  const { name, birthDate } = personaOf(cpf);
  const { hits } = await screening.search({ cpf, name: registerSpelling(name), birthDate });
  return [...new Set(hits.map(({ list }) => list))];
}

describe('the sandbox lists, searched by the product', () => {
  const expected: Record<string, string[]> = {
    '11144477735': ['BR_CEIS'],
    '90000000175': ['BR_PEP'],
    '90000000256': ['OFAC_SDN'],
  };

  it.each(scenarios.map(({ cpf, forces }) => [cpf, forces]))(
    'find %s (%s) where they should',
    async (cpf) => {
      expect(await listsOf(cpf)).toEqual(expected[cpf] ?? []);
    },
  );

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
