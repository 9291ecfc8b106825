import { generateSync } from 'otplib';
import { confirmMfa } from '../../functions/api/confirm-mfa.ts';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { WALLET } from './builders.ts';
import { START_AT, type TestPorts } from './ports.ts';
import { randomCpf } from './sandbox.ts';
import { aRequest, partnerOf, reviewIs } from './submissions.ts';

/** A client of a new partner who can buy. The ports may be others than those that opened the client. */
export async function aBuyer(ports: TestPorts, cpf: string = randomCpf()) {
  const { partner, submit } = partnerOf(ports);
  await ports.register.create(partner);
  const clientId = await reviewIs(ports, { partnerId: partner.id, cpf }, 'APPROVED');
  const again = () => submit(aRequest({ cpf }));
  const { token } = await again();
  const caller = () => ({ partner, keyId: 'key1', ids: reservedIds(newReservation(START_AT, ports.random)) });
  const initiate = (its: TestPorts = ports, kycToken = token) =>
    initiateTransaction({ kycToken, amountBrl: 250, asset: 'USDC', walletAddress: WALLET }, caller(), its);
  type Opened = Awaited<ReturnType<typeof initiate>>;
  const confirm = ({ transactionId: id, authChallenge }: Opened, its: TestPorts = ports) => {
    if (authChallenge.type !== 'MFA_TOTP') throw new Error('there is no code to type');
    const secret = new URL(authChallenge.enrollment!.otpauthUri).searchParams.get('secret')!;
    const totpCode = generateSync({ secret, epoch: Math.floor(ports.clock.now() / 1000) });
    return confirmMfa({ id, totpCode }, caller(), its);
  };
  return { partner, cpf, clientId, token, submit, again, initiate, confirm };
}
