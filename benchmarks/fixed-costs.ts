import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onrampApp } from '../infra/onramp-app.ts';
import type { Counts } from './prices.ts';

export type Resource = { Type: string; Properties: Record<string, unknown[] | undefined> };

/** The resources of every template in the assembly. The templates of nested stacks are files beside the others. */
export const resourcesIn = (assembly: string): Resource[] =>
  readdirSync(assembly)
    .filter((name) => name.endsWith('.template.json'))
    .flatMap((name) => {
      const { Resources } = JSON.parse(readFileSync(join(assembly, name), 'utf8')) as {
        Resources: Record<string, Resource>;
      };
      return Object.values(Resources);
    });

export async function resourcesOfProduction(): Promise<Resource[]> {
  const outdir = mkdtempSync(join(tmpdir(), 'bill-'));
  try {
    const { app } = await onrampApp({ stage: 'production' }, { outdir });
    app.synth();
    return resourcesIn(outdir);
  } finally {
    rmSync(outdir, { recursive: true });
  }
}

/** AWS bills an alarm once for each metric that it reads. A metric filter makes a custom metric. */
export function fixedOf(resources: readonly Resource[]): Counts {
  const of = (type: string) => resources.filter(({ Type }) => Type === type);
  const metricsOf = ({ Properties: { Metrics } }: Resource) =>
    ((Metrics ?? [{ MetricStat: true }]) as { MetricStat?: unknown }[]).filter((metric) => metric.MetricStat)
      .length;
  const names = of('AWS::Logs::MetricFilter').flatMap(({ Properties: { MetricTransformations = [] } }) =>
    (MetricTransformations as { MetricNamespace: string; MetricName: string }[]).map(
      ({ MetricNamespace, MetricName }) => `${MetricNamespace} ${MetricName}`,
    ),
  );
  return {
    keyMonths: of('AWS::KMS::Key').length,
    secretMonths: of('AWS::SecretsManager::Secret').length,
    alarmMonths: of('AWS::CloudWatch::Alarm').reduce((sum, alarm) => sum + metricsOf(alarm), 0),
    metricMonths: new Set(names).size,
    dashboardMonths: of('AWS::CloudWatch::Dashboard').length,
  };
}
