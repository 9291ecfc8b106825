import type { Credentials } from '../http.ts';
import { type Fields, textOf } from './wire.ts';

/** How one provider differs from the Central Bank's document. */
export type Profile = {
  tokenBody: Credentials['tokenBody'];
  /** The code of an error answer. */
  problemOf(body: Fields): string | undefined;
};

/** RFC 7807: `https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado`. */
const documented = (body: Fields) => /\/([A-Za-z]+)$/.exec(textOf(body.type) ?? '')?.[1];

export const PROFILES = {
  bacen: { tokenBody: 'form', problemOf: documented },
  efi: {
    tokenBody: 'json',
    problemOf: (body) => documented(body) ?? textOf(body.nome),
  },
} as const satisfies Record<string, Profile>;
