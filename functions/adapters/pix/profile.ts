import type { Credentials } from '../http.ts';
import { type Fields, textOf } from './wire.ts';

/** How one provider differs from the Central Bank's document. */
export type Profile = {
  tokenBody: Credentials['tokenBody'];
  /** The code of an error answer. */
  problemOf(body: Fields): string | undefined;
  /** How to read the balance of our account. API Pix has no call for it, so each provider has its own or none. */
  balance?: { path: string; query: Record<string, string>; scope: string };
};

/** RFC 7807: `https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado`. */
const documented = (body: Fields) => /\/([A-Za-z]+)$/.exec(textOf(body.type) ?? '')?.[1];

export const PROFILES = {
  bacen: { tokenBody: 'form', problemOf: documented },
  efi: {
    tokenBody: 'json',
    problemOf: (body) => documented(body) ?? textOf(body.nome),
    // https://dev.efipay.com.br/docs/api-pix/endpoints-exclusivos-efi, "Consultar saldo da conta".
    balance: { path: '/gn/saldo', query: { bloqueios: 'true' }, scope: 'gn.balance.read' },
  },
} as const satisfies Record<string, Profile>;
