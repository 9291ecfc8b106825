import { clientIdOf } from '../functions/logic/kyc/client-id.ts';
import { newTotpSecret } from '../functions/logic/purchase/totp.ts';
import { type Command, cpfAsked, type Given, type Plan, requireText, requireWords } from './command.ts';
import { type Desk, requirePartner } from './desk.ts';
import { instant, refuseOrder } from './words.ts';

export const totpCommands: Command[] = [
  {
    name: 'totp reset',
    takes: '--partner <partner> [--cpf <cpf>]',
    about: 'for a client who lost the authenticator app: liveness, then a new enrolment; asks for the CPF',
    options: ['partner', 'cpf'],
    needsReason: true,
    run: reset,
  },
];

/**
 * Replaces the client's TOTP secret. From then on codes of the old secret are refused, and the next challenge is a
 * liveness check. The new secret is shown only after that: docs/decisions.md, "Codes of a challenge".
 */
async function reset(given: Given, desk: Desk): Promise<Plan> {
  requireWords(given);
  const { id: partnerId } = await requirePartner(desk, requireText(given, 'partner'));
  const cpf = await cpfAsked(given, 'CPF of the client: ');
  const clientId = await clientIdOf({ partnerId, cpf }, desk.lookup);
  const client = (await desk.clients.findClient(clientId)) ?? refuseOrder(`${partnerId} has no such client.`);
  const enrolled = client.enrolledAt ? `enrolled ${instant(client.enrolledAt)}` : 'never enrolled';
  return {
    subject: partnerId,
    clientId,
    will: [`replace the TOTP secret of the client ${clientId.slice(0, 12)}… of ${partnerId}, ${enrolled}`],
    facts: { clientId },
    before: { enrolledAt: client.enrolledAt },
    after: {},
    async perform() {
      const totpCipher = await desk.totpSealer.encrypt(newTotpSecret(desk.random), clientId);
      await desk.clients.resetTotp(clientId, totpCipher, desk.clock.now());
      return ['The client’s next challenge is a liveness check; the one after it enrols the new secret.'];
    },
  };
}
