/**
 * The tax authority's register of persons, through Serpro's "API Consulta CPF" (consulta-cpf-df v2). The CPF is part of
 * the URL, so no error may contain the URL.
 */
import { Unavailable } from '../../domain/errors.ts';
import type { RegistryEntry } from '../../domain/kyc/kyc.ts';
import type { CpfRegistry } from '../../domain/kyc/registry-ports.ts';
import { type SerproDeps, type SerproSettings, serproSession } from '../serpro.ts';

const PROVIDER = 'the CPF registry';
/**
 * Serpro's other codes are 2 suspended, 4 pending, 5 and 9 cancelled, and 8 void. All of them count as
 * `IRREGULAR`, and an irregular person may not buy.
 */
const SITUATIONS = new Map<string, RegistryEntry['situation']>([
  ['0', 'REGULAR'],
  ['3', 'DECEASED'],
]);
/** The HTTP status codes for a minor, whose data the law protects. 451 means an age below 16. */
const MINOR = [422, 451];

export function cpfRegistry(loadSettings: () => Promise<SerproSettings>, deps: SerproDeps): CpfRegistry {
  const session = serproSession(PROVIDER, loadSettings, deps);
  return {
    async findCpf(cpf) {
      if (!/^\d{11}$/.test(cpf)) throw new Error('a CPF is 11 digits');
      const { settings, send } = await session();
      const url = `${settings.baseUrl}/consulta-cpf-df/v2/cpf/${cpf}`;
      const { status, body } = await send({ method: 'GET', url });
      if (status === 404) return undefined;
      if (MINOR.includes(status)) return { situation: 'MINOR' };
      // With status 206 the date of enrolment is missing, which we do not need.
      if (status !== 200 && status !== 206) throw new Error(`${PROVIDER} refused a query: HTTP ${status}`);
      return registryEntryOf(body, cpf);
    },
  };
}

/** Translates the answer. Throws if it is incomplete, or about another person. */
export function registryEntryOf(body: unknown, cpf: string): RegistryEntry {
  const { ni, nome, nascimento, situacao, obito } = Object(body) as Record<string, unknown>;
  const birthDate = isoDate(nascimento);
  const code = (Object(situacao) as Record<string, unknown>).codigo;
  if (ni !== cpf) throw malformedCpf('ni');
  if (typeof nome !== 'string' || nome.trim() === '') throw malformedCpf('nome');
  if (birthDate === undefined) throw malformedCpf('nascimento');
  if (typeof code !== 'string') throw malformedCpf('situacao');
  const hasDied = typeof obito === 'string' && /^[12]\d{3}$/.test(obito);
  return { cpf, name: nome.trim(), birthDate, situation: hasDied ? 'DECEASED' : situationOf(code) };
}

const situationOf = (code: string): RegistryEntry['situation'] => SITUATIONS.get(code) ?? 'IRREGULAR';

/** Converts `14111970` to `1970-11-14`. Undefined if there is no such day. */
function isoDate(value: unknown): string | undefined {
  const [, day, month, year] = /^(\d{2})(\d{2})(\d{4})$/.exec(typeof value === 'string' ? value : '') ?? [];
  const iso = `${year}-${month}-${day}`;
  const at = new Date(`${iso}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(iso) ? iso : undefined;
}

function malformedCpf(what: string): Unavailable {
  return new Unavailable(PROVIDER, { cause: new Error(`malformed answer: ${what}`) });
}
