import { refuseField } from '../errors.ts';
import type { Partner } from './partner.ts';

/** The settings that a partner changes itself. */
export type PartnerSettings = { displayName: string; returnHosts: string[] };

/** The name that clients see. */
export const displayNameOf = ({ name, displayName }: Pick<Partner, 'name' | 'displayName'>): string =>
  displayName ?? name;

export const settingsOf = (partner: Partner): PartnerSettings => ({
  displayName: displayNameOf(partner),
  returnHosts: partner.returnHosts ?? [],
});

/** Every browser takes this name for its own machine. Developers return to it, and no client of production may. */
export const OWN_MACHINE = 'localhost';

/** Refuses the developer's own machine outside of the sandbox. */
export function requireReachable(hosts: readonly string[], stage: string): void {
  const at = stage === 'sandbox' ? -1 : hosts.indexOf(OWN_MACHINE);
  if (at >= 0) refuseField(`returnHosts.${at}`, `${OWN_MACHINE} is for the sandbox alone`);
}
