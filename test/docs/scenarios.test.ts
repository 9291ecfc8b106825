import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { companyScenarios, scenarios } from '../../sandbox/providers/scenarios.ts';

const TEST = new URL('..', import.meta.url).pathname;
const JOURNEYS = ['journeys', 'wire', 'deployed']
  .flatMap((folder) => readdirSync(join(TEST, folder)).map((file) => join(TEST, folder, file)))
  .map((file) => readFileSync(file, 'utf8').replaceAll(/(?<=\d)[./-](?=\d)/g, ''))
  .join('\n');

/** The events that partners cause have their journeys in a table of `test/journeys/triggers.test.ts`. */
describe('a scenario of the sandbox', () => {
  it.each([...scenarios.map(({ cpf }) => cpf), ...companyScenarios.map(({ cnpj }) => cnpj)])(
    '%s is played by a test of the whole service',
    (number) => expect(JOURNEYS).toContain(number),
  );
});
