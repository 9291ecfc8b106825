import { generateSync } from 'otplib';
import { createOnrampClient, type OnrampClientOptions } from '../client/onramp-client.ts';

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const BIOMETRIC_HASH = `sha256:${'ab'.repeat(32)}`;

/**
 * Makes purchases for clients of tier STANDARD. Each CPF can buy only once here, because the service shows
 * the client's TOTP secret only at the first purchase.
 */
export function buyerOf(options: OnrampClientOptions) {
  const client = createOnrampClient(options);
  const submit = (cpf: string) => client.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH });

  return {
    /** Submits the client only. */
    submit,
    /**
     * Makes a purchase, from the KYC submission to `COMPLETED`. It calls each of the specification's five
     * endpoints. Returns the purchase's id.
     */
    async buy(cpf: string): Promise<string> {
      const { token } = await submit(cpf);
      await client.getKycStatus(token);
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
    },
  };
}
