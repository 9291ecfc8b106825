import type { Credentials } from '../http.ts';
import { type Fields, textOf } from './wire.ts';

/** How one provider differs from the Central Bank's document. */
export type Profile = {
  tokenBody: Credentials['tokenBody'];
  /** Sent when the callback is registered. */
  registrationHeaders: Record<string, string>;
  /** The code of an error answer. */
  problemOf(body: Fields): string | undefined;
};

/** RFC 7807: `https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado`. */
const documented = (body: Fields) => /\/([A-Za-z]+)$/.exec(textOf(body.type) ?? '')?.[1];

export const PROFILES = {
  bacen: { tokenBody: 'form', registrationHeaders: {}, problemOf: documented },
  efi: {
    tokenBody: 'json',
    // Callbacks come through API Gateway without mTLS. The token of the path keeps strangers out, and a callback is
    // only a hint. Without this header Efí refuses to register such an address.
    registrationHeaders: { 'x-skip-mtls-checking': 'true' },
    problemOf: (body) => documented(body) ?? textOf(body.nome),
  },
} as const satisfies Record<string, Profile>;
