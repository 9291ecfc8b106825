import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { STAGES } from '../../infra/stage.ts';
import { synthesized } from './synthesized.ts';

it.each(STAGES)(
  '%s meets CloudFormation’s rules and AWS’s checklist, or has a reason for each exception',
  async (stage) => {
    const { app } = await synthesized(stage, { isValidated: true });

    const { violations } = new AwsSolutionsChecks(app).validateScope(app);

    expect(violations.map(({ ruleName, violatingResources }) => ({ ruleName, violatingResources }))).toEqual(
      [],
    );
  },
);
