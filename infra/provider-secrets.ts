/**
 * The secrets of the providers. A sandbox knows them before its deployment. Operators enter production's after the
 * first deployment.
 */
export type ProviderSecrets = Record<
  'pix' | 'pixCallback' | 'identity' | 'cpfRegistry' | 'companyRegistry' | 'chain' | 'walletScreening',
  object
>;
