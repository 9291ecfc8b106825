import type { Alarm, Runbook } from './alarm.ts';

type CertificateAlarm = Runbook & Pick<Alarm, 'source' | 'threshold' | 'minutes'>;
type Domain = 'callbackDomain' | 'apiDomain';

/**
 * The alarm of a certificate. Twice a day ACM publishes the number of days until the certificate expires.
 * After the expiry ACM publishes nothing, so the alarm also rings without data.
 */
const certificateOf = (domain: Domain, means: string): CertificateAlarm => ({
  when: `The certificate of \`${domain}\` expires in two weeks, or has expired`,
  means,
  look: '`aws acm describe-certificate`. A new one rings for a day, without a metric.',
  ends: 'Restore the DNS record by which ACM renews it, or import another under the same ARN.',
  urgency: 'TODAY',
  source: {
    kind: 'AWS',
    namespace: 'AWS/CertificateManager',
    names: ['DaysToExpiry'],
    statistic: 'Minimum',
    of: { certificate: domain },
  },
  threshold: 15,
  minutes: 24 * 60,
});

/** Each alarm exists only on a stage that has its domain. */
export const CERTIFICATE_ALARMS = {
  CallbackCertificateExpires: certificateOf(
    'callbackDomain',
    'Then `ReconcilePix` alone finds payments, up to five minutes late.',
  ),
  ApiCertificateExpires: certificateOf('apiDomain', 'Then no partner can call us.'),
} as const satisfies Record<string, CertificateAlarm>;
