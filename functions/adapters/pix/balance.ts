import { foundIn, type PixSession } from './session.ts';
import { fieldsOf, parseBalance } from './wire.ts';

/** The centavos that refunds may use, where the profile has a call for it. */
export async function findBalance(session: PixSession): Promise<number | undefined> {
  const { balance } = session.profile;
  if (!balance) return undefined;
  const { path, query } = balance;
  const answer = await session.call({ method: 'GET', path, query });
  return parseBalance(fieldsOf(foundIn(answer, session, 'to show the balance')));
}
