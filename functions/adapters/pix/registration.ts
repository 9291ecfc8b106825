import { X509Certificate } from 'node:crypto';
import { DAY_MS, isoInstant } from '../../domain/time.ts';
import { foundIn, isPspSuccess, type PixSession, unexpected } from './session.ts';
import { pixFields } from './wire.ts';

/**
 * Registers the callback URL for our key, unless the provider already has it. The provider appends `/pix` to
 * the URL. The provider forgets the URL when our key moves to another account, so each reconciliation calls
 * this function.
 */
export async function registerCallback(session: PixSession): Promise<void> {
  reportExpiry(session);
  const { key, callbackUrl, callbackToken } = session.settings;
  const webhookUrl = `${callbackUrl}/${callbackToken}`;
  const path = `/webhook/${encodeURIComponent(key)}`;
  const registered = await session.call({ method: 'GET', path });
  if (pixFields(foundIn(registered, session, 'to read the callback')).webhookUrl === webhookUrl) return;

  const written = await session.call({ method: 'PUT', path, body: { webhookUrl } });
  if (!isPspSuccess(written)) throw unexpected(written, session, 'to register the callback');
}

const EXPIRES_SOON_DAYS = 14;

/** Raises an alarm in the last two weeks of our client certificate. */
function reportExpiry({ settings: { certificate }, clock, log }: PixSession): void {
  if (!certificate) return;
  const endsAt = Date.parse(new X509Certificate(certificate.cert).validTo);
  if (endsAt - clock.now() > EXPIRES_SOON_DAYS * DAY_MS) return;
  log.raise('CertificateExpires', undefined, { endsAt: isoInstant(endsAt) });
}
