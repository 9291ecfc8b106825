export const chargeKey = (txid: string) => `psp/cob/${txid}`;
