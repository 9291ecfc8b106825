/** The settings that a partner can change itself, in the form in which the partner writes and reads them. */
import * as z from 'zod';
import { OWN_MACHINE } from '../domain/partners/settings.ts';
import { namedSchema } from './answer-parts.ts';

const LONGEST_NAME = 60;
const LONGEST_HOST = 253;
const MOST_HOSTS = 20;
/**
 * A host name: labels with dots between them. The last label begins with a letter, so that an IP address does not fit.
 */
const HOST_FORM = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/;

const Host = z
  .string()
  .max(LONGEST_HOST)
  .refine(
    (host) => host === OWN_MACHINE || HOST_FORM.test(host),
    'must be a host’s name in lower case, without scheme, port and path',
  );

export const SETTINGS_FIELDS = {
  displayName: z
    .string()
    .trim()
    .min(1)
    .max(LONGEST_NAME)
    .refine((text) => text.isWellFormed() && !/\p{C}/u.test(text), 'must be printable text'),
  returnHosts: z.array(Host).max(MOST_HOSTS),
};

export const SettingsAnswer = namedSchema('PartnerSettings', () =>
  z.object({ displayName: z.string(), returnHosts: z.array(z.string()) }),
);
