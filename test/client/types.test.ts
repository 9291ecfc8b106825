import { describe, expectTypeOf, it } from 'vitest';
import type * as z from 'zod';
import type {
  DeliveredEvent,
  EventPage,
  ReplayedEvent,
  ReplayedRange,
  ReplayRange,
} from '../../client/event-types.ts';
import type { ClientLimits } from '../../client/limit-types.ts';
import type { OnrampClient } from '../../client/onramp-client.ts';
import type { CreateQuoteRequest, LockedQuote } from '../../client/quote-types.ts';
import type { PartnerReport } from '../../client/report-types.ts';
import type { Receipt, TransactionDetail, TransactionPage } from '../../client/transaction-types.ts';
import type * as Api from '../../client/types.ts';
import type { KnownWebhookEvent } from '../../client/webhook.ts';
import type { handler as cancelTransaction } from '../../functions/api/cancel-transaction.ts';
import type { handler as confirmMfa } from '../../functions/api/confirm-mfa.ts';
import type { handler as createQuote } from '../../functions/api/create-quote.ts';
import type { handler as getClientLimits } from '../../functions/api/get-client-limits.ts';
import type { handler as getEvent } from '../../functions/api/get-event.ts';
import type { handler as getKycStatus } from '../../functions/api/get-kyc-status.ts';
import type { handler as getReceipt } from '../../functions/api/get-receipt.ts';
import type { handler as getTransaction } from '../../functions/api/get-transaction.ts';
import type { handler as getTransactionStatus } from '../../functions/api/get-transaction-status.ts';
import type { handler as initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import type { handler as listEvents } from '../../functions/api/list-events.ts';
import type { handler as listTransactions } from '../../functions/api/list-transactions.ts';
import type { handler as addWebhookEndpoint } from '../../functions/api/partner/add-webhook-endpoint.ts';
import type { handler as changePartnerSettings } from '../../functions/api/partner/change-partner-settings.ts';
import type { handler as editWebhookEndpoint } from '../../functions/api/partner/edit-webhook-endpoint.ts';
import type { handler as enableWebhookEndpoint } from '../../functions/api/partner/enable-webhook-endpoint.ts';
import type { handler as getPartner } from '../../functions/api/partner/get-partner.ts';
import type { handler as getPartnerSettings } from '../../functions/api/partner/get-partner-settings.ts';
import type { handler as getReport } from '../../functions/api/partner/get-report.ts';
import type { handler as listApiKeys } from '../../functions/api/partner/list-api-keys.ts';
import type { handler as listVendorKeys } from '../../functions/api/partner/list-vendor-keys.ts';
import type { handler as makeApiKey } from '../../functions/api/partner/make-api-key.ts';
import type { handler as proposeVendorKey } from '../../functions/api/partner/propose-vendor-key.ts';
import type { handler as removeWebhookEndpoint } from '../../functions/api/partner/remove-webhook-endpoint.ts';
import type { handler as revokeApiKey } from '../../functions/api/partner/revoke-api-key.ts';
import type { handler as rotateWebhookSecret } from '../../functions/api/partner/rotate-webhook-secret.ts';
import type { handler as testWebhookEndpoint } from '../../functions/api/partner/test-webhook-endpoint.ts';
import type { handler as withdrawVendorKey } from '../../functions/api/partner/withdraw-vendor-key.ts';
import type { handler as replayEvent } from '../../functions/api/replay-event.ts';
import type { handler as replayEvents } from '../../functions/api/replay-events.ts';
import type { handler as submitKyc } from '../../functions/api/submit-kyc.ts';
import type { EventType } from '../../functions/domain/partners/events.ts';
import type { PayloadOf } from '../../functions/logic/partners/event-payloads.ts';
import type { ROUTES } from '../../functions/routes.ts';
import type { handler as completeLiveness } from '../../sandbox/api/complete-liveness.ts';
import type { handler as issuePartnerKycToken } from '../../sandbox/api/issue-partner-kyc-token.ts';
import type { handler as listScenarios } from '../../sandbox/api/list-scenarios.ts';
import type { handler as payTransaction } from '../../sandbox/api/pay-transaction.ts';
import type { handler as resetSandbox } from '../../sandbox/api/reset-sandbox.ts';
import type { handler as triggerEvent } from '../../sandbox/api/trigger-event.ts';

type Described = { request: z.ZodType; answer: () => z.ZodType };
type AnswerOf<Handler extends Described> = Plain<z.output<ReturnType<Handler['answer']>>>;
/** The fields of the path are arguments of the client's calls. */
type BodyOf<Handler extends Described> = Plain<Omit<z.input<Handler['request']>, 'id'>>;

/**
 * A type without the parts that only help the client's users: `readonly`, strings that may come later, and fields
 * that a variant never has.
 */
type Plain<Type> = Type extends readonly (infer Item)[]
  ? Plain<Known<Item>>[]
  : Type extends object
    ? { -readonly [Name in keyof Type as NameOf<Type, Name>]: Plain<Known<Type[Name]>> }
    : Type;
type NameOf<Type, Name extends keyof Type> = [Exclude<Type[Name], undefined>] extends [never] ? never : Name;
/** The literals of a union that also takes any string. */
type Known<Type> = [LiteralsOf<Type>] extends [never] ? Type : LiteralsOf<Type> | Exclude<Type, string>;
type LiteralsOf<Type> = Type extends string ? (string extends Type ? never : Type) : never;

type DeliveredEventParts = Pick<DeliveredEvent, 'id' | 'timestamp' | 'deliveries' | 'retrySchedule'>;

/** The client's type of each answer beside the service's. An endpoint that is not here does not compile. */
type Answers = {
  SubmitKyc: [AnswerOf<typeof submitKyc>, Api.SubmittedKyc];
  GetKycStatus: [AnswerOf<typeof getKycStatus>, Api.KycRecord];
  GetClientLimits: [Shape<AnswerOf<typeof getClientLimits>>, Shape<ClientLimits>];
  InitiateTransaction: [AnswerOf<typeof initiateTransaction>, Api.InitiatedTransaction];
  CreateQuote: [AnswerOf<typeof createQuote>, LockedQuote];
  ConfirmMfa: [AnswerOf<typeof confirmMfa>, Api.MfaConfirmation];
  CancelTransaction: [AnswerOf<typeof cancelTransaction>, Api.CanceledTransaction];
  GetTransactionStatus: [AnswerOf<typeof getTransactionStatus>, Api.Transaction];
  // The data of events are compared below.
  // The service's type also has a fact that is never told to partners.
  ListTransactions: [Shape<AnswerOf<typeof listTransactions>>, Shape<TransactionPage>];
  GetTransaction: [Shape<AnswerOf<typeof getTransaction>>, Shape<TransactionDetail>];
  GetReceipt: [AnswerOf<typeof getReceipt>, Receipt];
  ListEvents: [Omit<AnswerOf<typeof listEvents>, 'events'>, Omit<EventPage, 'events'>];
  GetEvent: [Omit<AnswerOf<typeof getEvent>, 'data' | 'type'>, DeliveredEventParts];
  ReplayEvent: [AnswerOf<typeof replayEvent>, ReplayedEvent];
  ReplayEvents: [AnswerOf<typeof replayEvents>, ReplayedRange];
  GetPartnerSettings: [AnswerOf<typeof getPartnerSettings>, Api.PartnerSettings];
  ChangePartnerSettings: [AnswerOf<typeof changePartnerSettings>, Api.PartnerSettings];
  GetPartner: [AnswerOf<typeof getPartner>, Api.Partner];
  AddWebhookEndpoint: [AnswerOf<typeof addWebhookEndpoint>, Api.AddedWebhookEndpoint];
  RotateWebhookSecret: [AnswerOf<typeof rotateWebhookSecret>, Api.RotatedWebhookSecret];
  EditWebhookEndpoint: [AnswerOf<typeof editWebhookEndpoint>, Api.EnabledWebhookEndpoint];
  EnableWebhookEndpoint: [AnswerOf<typeof enableWebhookEndpoint>, Api.EnabledWebhookEndpoint];
  TestWebhookEndpoint: [AnswerOf<typeof testWebhookEndpoint>, Api.TestedWebhookEndpoint];
  RemoveWebhookEndpoint: [AnswerOf<typeof removeWebhookEndpoint>, Api.RemovedWebhookEndpoint];
  GetReport: [AnswerOf<typeof getReport>, PartnerReport];
  ListVendorKeys: [AnswerOf<typeof listVendorKeys>, Api.VendorKeys];
  ProposeVendorKey: [AnswerOf<typeof proposeVendorKey>, Api.VendorKey];
  WithdrawVendorKey: [AnswerOf<typeof withdrawVendorKey>, Api.WithdrawnVendorKey];
  ListApiKeys: [AnswerOf<typeof listApiKeys>, Api.ApiKeys];
  MakeApiKey: [AnswerOf<typeof makeApiKey>, Api.MadeApiKey];
  RevokeApiKey: [AnswerOf<typeof revokeApiKey>, Api.RevokedApiKey];
};
type SandboxAnswers = {
  PayTransaction: [AnswerOf<typeof payTransaction>, Api.SandboxPayment];
  CompleteLiveness: [AnswerOf<typeof completeLiveness>, Api.SandboxLiveness];
  IssuePartnerKycToken: [AnswerOf<typeof issuePartnerKycToken>, Api.SandboxPartnerKycToken];
  TriggerEvent: [AnswerOf<typeof triggerEvent>, Api.SandboxTriggered];
  ResetSandbox: [AnswerOf<typeof resetSandbox>, Api.SandboxReset];
  ListScenarios: [AnswerOf<typeof listScenarios>, Api.SandboxScenarios];
};
type Requests = {
  SubmitKyc: [BodyOf<typeof submitKyc>, Api.SubmitKycRequest];
  InitiateTransaction: [BodyOf<typeof initiateTransaction>, Api.InitiateTransactionRequest];
  AddWebhookEndpoint: [BodyOf<typeof addWebhookEndpoint>, Api.AddWebhookEndpointRequest];
  EditWebhookEndpoint: [
    Omit<BodyOf<typeof editWebhookEndpoint>, 'endpointId'>,
    Api.EditWebhookEndpointRequest,
  ];
  ProposeVendorKey: [BodyOf<typeof proposeVendorKey>, { jwk: Api.VendorJwk }];
  MakeApiKey: [BodyOf<typeof makeApiKey>, Api.MakeApiKeyRequest];
  ChangePartnerSettings: [BodyOf<typeof changePartnerSettings>, Partial<Api.PartnerSettings>];
  ReplayEvents: [BodyOf<typeof replayEvents>, ReplayRange];
  PayTransaction: [BodyOf<typeof payTransaction>, Api.SandboxPayRequest];
  CompleteLiveness: [BodyOf<typeof completeLiveness>, Api.SandboxLivenessRequest];
  CreateQuote: [BodyOf<typeof createQuote>, CreateQuoteRequest];
  ConfirmMfa: [BodyOf<typeof confirmMfa>, Omit<Api.ConfirmMfaRequest, 'transactionId'>];
};

type OfService<Pairs extends Record<string, [unknown, unknown]>> = { [Name in keyof Pairs]: Pairs[Name][0] };
type OfClient<Pairs extends Record<string, [unknown, unknown]>> = {
  [Name in keyof Pairs]: Plain<Pairs[Name][1]>;
};

/** A type with `string` in the place of each literal, so that two types compare by their fields. */
type Shape<Type> = Type extends string
  ? string
  : Type extends object
    ? { [Name in keyof Type]: Shape<Type[Name]> }
    : Type;

/** The names of the fields of each type. */
type FieldsOf<Types> = { [Name in keyof Types]: NamesOf<Types[Name]> };
type NamesOf<Type> = Type extends unknown ? keyof Type : never;

type PartnerRoute = Extract<(typeof ROUTES)[number], { scope: string }>;

/** The client imports nothing of the service. `tsc` compares the types of the two. */
describe('the types of the client', () => {
  it('are those of the answers, of every endpoint', () => {
    type Missing = Exclude<PartnerRoute['function'], keyof Answers>;

    expectTypeOf<Missing>().toEqualTypeOf<never>();
    type All = Answers & SandboxAnswers;

    // The client's types are wider where a later version may add a name.
    expectTypeOf<OfService<All>>().toExtend<OfClient<All>>();
    expectTypeOf<Shape<OfClient<All>>>().toEqualTypeOf<Shape<OfService<All>>>();
  });

  it('are bytes for the answers that are documents', () => {
    type Rendered = Awaited<ReturnType<NonNullable<(typeof getReceipt)['document']>['render']>>;

    type Read = Awaited<ReturnType<OnrampClient['transactions']['receiptPdf']>>;
    expectTypeOf<Read>().toExtend<Rendered>();
    // A Blob takes no bytes of a shared buffer.
    expectTypeOf<Read>().toExtend<BlobPart>();
  });

  it('are those of the requests', () => {
    // The client's types know more: the assets, and which fields go together.
    expectTypeOf<Shape<OfClient<Requests>>>().toExtend<Shape<OfService<Requests>>>();
    expectTypeOf<FieldsOf<OfClient<Requests>>>().toEqualTypeOf<FieldsOf<OfService<Requests>>>();
  });

  it('are those of the events’ data', () => {
    type DataOf<Type extends EventType> = Plain<Extract<KnownWebhookEvent, { type: Type }>['data']>;

    type OfClient = { [Type in EventType]: DataOf<Type> };
    type OfService = { [Type in EventType]: Plain<PayloadOf<Type>> };

    expectTypeOf<OfService>().toExtend<OfClient>();
    expectTypeOf<Shape<OfClient>>().toEqualTypeOf<Shape<OfService>>();
  });
});
