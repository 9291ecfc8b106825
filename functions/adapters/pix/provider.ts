/** The Central Bank's API Pix 2.9: immediate charges, received payments, returns and callbacks. */
import type { PixProvider } from '../../domain/purchase/pix-ports.ts';
import { reopening } from '../http.ts';
import { findBalance } from './balance.ts';
import { closeCharge, createCharge, findCharge } from './charges.ts';
import { findProvenAt, requirePayerProof } from './payer-proof.ts';
import { isPayerEnforced } from './payer-setting.ts';
import { findPayer, findReceived, listReceived } from './payments.ts';
import { findRefund, refundPayment } from './refunds.ts';
import { registerCallback } from './registration.ts';
import { openPixSession } from './session.ts';
import type { PixDeps, PixSettings } from './settings.ts';

export function pixProvider(loadSettings: () => Promise<PixSettings>, deps: PixDeps): PixProvider {
  const session = reopening(loadSettings, (settings) => openPixSession(settings, deps));
  return {
    async createCharge(charge) {
      const opened = await session();
      if (deps.proofs) await requirePayerProof(opened.settings, deps.proofs);
      return createCharge(opened, charge);
    },
    findCharge: async (txid) => findCharge(await session(), txid),
    closeCharge: async (txid) => closeCharge(await session(), txid),
    findPayer: async (payment, cpf) => findPayer(await session(), payment, cpf),
    listReceived: async (from, to, filter) => listReceived(await session(), from, to, filter),
    findReceived: async (endToEndId) => findReceived(await session(), endToEndId),
    refund: async (wanted) => refundPayment(await session(), wanted),
    findRefund: async (wanted) => findRefund(await session(), wanted),
    findBalance: async () => findBalance(await session()),
    async findPayerProof() {
      if (!deps.proofs) return 'NOT_NEEDED';
      return { provenAt: await findProvenAt((await session()).settings, deps.proofs) };
    },
    isPayerEnforced: async () => isPayerEnforced(await session()),
    registerCallback: async () => registerCallback(await session()),
  };
}
