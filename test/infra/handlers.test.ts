import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { STAGES } from '../../infra/stage.ts';
import { loadTemplate, type Template } from '../../sandbox/cloud/template.ts';
import { fields, REGION, text } from '../../sandbox/cloud/wire.ts';
import { everySetting } from './every-setting.ts';
import { synthesized } from './synthesized.ts';

const NODE = createRequire(import.meta.url).resolve('node/bin/node');
/** A machine of two cores starts few processes at once. */
const AT_ONCE = 3;

const IMPORTS = `
const { handler } = await import(process.argv[1]);
console.log(JSON.stringify({ type: typeof handler, version: process.versions.node, names: Object.keys(process.env) }));
`;

describe.each(STAGES)('each function of %s with every optional setting', (stage) => {
  let template: Template;
  beforeAll(async () => {
    const { outdir, stack } = await synthesized(stage, everySetting(stage));
    template = loadTemplate(outdir, stack.stackName);
    for (const { logicalId } of template.ofType('AWS::DynamoDB::Table'))
      template.learn(logicalId, { StreamArn: `${template.attribute(logicalId, 'Arn')}/stream/now` });
  });

  it('loads with the variables of its template and of Lambda alone, and exports its handler', async () => {
    const ids = template.ofType('AWS::Lambda::Function').map(({ logicalId }) => logicalId);
    const failed: { id: string; error: unknown }[] = [];
    const next = async (): Promise<void> => {
      const id = ids.pop();
      if (id === undefined) return;
      const error = await load(id).then(
        () => undefined,
        (thrown: unknown) => String(thrown),
      );
      if (error) failed.push({ id, error });
      return next();
    };

    expect(ids.length).toBeGreaterThan(30);
    expect(ids.some((id) => id.startsWith('Console'))).toBe(true);
    await Promise.all(Array.from({ length: AT_ONCE }, next));
    expect(failed).toEqual([]);
  });

  async function load(logicalId: string): Promise<void> {
    const { Runtime, Handler, Code } = template.properties(logicalId);
    const folder = template.asset(text(fields(Code).S3Key));
    const file = text(Handler).replace(/\.handler$/, '.mjs');
    const env = environmentOf(logicalId, folder);
    const { stdout } = await promisify(execFile)(
      NODE,
      ['--input-type=module', '--eval', IMPORTS, pathToFileURL(join(folder, file)).href],
      { env, cwd: folder },
    );
    const loaded = JSON.parse(stdout) as { type: string; version: string; names: string[] };

    expect(Runtime).toBe(`nodejs${loaded.version.split('.')[0]}.x`);
    expect(loaded.type).toBe('function');
    expect(loaded.names.sort()).toEqual(Object.keys(env).sort());
  }

  /** The variables of the template, and those that Lambda sets before a function loads. */
  function environmentOf(logicalId: string, taskRoot: string): NodeJS.ProcessEnv {
    const { Environment, MemorySize, Runtime, Handler } = template.properties(logicalId);
    const variables = Object.entries(fields(fields(Environment).Variables));
    return {
      ...Object.fromEntries(variables.map(([name, value]) => [name, String(value)])),
      AWS_REGION: REGION,
      AWS_LAMBDA_FUNCTION_NAME: template.ref(logicalId),
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: String(MemorySize ?? 128),
      AWS_LAMBDA_INITIALIZATION_TYPE: 'on-demand',
      AWS_EXECUTION_ENV: `AWS_Lambda_${text(Runtime)}`,
      LAMBDA_TASK_ROOT: taskRoot,
      _HANDLER: text(Handler),
    };
  }
});
