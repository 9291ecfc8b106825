/** Everything that the package exports. The service's own code imports the files themselves. */
import { isOnrampError, OnrampError } from './errors.ts';
import { createOnrampClient, metaOf } from './onramp-client.ts';
import { isKnownEvent, verifyWebhook } from './webhook.ts';

export type * from './errors.ts';
export type * from './onramp-client.ts';
export type * from './webhook.ts';
export { createOnrampClient, isKnownEvent, isOnrampError, metaOf, OnrampError, verifyWebhook };
