import { generateSecret, generateURI, verifySync } from 'otplib';
import type { Random } from '../../domain/ports.ts';
import { TOTP } from '../../domain/purchase/challenge.ts';

/** Makes a secret of 160 bits (RFC 4226, section 4), in base 32 as authenticator apps expect it. */
export function newTotpSecret(random: Random): string {
  const bytes = random.bytes(20);
  return generateSecret({ length: 20, crypto: { randomBytes: () => bytes } as never });
}

/**
 * The time step to which `code` belongs, if it is at most one step from now (RFC 6238, section 5.2). Otherwise
 * undefined.
 */
export function totpStep(code: string, secret: string, now: number): number | undefined {
  const epoch = Math.floor(now / 1000);
  const result = verifySync({
    secret,
    token: code,
    epoch,
    epochTolerance: TOTP.windowSteps * TOTP.stepSeconds,
  });
  return result.valid ? Math.floor(epoch / TOTP.stepSeconds) + result.delta : undefined;
}

/** Makes the enrolment for the client's authenticator app. It is shown only until the client's first accepted code. */
export async function enrollmentOf(secret: string, partnerName: string) {
  const otpauthUri = generateURI({ issuer: partnerName, label: 'stablecoin', secret });
  return { otpauthUri, qrCode: await qrCodeOf(otpauthUri) };
}

/** Whether an enrolment that was shown before has this secret. */
export function isEnrollmentOf(otpauthUri: string, secret: string): boolean {
  return new URL(otpauthUri).searchParams.get('secret') === secret;
}

/**
 * Draws a QR code as a PNG in a data URI. The library is imported only when needed, because most requests draw nothing.
 */
export async function qrCodeOf(text: string): Promise<string> {
  const [{ default: core }, { pngOf }] = await Promise.all([
    import('qrcode/lib/core/qrcode.js'),
    import('./qr-png.ts'),
  ]);
  const { modules } = core.create(text);
  return `data:image/png;base64,${pngOf(modules).toString('base64')}`;
}
