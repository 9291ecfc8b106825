import { RegionInfo } from 'aws-cdk-lib/region-info';
import type { Node } from 'constructs';
import type { Stage } from './stage.ts';

/** The AWS partition. `cdk.json` has the same one in `@aws-cdk/core:target-partitions`. */
const PARTITION = 'aws';

const isRegion = (value: unknown): value is string =>
  RegionInfo.regions.some(({ name, partition }) => name === value && partition === PARTITION);

// Reads the region from `cdk.json` only. If the command line could set it, a deployment that forgets it would create a
// second, empty stack in another region.
export function regionOf(stage: Stage, node: Node): string {
  const chosen: unknown = node.tryGetContext('region') ?? {};
  if (typeof chosen !== 'object')
    throw new Error('region is chosen in cdk.json, for each stage, and not on the command line');
  const region = (chosen as Partial<Record<Stage, unknown>>)[stage];
  if (isRegion(region)) return region;
  const said = JSON.stringify(region) ?? 'nothing';
  throw new Error(`In cdk.json region of ${stage} must be a region of AWS, such as sa-east-1, not ${said}`);
}

/** The regions with replicas of the signing keys. None is the stage's own region. */
export function replicaRegionsOf(stage: Stage, node: Node): readonly string[] {
  const chosen = node.tryGetContext('replicaRegions') as Partial<Record<Stage, unknown>> | undefined;
  const regions: unknown = chosen?.[stage] ?? [];
  const isOther = (each: unknown): each is string => isRegion(each) && each !== regionOf(stage, node);
  if (Array.isArray(regions) && regions.every(isOther) && new Set(regions).size === regions.length)
    return regions;
  throw new Error(`In cdk.json replicaRegions of ${stage} must be a list of other regions of AWS, each once`);
}
