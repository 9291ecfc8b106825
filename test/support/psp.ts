import { defaultSettings } from '../../sandbox/providers/world.ts';

/** A charge as the payment provider shows it to its owner. */
export type ChargeAtPsp = {
  status: string;
  pix?: {
    endToEndId: string;
    valor: string;
    devolucoes?: { id: string; rtrId: string; valor: string; status: string; natureza?: string }[];
  }[];
};
type Simulators = { simulatorsUrl: string; controlKey: string };
type Payment = {
  amountBrl?: string;
  payerCpf?: string;
  callback?: boolean;
  force?: boolean;
  /** The provider says that the debtor has paid, whoever did. */
  isDebtorPayer?: true;
};

/** The simulated payment provider as its other users meet it: the payer's bank, and our own account. */
export function pspAt({ simulatorsUrl, controlKey }: Simulators) {
  const control = async (path: string, body: unknown) => {
    const headers = { 'x-control-key': controlKey };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    const response = await fetch(`${simulatorsUrl}/control/psp${path}`, init);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  async function token(): Promise<string> {
    const { clientId, clientSecret } = defaultSettings.psp;
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const init = { method: 'POST', headers: { authorization }, body };
    const response = await fetch(`${simulatorsUrl}/psp/oauth/token`, init);
    return ((await response.json()) as { access_token: string }).access_token;
  }

  return {
    /** Pays a charge. Returns 200 when the provider took the money, 409 when it refused. */
    pay: async (txid: string, payment: Payment = {}) => (await control(`/pay/${txid}`, payment)).status,
    /** Sends any body to the address that we registered. Returns the answers. */
    async callBack(body: unknown): Promise<unknown[]> {
      const sent = await control('/callback', body);
      return (sent.body as { attempts: unknown[] }).attempts;
    },
    /** Sends a Pix without a charge to our key. Returns its end-to-end id. */
    async payUnmatched(payment: Payment & { txid?: string }): Promise<string> {
      const { body } = await control('/pix', payment);
      return (body as { pix: { endToEndId: string }[] }).pix[0]!.endToEndId;
    },
    /** Takes back a Pix by the MED, whole or in part. Returns the id that the provider gave the return. */
    async takeBack(endToEndId: string, med: { amountBrl?: string; endsAs?: string } = {}): Promise<string> {
      const { body } = await control(`/med/${endToEndId}`, med);
      return (body as { devolucoes: { id: string }[] }).devolucoes.at(-1)!.id;
    },
    async refundsOf(endToEndId: string) {
      const headers = { authorization: `Bearer ${await token()}` };
      const response = await fetch(`${simulatorsUrl}/psp/v2/pix/${endToEndId}`, { headers });
      return ((await response.json()) as { devolucoes?: object[] }).devolucoes;
    },
    async charge(txid: string): Promise<ChargeAtPsp | undefined> {
      const headers = { authorization: `Bearer ${await token()}` };
      const response = await fetch(`${simulatorsUrl}/psp/v2/cob/${txid}`, { headers });
      return response.status === 404 ? undefined : ((await response.json()) as ChargeAtPsp);
    },
  };
}
