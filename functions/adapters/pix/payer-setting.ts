import { foundIn, type PixSession } from './session.ts';
import { malformedPix, pixFields } from './wire.ts';

/**
 * Whether the provider refuses a payment by anyone but the debtor, for our key and at present. Undefined if the
 * provider's profile has no such setting. A key without the setting has its default, which is off.
 */
export async function isPayerEnforced(session: PixSession): Promise<boolean | undefined> {
  const { setting } = session.profile.payer;
  if (!setting) return undefined;
  const answer = await session.call({ method: 'GET', path: setting.path });
  const { pix } = pixFields(foundIn(answer, session, 'to show the settings of the account'));
  if (typeof pix !== 'object' || pix === null) throw malformedPix('pix');
  const ofKey = pixFields(pixFields(pixFields(pix).chaves)[session.settings.key]);
  return pixFields(ofKey.recebimento).documentoPagadorIgualDevedor === true;
}
