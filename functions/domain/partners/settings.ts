import { refuseField } from '../errors.ts';
import type { Partner } from './partner.ts';

/** The settings that a partner can change itself. */
export type PartnerSettings = { displayName: string; returnHosts: string[] };

/** The partner's name as clients see it. */
export const displayNameOf = ({ name, displayName }: Pick<Partner, 'name' | 'displayName'>): string =>
  displayName ?? name;

export const settingsOf = (partner: Partner): PartnerSettings => ({
  displayName: displayNameOf(partner),
  returnHosts: partner.returnHosts ?? [],
});

/**
 * Every browser uses this name for the machine on which it runs. Developers may use it in the sandbox, but clients in
 * production may not.
 */
export const OWN_MACHINE = 'localhost';

/** Refuses `localhost` outside of the sandbox. */
export function requireReachable(hosts: readonly string[], stage: string): void {
  const at = stage === 'sandbox' ? -1 : hosts.indexOf(OWN_MACHINE);
  if (at >= 0) refuseField(`returnHosts.${at}`, `${OWN_MACHINE} is for the sandbox alone`);
}
