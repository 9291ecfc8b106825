/** What a sandbox knows beforehand; operations fill in production's after the first deployment. */
export type ProviderSecrets = Record<
  'pix' | 'identity' | 'cpfRegistry' | 'companyRegistry' | 'chain' | 'walletScreening',
  object
>;
