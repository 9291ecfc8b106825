import * as z from 'zod';
import type { Partner } from '../../domain/partners/partner.ts';
import { requireReachable } from '../../domain/partners/settings.ts';
import type { Needs } from '../../domain/ports.ts';
import { type Caller, endpoint, POST_NEEDS } from '../../entry/endpoint.ts';
import { SETTINGS_FIELDS, SettingsAnswer } from '../../entry/settings-fields.ts';
import { changePartner } from '../../logic/partners/change-partner.ts';
import { routeOf } from '../../routes.ts';

const Request = z.object(SETTINGS_FIELDS).partial();

export const needs = [...POST_NEEDS, 'partnerSettings'] as const;

/** Changes the given settings, and leaves the others as they are. */
export async function changePartnerSettings(
  { displayName, returnHosts }: z.output<typeof Request>,
  { partner: { id } }: Caller,
  { partnerSettings, stage }: Needs<typeof needs>,
) {
  requireReachable(returnHosts ?? [], stage);
  const hosts = returnHosts && [...new Set(returnHosts)];
  const change = ({ name, ...former }: Partner) => ({
    displayName: displayName ?? former.displayName ?? name,
    returnHosts: hosts ?? former.returnHosts ?? [],
  });
  return changePartner(id, change, partnerSettings);
}

export const handler = endpoint(
  routeOf('ChangePartnerSettings'),
  { request: Request, answer: SettingsAnswer, errors: [], needs },
  changePartnerSettings,
);
