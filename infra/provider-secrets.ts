/** A sandbox knows these before its deployment. Operators enter production's after the first deployment. */
export type ProviderSecrets = Record<
  'pix' | 'identity' | 'cpfRegistry' | 'companyRegistry' | 'chain' | 'walletScreening',
  object
>;
