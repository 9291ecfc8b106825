import type { Stage } from '../../infra/stage.ts';

/** Every optional setting of a stage, each with a value that makes its templates large. */
export function everySetting(stage: Stage, region = 'sa-east-1') {
  const domain = (name: string) => ({
    name,
    certificateArn: `arn:aws:acm:${region}:000000000000:certificate/6c8b0a0e-0000-4000-8000-000000000001`,
  });
  const edge = {
    accountConcurrency: 1000,
    reservedConcurrency: { SettleStablecoin: 100, ProcessCallback: 20, PixReceived: 20 },
    callbackDomain: {
      ...domain('callbacks.onramp.example.com'),
      trustStore: { key: 'truststore.pem', version: 'aVersion' },
    },
    apiDomain: domain('api.onramp.example.com'),
    requestsPerIp: 3000,
  };
  const roles = { OnrampDesk: ['operator'], OnrampReviewers: ['compliance'], user: ['viewer'] };
  return {
    region: { [stage]: region },
    edge: { [stage]: edge },
    console: { [stage]: { domain: domain('console.onramp.example.com') } },
    replicaRegions: { [stage]: ['us-west-2', 'eu-west-1'] },
    trail: { [stage]: 'management-events' },
    operators: { [stage]: { roles } },
    chargeLimits: { [stage]: { tiers: { PEP: { dailyBrl: 10_000 }, HIGH: { dailyBrl: 20_000 } } } },
    walletScreening: 'chainalysis',
    treasuryWallets: 16,
    alarmsTo: 'ops@example.com,https://pager.example.com/onramp',
  };
}
