import { AwsSolutionsChecks } from 'cdk-nag';
import { expect, it } from 'vitest';
import { STAGES } from '../../infra/settings.ts';
import { synthesized } from './synthesized.ts';

it.each(STAGES)('%s meets AWS’s own checklist, or says why not', async (stage) => {
  const { app } = await synthesized(stage);

  const { violations } = new AwsSolutionsChecks(app).validateScope(app);

  expect(violations.map(({ ruleName, violatingResources }) => ({ ruleName, violatingResources }))).toEqual(
    [],
  );
});
