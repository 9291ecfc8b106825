/**
 * The tax authority's register of companies, through Serpro's "API Consulta CNPJ" (consulta-cnpj-df v2, basic query).
 * The CNPJ is part of the URL and the name may be a person's. Therefore no error may contain the URL.
 */
import { Unavailable } from '../../domain/errors.ts';
import type { CompanyEntry } from '../../domain/kyc/kyc.ts';
import type { CompanyRegistry } from '../../domain/kyc/registry-ports.ts';
import { type SerproDeps, type SerproSettings, serproSession } from '../serpro.ts';

const PROVIDER = 'the company registry';
/**
 * The codes of an active company. Serpro's other codes are 1 void, 3 suspended, 4 unfit and 8 closed. A
 * company with one of the other codes may not buy.
 */
const ACTIVE = ['2', '02'];

export function companyRegistry(
  loadSettings: () => Promise<SerproSettings>,
  deps: SerproDeps,
): CompanyRegistry {
  const session = serproSession(PROVIDER, loadSettings, deps);
  return {
    async findCnpj(cnpj) {
      if (!/^[0-9A-Z]{12}\d{2}$/.test(cnpj)) throw new Error('a CNPJ is 14 characters');
      const { settings, send } = await session();
      const url = `${settings.baseUrl}/consulta-cnpj-df/v2/basica/${cnpj}`;
      const { status, body } = await send({ method: 'GET', url });
      if (status === 404) return undefined;
      // With status 206 some field is missing. `companyEntryOf` fails if that field is needed.
      if (status !== 200 && status !== 206) throw new Error(`${PROVIDER} refused a query: HTTP ${status}`);
      return companyEntryOf(body, cnpj);
    },
  };
}

/** Translates the answer. Throws if it is incomplete, or about another company. */
export function companyEntryOf(body: unknown, cnpj: string): CompanyEntry {
  const { ni, nomeEmpresarial: name, situacaoCadastral } = Object(body) as Record<string, unknown>;
  const { codigo } = Object(situacaoCadastral) as Record<string, unknown>;
  if (ni !== cnpj) throw malformedCompany('ni');
  if (typeof name !== 'string' || name.trim() === '') throw malformedCompany('nomeEmpresarial');
  if (typeof codigo !== 'string') throw malformedCompany('situacaoCadastral');
  return { name: name.trim(), situation: ACTIVE.includes(codigo) ? 'ACTIVE' : 'INACTIVE' };
}

function malformedCompany(what: string): Unavailable {
  return new Unavailable(PROVIDER, { cause: new Error(`malformed answer: ${what}`) });
}
