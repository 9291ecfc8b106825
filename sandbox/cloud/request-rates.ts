import { awsError } from './wire.ts';

/**
 * A token bucket: each request takes one token, and `perSecond` tokens are added each second, up to `most`.
 */
type Rate = { most: number; perSecond: number };

/**
 * The request quotas of Step Functions in production's region, sa-east-1, and in most others. Three regions
 * have larger ones. Source: Step Functions, "Quotas related to API action throttling".
 */
const RATES: Record<string, Rate> = {
  StartExecution: { most: 800, perSecond: 150 },
  StopExecution: { most: 500, perSecond: 25 },
  DescribeExecution: { most: 250, perSecond: 10 },
  ListExecutions: { most: 100, perSecond: 2 },
  GetExecutionHistory: { most: 400, perSecond: 20 },
  SendTaskSuccess: { most: 1500, perSecond: 300 },
  SendTaskFailure: { most: 1500, perSecond: 300 },
  SendTaskHeartbeat: { most: 1500, perSecond: 300 },
};

/** Throws ThrottlingException for a request above the quota of its operation. */
export function executionRates(now: () => number = Date.now): (operation: string) => void {
  const buckets = new Map<string, { tokens: number; at: number }>();
  return (operation) => {
    const rate = RATES[operation];
    if (!rate) return;
    const { tokens, at } = buckets.get(operation) ?? { tokens: rate.most, at: now() };
    const present = Math.min(rate.most, tokens + ((now() - at) / 1000) * rate.perSecond);
    if (present < 1) throw awsError('ThrottlingException', 'Rate exceeded');
    buckets.set(operation, { tokens: present - 1, at: now() });
  };
}
