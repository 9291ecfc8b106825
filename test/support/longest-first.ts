import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest. Some wait for blocks and for retries, so other files fill their time. The first one is
 * not among the longest, but its sandbox takes CPU until it has ended.
 */
const LONGEST = [
  'deployed/journeys',
  'simulation/simulation',
  'sandbox/purchase-transitions',
  'journeys/aws-faults',
  'sandbox/poison',
  'journeys/liveness',
  'sandbox/load',
  'journeys/races',
  'journeys/triggers',
];

/** Begins with the longest files. One that began last would run alone at the end, while the other workers rest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
