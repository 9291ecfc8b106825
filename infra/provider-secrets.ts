/**
 * The secrets of the providers. In a sandbox they are known before the deployment. In production operators enter them
 * after the first deployment.
 */
export type ProviderSecrets = Record<
  'pix' | 'pixCallback' | 'identity' | 'cpfRegistry' | 'companyRegistry' | 'chain' | 'walletScreening',
  object
>;
