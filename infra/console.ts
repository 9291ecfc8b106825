import { LambdaIntegration } from 'aws-cdk-lib/aws-apigateway';
import { Construct } from 'constructs';
import { OnrampApi } from './api.ts';
import type { Backend } from './backend.ts';
import type { CodeBundle } from './bundle.ts';
import { consoleGrant } from './console-grants.ts';
import type { ConsoleSettings } from './console-settings.ts';
import { signInOf } from './console-sign-in.ts';
import type { ConsoleState } from './console-state.ts';
import { asJson, joinedGrants, secret } from './grant.ts';
import { OnrampFunction } from './onramp-function.ts';

type ConsoleProps = { console: ConsoleSettings; state: ConsoleState; code: CodeBundle; backend: Backend };

/**
 * `OPERATIONS` is the folder that is bundled. `CONSOLE_HANDLER` is the file of the handler in this folder,
 * without `.ts`.
 */
export const OPERATIONS = new URL('../operations/', import.meta.url).pathname;
export const CONSOLE_HANDLER = 'console/lambda';

/** The console: one function behind an API of its own, with a domain of its own if it is set. */
export class Console extends Construct {
  readonly outputs: Readonly<Record<string, string | undefined>>;

  constructor(scope: Construct, id: string, { console, state, code, backend }: ConsoleProps) {
    super(scope, id);
    const { settings } = backend;
    const { stage } = settings;
    const { domain, issuer } = console;
    const api = new OnrampApi(this, 'Api', {
      stage,
      name: `onramp-console-${stage}`,
      isCompressed: true,
      routes: [],
      root: 'console',
      domain: domain ?? undefined,
    });
    const { key, people } = state;
    const grant = joinedGrants(
      consoleGrant(backend),
      secret('consoleSecret', key),
      asJson('consoleSignIn', signInOf(this, { issuer, stage, people, address: api.address })),
    );
    const pages = new OnrampFunction(this, 'Function', {
      settings,
      code,
      handler: CONSOLE_HANDLER,
      kind: 'api',
      environment: grant.variables,
    });
    grant.allow?.(pages.role);
    const integration = new LambdaIntegration(pages, { allowTestInvoke: false });
    for (const resource of [api.root, api.root.addResource('{page+}')])
      for (const method of ['GET', 'POST']) resource.addMethod(method, integration);
    this.outputs = {
      ConsoleUrl: api.address,
      ConsoleDomainTarget: api.domainName?.domainNameAliasDomainName,
      ConsoleKey: key.secretArn,
      ConsolePeople: people?.userPoolId,
    };
  }
}
