/** The table of the console. */
import { describe } from './describe.ts';

export const CONSOLE_TABLES = describe({
  endedSessions: {
    ttl: 'ttl',
    // The console's function has grants of its own: `infra/console-grants.ts`.
    grants: {},
  },
});
