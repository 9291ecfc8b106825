import { randomBytes } from 'node:crypto';
import { change, type Store } from '../store.ts';
import type { World } from '../world.ts';
import { chargeKey } from './charge-key.ts';

export type Refund = {
  id: string;
  rtrId: string;
  valor: string;
  natureza: 'ORIGINAL' | 'RETIRADA' | 'MED_FRAUDE' | 'MED_OPERACIONAL';
  descricao?: string;
  solicitacao: string;
  /**
   * When the refund's status changes from EM_PROCESSAMENTO to `outcome`. Readers compare this time with the
   * clock, because the simulators run only during a request.
   */
  settlesAt: string;
  outcome: 'DEVOLVIDO' | 'NAO_REALIZADO';
  /** True if a tick has taken over the callback about the result. No other tick then sends it. */
  notified: boolean;
};

/** A stored Pix. The PSP knows the payer's CPF, but no answer of API Pix shows it. */
export type PixRecord = {
  endToEndId: string;
  /** Absent if the payer's bank sent no txid. */
  txid?: string;
  valor: string;
  chave: string;
  horario: string;
  infoPagador?: string;
  payerCpf: string;
  refunds: Refund[];
  /**
   * For this payment the payer filter of GET /pix compares the charge's debtor, whatever the switch
   * `payerFilter` says.
   */
  isDebtorPayer?: true;
  /** The Pix pays a charge. Readers see it only after the charge's `accepted` names it. */
  offered?: true;
};

export const pixKey = (endToEndId: string) => `psp/pix/${endToEndId}`;

export const centavos = (valor: string): bigint => BigInt(valor.replace('.', ''));

/**
 * A payment's id (`E`) or a refund's id (`D`) in the Central Bank's form. The letter is followed by the PSP's
 * ISPB number, yyyyMMddHHmm in UTC, and 11 letters or digits.
 */
export function paymentId(letter: 'E' | 'D', ispb: string, at: Date): string {
  const minute = at.toISOString().replace(/\D/g, '').slice(0, 12);
  const unique = BigInt(`0x${randomBytes(12).toString('hex')}`)
    .toString(36)
    .padStart(11, '0')
    .slice(-11);
  return `${letter}${ispb}${minute}${unique}`;
}

export const isSettled = (refund: Refund, now: Date) => now.getTime() >= Date.parse(refund.settlesAt);

export function renderRefund(refund: Refund, now: Date) {
  const { id, rtrId, valor, natureza, descricao, solicitacao } = refund;
  const settled = isSettled(refund, now);
  const done = settled && refund.outcome === 'DEVOLVIDO';
  return {
    id,
    rtrId,
    valor,
    natureza,
    ...(descricao !== undefined && { descricao }),
    horario: { solicitacao, ...(done && { liquidacao: refund.settlesAt }) },
    status: settled ? refund.outcome : ('EM_PROCESSAMENTO' as const),
    ...(settled && !done && { motivo: 'Saldo insuficiente na conta do recebedor' }),
  };
}

export type ReceivedPix = ReturnType<typeof renderPix>;

/** Shows a Pix as API Pix's object `Pix`. GET /pix, a charge and the callback contain it in this form. */
export function renderPix(pix: PixRecord, now: Date) {
  const { endToEndId, txid, valor, chave, horario, infoPagador, refunds } = pix;
  return {
    endToEndId,
    ...(txid !== undefined && { txid }),
    valor,
    componentesValor: { original: { valor } },
    chave,
    horario,
    ...(infoPagador !== undefined && { infoPagador }),
    ...(refunds.length > 0 && { devolucoes: refunds.map((refund) => renderRefund(refund, now)) }),
  };
}

/** A charge, as far as it says which payments it has accepted. */
type Accepting = { accepted?: string[] };

export const indexKey = (txid: string) => `psp/txid/${txid}`;

/** Stores a Pix, and its id under its txid. A read of one charge then need not read all payments. */
export async function storePix(pix: PixRecord, { store }: World): Promise<void> {
  await store.put(pixKey(pix.endToEndId), pix, 0);
  if (pix.txid === undefined) return;
  await change<string[]>(store, indexKey(pix.txid), (known = []) => [...known, pix.endToEndId]);
}

export async function pixOf(txid: string, { store }: World): Promise<PixRecord[]> {
  const ids = (await store.get<string[]>(indexKey(txid)))?.value ?? [];
  const items = await Promise.all(ids.map((id) => store.get<PixRecord>(pixKey(id))));
  return visible(
    items.flatMap((item) => (item ? [item.value] : [])),
    store,
  );
}

export async function settledPix(world: World): Promise<PixRecord[]> {
  const items = await world.store.list<PixRecord>('psp/pix');
  // One read of all charges, made after that of the payments: a charge accepts its payment last.
  const charges = await world.store.list<Accepting>('psp/cob');
  const accepted = new Set(charges.flatMap(({ value }) => value.accepted ?? []));
  return items
    .map(({ value }) => value)
    .filter(({ offered, txid, endToEndId }) => !offered || txid === undefined || accepted.has(endToEndId))
    .sort((a, b) => (a.horario < b.horario ? -1 : 1));
}

/**
 * Keeps only the payments that readers may see. A payment of a charge is visible once the charge's `accepted`
 * names it.
 */
export async function visible(records: PixRecord[], store: Store): Promise<PixRecord[]> {
  const shown = await Promise.all(
    records.map(async ({ offered, txid, endToEndId }) => {
      if (!offered || txid === undefined) return true;
      const charge = await store.get<Accepting>(chargeKey(txid));
      return charge?.value.accepted?.includes(endToEndId) ?? false;
    }),
  );
  return records.filter((_, index) => shown[index]);
}
