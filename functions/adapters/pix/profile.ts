import type { Credentials } from '../http.ts';
import { type Fields, textOf } from './wire.ts';

/**
 * How a provider tells who paid, and the document that says so. Only `npm run ops -- psp verify` proves that it does:
 * docs/decisions.md, "The payer must be the client".
 *
 * - `FILTER`: `GET /pix` filters by payer. Some providers read the filter as the debtor of the charge.
 * - `REFUSED`: the provider refuses a payment by anybody but the debtor, before it is settled.
 */
type KnownPayer = { by: 'FILTER' | 'REFUSED'; document: string; ask?: string };

/** How one provider differs from the Central Bank's document. */
export type Profile = {
  tokenBody: Credentials['tokenBody'];
  /** The code of an error answer. */
  problemOf(body: Fields): string | undefined;
  /** How to read the balance of our account. API Pix has no call for it, so each provider has its own or none. */
  balance?: { path: string; query: Record<string, string>; scope: string };
  payer: KnownPayer;
};

/** RFC 7807: `https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado`. */
const documented = (body: Fields) => /\/([A-Za-z]+)$/.exec(textOf(body.type) ?? '')?.[1];

export const PROFILES = {
  bacen: {
    tokenBody: 'form',
    problemOf: documented,
    payer: { by: 'FILTER', document: 'Banco Central, API Pix 2.9, GET /pix, parameter `cpf`' },
  },
  efi: {
    tokenBody: 'json',
    problemOf: (body) => documented(body) ?? textOf(body.nome),
    // https://dev.efipay.com.br/docs/api-pix/endpoints-exclusivos-efi, "Consultar saldo da conta".
    balance: { path: '/gn/saldo', query: { bloqueios: 'true' }, scope: 'gn.balance.read' },
    payer: {
      by: 'REFUSED',
      // https://dev.efipay.com.br/docs/api-pix/endpoints-exclusivos-efi
      document: 'Efí, API Pix, PUT /v2/gn/config, `recebimento.documentoPagadorIgualDevedor`',
      ask: 'Set `documentoPagadorIgualDevedor` to true for our key (PUT /v2/gn/config).',
    },
  },
} as const satisfies Record<string, Profile>;
