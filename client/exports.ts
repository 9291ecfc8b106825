/** Everything that the package exports. The service's own code imports the files of this folder directly. */
import { biometricHash } from './biometric-hash.ts';
import {
  AuthenticationError,
  ClientRefusedError,
  ConflictError,
  ConnectionError,
  InvalidRequestError,
  isOnrampError,
  NotFoundError,
  OnrampError,
  RateLimitError,
  UnavailableError,
  WaitError,
  WebhookError,
} from './errors.ts';
import { createOnrampClient, metaOf } from './onramp-client.ts';
import { signPartnerKycToken } from './partner-kyc-token.ts';
import { freshCpf, totpCode } from './sandbox-tools.ts';
import { isKnownEvent, verifyWebhook, webhooks } from './webhook.ts';

export type * from './errors.ts';
export type * from './onramp-client.ts';
export type { PartnerKycTokenInput } from './partner-kyc-token.ts';
export type * from './webhook.ts';
export {
  AuthenticationError,
  biometricHash,
  ClientRefusedError,
  ConflictError,
  ConnectionError,
  createOnrampClient,
  freshCpf,
  InvalidRequestError,
  isKnownEvent,
  isOnrampError,
  metaOf,
  NotFoundError,
  OnrampError,
  RateLimitError,
  signPartnerKycToken,
  totpCode,
  UnavailableError,
  verifyWebhook,
  WaitError,
  WebhookError,
  webhooks,
};
