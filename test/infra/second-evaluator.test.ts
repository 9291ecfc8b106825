import { beforeAll, describe, expect, it } from 'vitest';
import { STAGES } from '../../infra/stage.ts';
import { type Iam, readIam } from '../../sandbox/cloud/iam.ts';
import { loadTemplate, type Template } from '../../sandbox/cloud/template.ts';
import { CHANGES, grantsOf, type PolicyRequest, requestOf } from '../support/policy-requests.ts';
import { secondEvaluator } from '../support/second-evaluator.ts';
import { synthesized } from './synthesized.ts';

describe.each(STAGES)('the policies of %s', (stage) => {
  let template: Template;
  let iam: Iam;
  let judge: ReturnType<typeof secondEvaluator>;
  let requests: PolicyRequest[];
  beforeAll(async () => {
    const { outdir, stack } = await synthesized(stage, { region: { [stage]: 'us-east-1' } });
    template = loadTemplate(outdir, stack.stackName);
    for (const { logicalId } of template.ofType('AWS::DynamoDB::Table'))
      template.learn(logicalId, { StreamArn: `${template.attribute(logicalId, 'Arn')}/stream/now` });
    iam = readIam(template);
    judge = secondEvaluator(template);
    requests = grantsOf(template).map(requestOf);
  });

  /** The requests about which the two evaluators differ, and how many each allowed. */
  async function compare(asked: PolicyRequest[]) {
    const differing: object[] = [];
    let allowed = 0;
    for (const { roleArn, need } of asked) {
      const isAllowed = iam.isAllowed({ roleArn }, need);
      if (isAllowed) allowed += 1;
      if ((await judge(roleArn, need)) !== isAllowed) differing.push({ roleArn, ...need, isAllowed });
    }
    return { differing, allowed, refused: asked.length - allowed };
  }

  it('allow each request that a statement grants, by both evaluators', async () => {
    const { differing, refused } = await compare(requests);

    expect(requests.length).toBeGreaterThan(500);
    expect({ differing, refused }).toEqual({ differing: [], refused: 0 });
  });

  // Each grant is changed in one way only. All ways for all grants would take minutes.
  it.each(Object.keys(CHANGES).map((name, number) => [name, number] as const))(
    'get the same answer of both evaluators for requests %s',
    async (name, number) => {
      const changed = requests.map((request, index) => CHANGES[name]!(request, index, requests));
      const asked = changed.filter((_, index) => index % Object.keys(CHANGES).length === number);
      const { differing, refused } = await compare(asked);

      expect(differing).toEqual([]);
      // Real requests always have attributes. A request without any meets a condition on all of its attributes.
      if (name !== 'without the keys of its conditions') expect(refused).toBeGreaterThan(0);
    },
  );
});
