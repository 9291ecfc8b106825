import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The files that take longest. Some wait for blocks and for retries, so other files fill their time. The first one is
 * not among the longest, but its sandbox takes CPU until the file has ended.
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

/** The projects with a sandbox. Their files come before the others, so that the sandbox can end. */
const ON_SANDBOX = ['deployed', 'journeys', 'sandbox'];

/** Begins with the longest files. One that began last would run alone at the end, while the other workers rest. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      if (at !== -1) return at;
      return LONGEST.length + (ON_SANDBOX.includes(project.name) ? 0 : 1);
    };
    return (await super.sort(files)).toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
