import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Annotations } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Route } from '../functions/routes.ts';
import { OnrampApi } from './api.ts';
import type { Settings } from './settings.ts';

type CallbackApiProps = { settings: Settings; trustStore: IBucket; routes: readonly Route[] };

/**
 * The API that the payment provider calls. With a domain it accepts only callers whose certificate an authority in the
 * trust store has issued: docs/security.md, "Providers calling us". It is a separate API, because partners have no
 * certificates.
 */
export class CallbackApi extends OnrampApi {
  constructor(scope: Construct, id: string, { settings, trustStore, routes }: CallbackApiProps) {
    const { stage, edge } = settings;
    const domain = edge.callbackDomain ?? undefined;
    super(scope, id, { stage, name: `onramp-callbacks-${stage}`, routes, domain, trustStore });
    // This is an error and not an exception, so that the state stack can be deployed first. Only after that deployment
    // the version of the trust store is known.
    if (stage === 'production' && !domain) Annotations.of(this).addError(MISSING);
  }
}

const MISSING =
  'In cdk.json edge.production.callbackDomain is missing: API Pix asks for mutual TLS of callbacks. ' +
  'Deploy OnrampProductionState, upload the trust store, and set it: docs/operations.md, "The edge".';
