/**
 * The content of each provider's secret. A sandbox knows it before the deployment. In production operators enter it
 * after the first deployment.
 */
export type ProviderSecrets = Record<
  'pix' | 'pixCallback' | 'identity' | 'cpfRegistry' | 'companyRegistry' | 'chain' | 'walletScreening',
  object
>;
