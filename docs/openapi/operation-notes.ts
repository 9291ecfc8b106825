import { BACKOFF_WORDS } from '../../functions/domain/partners/deliveries.ts';
import type { Route } from '../../functions/routes.ts';

/** The groups of operations, in the order of the document. */
export const TAGS = {
  Clients: 'Submit a client, and learn whether it may buy.',
  Purchases: 'Open a purchase, authenticate the client, and follow it to its end.',
  Events: 'Read the events again that your receiver missed.',
  Account: 'Your keys, your webhook endpoints and your settings.',
  Sandbox: 'The acts of others in production: a bank, a client’s face, a receiver. Only in the sandbox.',
  Webhooks:
    'The service calls you. Check the signature, answer 2xx, and order events by `sequence`. Without a ' +
    `2xx the event comes again, after these pauses: ${BACKOFF_WORDS}.`,
} as const;

type OperationNote = { summary: string; description: string };

/**
 * The summary and the description of each operation, for partners, by the name of the operation's function.
 */
const OPERATION_NOTES: Readonly<Record<string, OperationNote>> = {
  SubmitKyc: {
    summary: 'Submit a client',
    description:
      'Screens a client and answers a KYC token, which opens purchases for 24 hours. A `PENDING` client ' +
      'is decided later. A webhook follows if the decision comes before the token expires. Otherwise the ' +
      'record becomes `EXPIRED` without an event. A `PJ` without its `cnpj` waits for another submission.',
  },
  GetKycStatus: {
    summary: 'Look a client up',
    description: 'The present status of a KYC token.',
  },
  GetClientLimits: {
    summary: 'Read what a client may still buy',
    description:
      'Each limit of the client at you: the cap, what is used, what is left, and when it begins anew. ' +
      'Periods end at midnight in Brasília, and the lower cap of a new client after seven days. A charge ' +
      'uses its amount. It is given back if the charge expires, is canceled or is refunded in full.',
  },
  CreateQuote: {
    summary: 'Lock a price',
    description:
      'Locks the present price for one purchase, for ten minutes: of what the client pays (`amountBrl`) ' +
      'or receives (`assetAmount`). The charge must be made within that time. It reserves no tokens.',
  },
  InitiateTransaction: {
    summary: 'Open a purchase',
    description:
      'Checks the amount, the wallet and the client, and answers how the client authenticates. The quote ' +
      'is indicative, unless the request has a `quoteId`: the price is fixed with the Pix payload.',
  },
  ConfirmMfa: {
    summary: 'Send the client’s code',
    description: 'Accepts the code of the client’s authenticator app and answers the Pix payload to pay.',
  },
  CancelTransaction: {
    summary: 'Cancel a purchase',
    description: 'Ends a purchase that is not paid. A payment that comes all the same is returned.',
  },
  GetTransactionStatus: {
    summary: 'Read a purchase',
    description: 'The purchase as it stands, with its history. Fields that do not apply are absent.',
  },
  ListEvents: {
    summary: 'List events',
    description:
      'Your events of the last year, the newest first. Pass `nextCursor` on with the same filters. `id` is ' +
      'the `webhook-id` of the deliveries.',
  },
  ListTransactions: {
    summary: 'List purchases',
    description:
      'Your purchases, the newest first, by status, time of creation (`from` included, `to` not), ' +
      'reference or client. Pass `nextCursor` on with the same filters. A page may be short although there ' +
      'are more.',
  },
  GetTransaction: {
    summary: 'Read a purchase’s story',
    description:
      'The facts of a purchase, where it stands and the next move, in Portuguese and English. Your support ' +
      'can read these sentences to the client. They name no suspicion.',
  },
  GetReceipt: {
    summary: 'Read the receipt',
    description:
      'The receipt of a completed purchase. With the header `Accept: application/pdf` the answer is a PDF ' +
      'of one page for the client. In the library this is `transactions.receiptPdf(id)`.',
  },
  ReplayEvent: {
    summary: 'Send an event again',
    description:
      'Sends it under its own `webhook-id` to the endpoints that take it now, or to the one that you name. ' +
      'The answer names those whose delivery begins. A delivery on its way stays as it is.',
  },
  ReplayEvents: {
    summary: 'Send the events of a range again',
    description:
      'At most 31 days, the oldest first, 200 events in one call. Repeat it with `nextCursor` for the ' +
      'rest. `missedOnly` leaves out what your endpoint has taken. Replays come after first deliveries.',
  },
  GetEvent: {
    summary: 'Read an event and its deliveries',
    description:
      'The event, and for each endpoint the last attempts with your answers, the next attempt, and the ' +
      'schedule of attempts.',
  },
  GetPartner: {
    summary: 'Read your account',
    description: 'Your account, with its keys and webhook endpoints, without a secret.',
  },
  GetPartnerSettings: {
    summary: 'Read your settings',
    description: 'The name that clients see, and the hosts to which the liveness page may lead them back.',
  },
  ChangePartnerSettings: {
    summary: 'Change your settings',
    description: 'Changes the settings that you name. A host is a name alone, such as `app.example.com`.',
  },
  AddWebhookEndpoint: {
    summary: 'Add a webhook endpoint',
    description: 'Events are posted to it from the next one on. Only this answer shows the secret.',
  },
  EditWebhookEndpoint: {
    summary: 'Edit a webhook endpoint',
    description: 'Changes the fields that you name. An empty `eventTypes` ends the filter. The secret stays.',
  },
  EnableWebhookEndpoint: {
    summary: 'Enable a webhook endpoint',
    description:
      'Ends a disablement or a pause, from the next event on. `replays` has the calls that send what the ' +
      'endpoint missed before.',
  },
  TestWebhookEndpoint: {
    summary: 'Test a webhook endpoint',
    description:
      'Sends a signed `webhook_endpoint.test` to this endpoint, also while it is disabled or paused.',
  },
  RotateWebhookSecret: {
    summary: 'Rotate a webhook secret',
    description: 'Answers a new secret. The former one signs, too, for a day.',
  },
  RemoveWebhookEndpoint: {
    summary: 'Remove a webhook endpoint',
    description: 'Ends the deliveries to it.',
  },
  ListVendorKeys: {
    summary: 'List the keys of your vendor',
    description: 'The public keys of your KYC vendor (Model 2), with their thumbprints by RFC 7638.',
  },
  ProposeVendorKey: {
    summary: 'Propose a key of your vendor',
    description:
      'A public key as a JWK, never a private one or an address. Its tokens are refused until our ' +
      'operators have approved it. Then the former key counts, too, until you withdraw it. ' +
      '`vendor_key.changed` tells your webhook endpoints.',
  },
  WithdrawVendorKey: {
    summary: 'Withdraw a key of your vendor',
    description:
      'Takes a proposal back, or refuses the tokens of an active key. The KYC tokens of its clients are ' +
      'then `REJECTED`, so withdraw a key that no thief has a day after its last use. This cannot be ' +
      'undone. A withdrawn active key’s `kid` cannot be used again. A withdrawn proposal’s can.',
  },
  GetReport: {
    summary: 'Read a report',
    description:
      'The money of your purchases in a month or on a day: payments, sales, tokens, spread, refunds. With ' +
      'the header `Accept: text/csv` the answer is a file for spreadsheets, with a line for each purchase. ' +
      'A key may ask six times a minute. A month of more than 10,000 purchases is read day by day.',
  },
  ListApiKeys: {
    summary: 'List your keys',
    description: 'All keys without their secrets. A key that you made has its maker and its end.',
  },
  MakeApiKey: {
    summary: 'Make an API key',
    description:
      'The key is no wider than yours and ends with yours. It works an hour after each webhook endpoint ' +
      'older than a day has taken `api_key.created`. In the sandbox both times are a minute. Without such ' +
      'endpoints, or soon after an address was removed or replaced, an operator must approve it. Only this ' +
      'answer shows it.',
  },
  RevokeApiKey: {
    summary: 'Revoke an API key',
    description: 'The key is refused from the next request on. A key cannot revoke itself.',
  },
  PayTransaction: {
    summary: 'Pay the Pix',
    description: 'Pays as the client’s bank would: by default once, in full, and from the client’s account.',
  },
  CompleteLiveness: {
    summary: 'End the liveness check',
    description:
      'Passes or fails the check as the client would on its page. Soon after `FAILED` the status has the ' +
      'link of the next check.',
  },
  IssuePartnerKycToken: {
    summary: 'Sign a Model 2 token',
    description:
      'Plays your KYC vendor: a token that is valid once, for ten minutes. The demo partner has a vendor. ' +
      'Other partners must ask the operators for one.',
  },
  TriggerEvent: {
    summary: 'Cause an event',
    description:
      'Causes an event at a provider, for one purchase or one client of yours, as often as you like. ' +
      'Examples are an outage, a payment taken back, a refund that fails. `triggers` of the ' +
      'scenarios lists the events.',
  },
  ResetSandbox: {
    summary: 'Take back waiting events',
    description: 'Takes back the events that have not happened yet. Past events keep their effects.',
  },
  ListWebhooks: {
    summary: 'List received webhooks',
    description:
      'The webhooks that the sandbox’s own receiver got, each with the result of the signature’s check. ' +
      'The demo partner has a receiver. Other partners must ask the operators for one.',
  },
  ListScenarios: {
    summary: 'List scenarios',
    description: 'The CPFs and CNPJs that force an outcome, and the events that you can cause.',
  },
};

/** Throws for an operation without a note. */
export function noteOf(route: Pick<Route, 'function' | 'path'>): OperationNote & { tag: keyof typeof TAGS } {
  const note = OPERATION_NOTES[route.function];
  if (!note) throw new Error(`${route.function} has no note in docs/openapi/operation-notes.ts`);
  return { ...note, tag: tagOf(route.path) };
}

function tagOf(path: string): keyof typeof TAGS {
  if (path.startsWith('/laas/partner')) return 'Account';
  if (path.startsWith('/v1/laas/events')) return 'Events';
  if (path.startsWith('/v1/laas/sandbox/')) return 'Sandbox';
  const isPurchase = ['/v1/laas/transactions', '/v1/laas/quotes'].some((begin) => path.startsWith(begin));
  return isPurchase ? 'Purchases' : 'Clients';
}
