import { expect } from 'vitest';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import { Refusal } from '../../functions/domain/errors.ts';
import type { Client } from '../../functions/domain/kyc/client.ts';
import type { Caps } from '../../functions/domain/partners/caps.ts';
import type { Partner } from '../../functions/domain/partners/partner.ts';
import { instantOf } from '../../functions/domain/ports.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { type FactsOf, getChange, type Trigger } from '../../functions/domain/purchase/transitions.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { personIdOf } from '../../functions/logic/kyc/person-blocks.ts';
import { readUsage } from '../../functions/logic/purchase/claim-charge.ts';
import { issueCharge } from '../../functions/logic/purchase/issue-charge.ts';
import { putApproved } from './approved.ts';
import { aClient, aPartner, WALLET } from './builders.ts';
import { limitsWith } from './charge-limits.ts';
import { newId, openPorts, putPurchaseIn, reread, type TestPorts } from './ports.ts';

const CPF = '52998224725';
type Given = { caps?: Partial<Caps>; client?: Partial<Client>; partner?: Partial<Partner> };

/** A client of a partner with as many authenticated purchases as a test needs. */
export async function limitedClient(
  { caps, client = {}, partner: changes = {} }: Given = {},
  ports: TestPorts = openPorts(),
) {
  if (caps) ports.chargeLimits = limitsWith(caps);
  const clientId = `client-${newId()}`;
  const partner = aPartner({ id: `p${newId().slice(-12).toLowerCase()}`, ...changes });
  const cpfCipher = await ports.vault.encrypt(CPF, clientId);
  await ports.clients.create(
    aClient({ id: clientId, partnerId: partner.id, cpfCipher, enrolledAt: 1, ...client }),
  );
  const row = async () => (await ports.clients.findClient(clientId))!;
  const person = await personIdOf(CPF, ports.lookup);

  const purchase = (brl: number) =>
    putPurchaseIn(ports, 'AWAITING_MFA', { clientId, partnerId: partner.id, amountCentavos: brl * 100 });

  /** Makes the charge. `using` may be other ports, for example those of a process that dies. */
  const charge = async (bought: Transaction, using = ports) => {
    const { spreadBasisPoints, limits } = partner;
    const cleared = { trigger: 'MFA code accepted', client: await row(), spreadBasisPoints, limits } as const;
    return issueCharge(await reread(ports, bought), cleared, using);
  };

  const end = async <Caused extends Trigger>(
    bought: Transaction,
    trigger: Caused,
    ...facts: FactsOf<Caused>
  ) => {
    const change = getChange(await reread(ports, bought), trigger, instantOf(ports.clock), ...facts);
    expect(await ports.transactions.save(change)).toBe(true);
  };
  const pay = (bought: Transaction) => {
    const { id, amountCentavos } = bought;
    const payment = { endToEndId: `E${id}`, paidAt: ports.clock.now(), amountCentavos };
    return end(bought, 'Pix payment detected', { payment });
  };

  const initiate = async (amountBrl: number, using = ports) => {
    const kycToken = `kyc_${newId()}`;
    const createdAt = ports.clock.now();
    await putApproved(ports, { kycToken, partnerId: partner.id, clientId, model: 1, createdAt } as never);
    const ids = reservedIds({ at: ports.clock.now(), seed: kycToken });
    const request = { kycToken, amountBrl, asset: 'USDC', walletAddress: WALLET };
    return initiateTransaction(request, { partner, ids } as never, using);
  };
  return {
    ports,
    partner,
    clientId,
    row,
    purchase,
    charge,
    end,
    pay,
    initiate,
    expire: (bought: Transaction) => end(bought, 'no Pix payment within 30 minutes'),
    /** The sums of the day, month and year of the ports' clock. */
    used: (using = ports) => readUsage(clientId, using),
    usedEverywhere: (using = ports) => readUsage(person, using),
  };
}
export type LimitedClient = Awaited<ReturnType<typeof limitedClient>>;

/** The status of the charged purchase, or the code and the limit of the refusal. */
export const outcomeOf = (charged: Promise<{ status: string }>) =>
  charged.then(
    ({ status }) => status,
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return [error.code, error.details.limit].filter(Boolean).join(' ');
    },
  );

export const tally = (outcomes: string[]) =>
  Object.fromEntries(
    [...new Set(outcomes)].map((each) => [each, outcomes.filter((one) => one === each).length]),
  );
