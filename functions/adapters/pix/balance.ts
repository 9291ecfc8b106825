import { foundIn, type PixSession } from './session.ts';
import { fieldsOf, parseBalance } from './wire.ts';

/**
 * The balance in centavos that refunds may use. Undefined if the provider's profile has no call for the
 * balance.
 */
export async function findBalance(session: PixSession): Promise<number | undefined> {
  const { balance } = session.profile;
  if (!balance) return undefined;
  const { path, query } = balance;
  const answer = await session.call({ method: 'GET', path, query });
  return parseBalance(fieldsOf(foundIn(answer, session, 'to show the balance')));
}
