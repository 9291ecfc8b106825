import { generateSync } from 'otplib';
import { confirmMfa } from '../../functions/api/confirm-mfa.ts';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { WALLET } from './builders.ts';
import { START_AT, type TestPorts } from './ports.ts';
import { randomCpf } from './sandbox.ts';
import { aRequest, partnerOf, reviewIs } from './submissions.ts';

/** `vouch` signs the KYC token of the partner's vendor (Model 2). */
type Wanted = { cpf?: string; partner?: Partner; vouch?: (cpf: string) => Promise<string> };

/**
 * A client who can buy, of a new partner if none is named. The ports may be others than those that opened the client.
 */
export async function aBuyer(ports: TestPorts, { cpf = randomCpf(), partner: known, vouch }: Wanted = {}) {
  const { partner, submit } = partnerOf(ports, known);
  if (!known) await ports.register.create(partner);
  const clientId = await reviewIs(ports, { partnerId: partner.id, cpf }, 'APPROVED');
  const vouched = async () => vouch && { biometricHash: undefined, partnerKycToken: await vouch(cpf) };
  const again = async () => submit(aRequest({ cpf, ...(await vouched()) }));
  const { token } = await again();
  const caller = async () => ({
    partner: (await ports.partners.findPartner(partner.id)) ?? partner,
    keyId: 'key1',
    ids: reservedIds(newReservation(START_AT, ports.random)),
  });
  const initiate = async (its: TestPorts = ports, kycToken = token) => {
    const request = { kycToken, amountBrl: 250, asset: 'USDC' as const, walletAddress: WALLET };
    return initiateTransaction(request, await caller(), its);
  };
  type Opened = Awaited<ReturnType<typeof initiate>>;
  const confirm = async ({ transactionId: id, authChallenge }: Opened, its: TestPorts = ports) => {
    if (authChallenge.type !== 'MFA_TOTP') throw new Error('there is no code to type');
    const secret = new URL(authChallenge.enrollment!.otpauthUri).searchParams.get('secret')!;
    const totpCode = generateSync({ secret, epoch: Math.floor(ports.clock.now() / 1000) });
    return confirmMfa({ id, totpCode }, await caller(), its);
  };
  return { partner, cpf, clientId, token, submit, again, initiate, confirm };
}
