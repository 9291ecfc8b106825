import { generateSync } from 'otplib';
import { createOnrampClient, type OnrampClientOptions } from '../client/onramp-client.ts';

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const BIOMETRIC_HASH = `sha256:${'ab'.repeat(32)}`;

/** Buys for a client of tier STANDARD, from the submission to `COMPLETED`. Returns the purchase's id. */
export function buyerOf(options: OnrampClientOptions) {
  const client = createOnrampClient(options);
  return async (cpf: string): Promise<string> => {
    const { token } = await client.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH });
    const { transactionId, authChallenge } = await client.initiateTransaction({
      kycToken: token,
      amountBrl: 250,
      asset: 'USDC',
      walletAddress: WALLET,
    });
    if (authChallenge.type !== 'MFA_TOTP' || !authChallenge.enrollment)
      throw new Error(`the CPF ${cpf} is of another tier, or has bought before`);
    const secret = new URL(authChallenge.enrollment.otpauthUri).searchParams.get('secret') ?? '';
    await client.confirmMfa({ transactionId, totpCode: generateSync({ secret }) });
    await client.sandbox.pay(transactionId);
    await client.waitForStatus(transactionId, ['COMPLETED'], { intervalMs: 500 });
    return transactionId;
  };
}
