import { createQuote } from '../../functions/api/create-quote.ts';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import type { Asset } from '../../functions/domain/assets.ts';
import { instantOf } from '../../functions/domain/ports.ts';
import type { Status } from '../../functions/domain/purchase/status.ts';
import type { Transaction } from '../../functions/domain/purchase/transaction.ts';
import { getChange, TRANSITIONS } from '../../functions/domain/purchase/transitions.ts';
import { reservedIds } from '../../functions/logic/ids.ts';
import { issueCharge } from '../../functions/logic/purchase/issue-charge.ts';
import { putApproved } from './approved.ts';
import { aClient, aPartner, WALLET } from './builders.ts';
import { aPurchaseIn, newId, openPorts, reread, START_AT } from './ports.ts';

type Ask = { asset?: Asset; amountBrl?: number; assetAmount?: string };
type Order = { amountBrl?: number; asset?: string; quoteId?: string };

/** A partner with an approved client, which asks for quotes and opens purchases. Each request has ids of its own. */
export async function aQuotingPartner(ports = openPorts()) {
  const { kycToken, partnerId, clientId, ...rest } = aPurchaseIn('AWAITING_MFA');
  await putApproved(ports, { ...rest, kycToken, partnerId, clientId });
  const cpfCipher = await ports.vault.encrypt('52998224725', clientId);
  await ports.clients.create(aClient({ id: clientId, partnerId, cpfCipher, enrolledAt: 1 }));
  const partner = aPartner({ id: partnerId });
  await ports.register.create(partner);
  const caller = (seed: string) => ({ partner, ids: reservedIds({ at: START_AT, seed }) });
  const quote = ({ asset = 'USDC', ...wish }: Ask = {}, seed = newId()) => {
    const wanted = wish.assetAmount === undefined ? { amountBrl: 250, ...wish } : wish;
    return createQuote({ asset, ...wanted }, caller(seed), ports);
  };
  const initiate = (order: Order, seed = newId()) => {
    const request = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress: WALLET, ...order };
    return initiateTransaction(request, caller(seed), ports);
  };
  const find = async (id: string) => (await ports.transactions.findTransaction(id))!;
  const charge = async (transaction: Pick<Transaction, 'id'>) =>
    issueCharge(
      await reread(ports, transaction),
      {
        trigger: 'MFA code accepted',
        client: (await ports.clients.findClient(clientId))!,
        spreadBasisPoints: partner.spreadBasisPoints,
      },
      ports,
    );
  /** Ends the wait for the client or for the Pix. */
  const end = async (transaction: Pick<Transaction, 'id'>, status: Status) => {
    const now = await reread(ports, transaction);
    const row = TRANSITIONS.find(({ from, to }) => from === now.status && to === status)!;
    const at = instantOf(ports.clock);
    const payment = { endToEndId: `E${now.id}`, paidAt: at.now, amountCentavos: now.amountCentavos };
    const change =
      row.trigger === 'Pix payment detected'
        ? getChange(now, row.trigger, at, { payment })
        : getChange(now, row.trigger, at);
    await ports.transactions.save(change);
  };
  return { ports, partner, kycToken, quote, initiate, find, charge, end };
}
