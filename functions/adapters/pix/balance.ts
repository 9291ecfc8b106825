import { foundIn, type PixSession } from './session.ts';
import { parseBalance, pixFields } from './wire.ts';

/**
 * The balance in centavos that refunds may use. If the provider's profile has no call for the balance, the answer is
 * `UNWATCHED`, or undefined once a person has accepted that in the settings.
 */
export async function findBalance(session: PixSession): Promise<number | 'UNWATCHED' | undefined> {
  const { balance } = session.profile;
  if (!balance) return session.settings.acceptsUnwatchedBalance === true ? undefined : 'UNWATCHED';
  const { path, query } = balance;
  const answer = await session.call({ method: 'GET', path, query });
  return parseBalance(pixFields(foundIn(answer, session, 'to show the balance')));
}
