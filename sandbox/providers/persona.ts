import { createHash } from 'node:crypto';
import { getAt } from '../../functions/domain/get.ts';
import { findScenario, type Persona } from './scenarios.ts';

const GIVEN =
  'Adriana Alberto Bruna Caio Camila Daniel Débora Eduardo Elaine Fábio Fernanda Gustavo Helena ' +
  'Igor Isabela João Juliana Leandro Letícia Marcelo Mariana Natália Otávio Patrícia Paulo ' +
  'Rafaela Renato Sérgio Tatiana Vitor';
const FAMILY =
  'Almeida Andrade Araújo Azevedo Barbosa Barros Batista Campos Cardoso Carvalho Castro Correia ' +
  'Costa Cunha Dias Fernandes Ferreira Freitas Gomes Gonçalves Lima Lopes Machado Martins Melo ' +
  'Mendes Moreira Nascimento Nunes Oliveira Pereira Pinto Ramos Ribeiro Rocha Santana Santos ' +
  'Silveira Souza Teixeira Vieira';

const OLDEST_YEAR = 1950;
const YEARS = 52;

/** The invented adult whom the CPF registry shows for a valid CPF. A CPF always gives the same person. */
export function personaOf(cpf: string): Persona {
  return findScenario(cpf)?.persona ?? inventPersona(cpf);
}

/** The person on the client's document. For most CPFs it is the same person as in the registry. */
export function documentPersonaOf(cpf: string): Persona {
  return findScenario(cpf)?.document ?? personaOf(cpf);
}

/** The number of the client's identity card: nine digits, unless the scenario names another number. */
export function documentNumberOf(cpf: string): string {
  const bytes = createHash('sha256').update(`document ${cpf}`).digest();
  return findScenario(cpf)?.documentNumber ?? String(100_000_000 + (bytes.readUInt32BE(0) % 900_000_000));
}

/** The date when the person's CPF was issued: 15 February of the year in which the person became 16. */
export function enrolledOn(persona: Persona): string {
  const year = Number(persona.birthDate.slice(0, 4)) + 16;
  return `${year}-02-15`;
}

function inventPersona(cpf: string): Persona {
  const bytes = createHash('sha256').update(`persona ${cpf}`).digest();
  const pick = (words: string[], at: number) => getAt(words, bytes.readUInt16BE(at) % words.length);
  const families = FAMILY.split(' ');
  const name = `${pick(GIVEN.split(' '), 0)} ${pick(families, 2)} ${pick(families, 4)}`;
  const year = OLDEST_YEAR + (bytes.readUInt8(6) % YEARS);
  const month = String(1 + (bytes.readUInt8(7) % 12)).padStart(2, '0');
  const day = String(1 + (bytes.readUInt8(8) % 28)).padStart(2, '0');
  return { name, birthDate: `${year}-${month}-${day}` };
}
