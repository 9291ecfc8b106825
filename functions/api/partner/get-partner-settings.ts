import * as z from 'zod';
import { settingsOf } from '../../domain/partners/settings.ts';
import { type Caller, endpoint, GET_NEEDS } from '../../entry/endpoint.ts';
import { SettingsAnswer } from '../../entry/settings-fields.ts';
import { routeOf } from '../../routes.ts';

export const needs = GET_NEEDS;

/** Answers the settings that the partner can change itself. */
export const getPartnerSettings = async (_: unknown, { partner }: Caller) => settingsOf(partner);

export const handler = endpoint(
  routeOf('GetPartnerSettings'),
  { request: z.object({}), answer: SettingsAnswer, errors: [], needs },
  getPartnerSettings,
);
