import type { Command } from './command.ts';

/**
 * The modules of the commands, by the first word of a call. A call loads only the modules of its own word, so that it
 * starts quickly.
 */
const GROUPS: Readonly<Record<string, () => Promise<Command[]>>> = {
  acts: async () => (await import('./acts.ts')).actCommands(findCommand),
  audit: async () => (await import('./audit.ts')).auditCommands,
  tx: async () => (await import('./tx.ts')).txCommands,
  partners: async () => [
    ...(await import('./partners.ts')).partnerCommands,
    (await import('./limits.ts')).tierLimitCommand,
    (await import('./limits.ts')).quotaCommand,
  ],
  keys: async () => (await import('./keys.ts')).keyCommands,
  'vendor-keys': async () => (await import('./vendor-keys.ts')).vendorKeyCommands,
  endpoints: async () => (await import('./endpoints.ts')).endpointCommands,
  totp: async () => (await import('./totp.ts')).totpCommands,
  deliveries: async () => (await import('./deliveries.ts')).deliveryCommands,
  reviews: async () => (await import('./reviews.ts')).reviewCommands,
  lists: async () => (await import('./list-ages.ts')).listCommands,
  unmatched: async () => (await import('./unmatched-payments.ts')).unmatchedCommands,
  cases: async () => (await import('./cases.ts')).moneyCaseCommands,
  clients: async () => [
    ...(await import('./clients.ts')).clientCommands,
    (await import('./limits.ts')).clientLimitCommand,
  ],
  fraud: async () => (await import('./fraud.ts')).fraudCommands,
  books: async () => (await import('./books.ts')).booksCommands,
  ledger: async () => (await import('./ledger.ts')).ledgerCommands,
  evidence: async () => (await import('./evidence.ts')).evidenceCommands,
  history: async () => (await import('./history.ts')).historyCommands,
  subject: async () => [
    (await import('./subject-show.ts')).showCommand,
    ...(await import('./subject.ts')).subjectCommands,
    ...(await import('./subject-hold.ts')).holdCommands,
    (await import('./subject-correct.ts')).correctCommand,
    (await import('./subject-erase.ts')).eraseCommand,
  ],
  psp: async () => (await import('./psp.ts')).pspCommands,
  treasury: async () => [
    ...(await import('./wallets.ts')).walletCommands,
    ...(await import('./treasury.ts')).treasuryCommands,
    ...(await import('./treasury-replay.ts')).replayCommands,
  ],
};

/** The commands whose name begins with the word `first`. */
export const commandsOf = async (first: string): Promise<Command[]> => (await GROUPS[first]?.()) ?? [];

async function findCommand(name: string): Promise<Command | undefined> {
  const found = await commandsOf(name.split(' ')[0] ?? '');
  return found.find((each) => each.name === name);
}

export async function readAllCommands(): Promise<Command[]> {
  return (await Promise.all(Object.keys(GROUPS).map(commandsOf))).flat();
}
