import type { Credentials } from '../http.ts';
import { type PixFields, pixText } from './wire.ts';

/**
 * How a provider shows who has paid, and the provider's document that promises it. Only the test `npm run ops
 * -- psp verify` proves it: docs/decisions.md, "The payer must be the client".
 *
 * - `FILTER`: `GET /pix` filters by payer. Some providers wrongly filter by the debtor of the charge.
 * - `REFUSED`: the provider refuses a payment by anyone but the debtor, before it is settled.
 */
type KnownPayer = {
  by: 'FILTER' | 'REFUSED';
  document: string;
  ask?: string;
  /**
   * The call that reads whether the provider still refuses a payment by anyone but the debtor. Somebody may turn that
   * off later. For a provider without such a call, only the age of the proof is watched.
   */
  setting?: { path: string; scope: string };
};

/** The differences between one provider and the Central Bank's specification of API Pix. */
export type Profile = {
  tokenBody: Credentials['tokenBody'];
  /** The code of the problem that an error answer names. */
  problemOf(body: PixFields): string | undefined;
  /**
   * The call that reads the balance of our account. API Pix has no such call. Some providers have their own,
   * and others have none.
   */
  balance?: { path: string; query: Record<string, string>; scope: string };
  payer: KnownPayer;
};

/** The code at the end of an RFC 7807 type, such as `https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado`. */
const documented = (body: PixFields) => /\/([A-Za-z]+)$/.exec(pixText(body.type) ?? '')?.[1];

export const PROFILES = {
  bacen: {
    tokenBody: 'form',
    problemOf: documented,
    payer: { by: 'FILTER', document: 'Banco Central, API Pix 2.9, GET /pix, parameter `cpf`' },
  },
  efi: {
    tokenBody: 'json',
    problemOf: (body) => documented(body) ?? pixText(body.nome),
    // https://dev.efipay.com.br/docs/api-pix/endpoints-exclusivos-efi, "Consultar saldo da conta".
    balance: { path: '/gn/saldo', query: { bloqueios: 'true' }, scope: 'gn.balance.read' },
    payer: {
      by: 'REFUSED',
      // https://dev.efipay.com.br/docs/api-pix/endpoints-exclusivos-efi
      document: 'Efí, API Pix, PUT /v2/gn/config, `recebimento.documentoPagadorIgualDevedor`',
      ask: 'Set `documentoPagadorIgualDevedor` to true for our key (PUT /v2/gn/config).',
      setting: { path: '/gn/config', scope: 'gn.settings.read' },
    },
  },
} as const satisfies Record<string, Profile>;
