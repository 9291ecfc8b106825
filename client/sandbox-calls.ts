import { parse } from './answer.ts';
import { freshCpf, totpCode } from './sandbox-tools.ts';
import { type CallOptions, type PostOptions, segment, type Transport } from './transport.ts';
import type * as Api from './types.ts';
import type { SandboxWebhooks } from './webhook.ts';

type Trigger =
  | [event: Api.SandboxPurchaseEvent, target: { transactionId: string }, call?: PostOptions]
  | [event: Api.SandboxClientEvent, target: { kycToken: string } | { cpf: string }, call?: PostOptions];

const sandboxPath = '/v1/laas/sandbox';

/**
 * The calls of the sandbox. They do what the client and the client's bank do in production. In production the
 * service refuses them with `NOT_FOUND`.
 */
export function sandboxCalls({ get, post, send }: Transport) {
  const transactionPath = (id: string) => `${sandboxPath}/transactions/${segment('transactionId', id)}`;
  return {
    totpCode,
    freshCpf,

    /** Pays the Pix charge. */
    async pay(transactionId: string, body: Api.SandboxPayRequest = {}, call?: PostOptions) {
      const request = post(`${transactionPath(transactionId)}/pay`, body, call);
      const answer = await send(request);
      return parse<Api.SandboxPayment>(answer);
    },

    /** Ends the client's liveness check as passed or as failed, without a browser. */
    async liveness(transactionId: string, body: Api.SandboxLivenessRequest, call?: PostOptions) {
      const request = post(`${transactionPath(transactionId)}/liveness`, body, call);
      const answer = await send(request);
      return parse<Api.SandboxLiveness>(answer);
    },

    /** Reads the messages that the sandbox's built-in webhook receiver got. */
    async webhooks(call?: CallOptions) {
      const request = get(`${sandboxPath}/webhooks`, call);
      const answer = await send(request);
      return parse<SandboxWebhooks>(answer);
    },

    /** Signs a KYC token of Model 2 with the key of the sandbox's demo partner. */
    async partnerKycToken(body: { cpf: string }, call?: PostOptions) {
      const request = post(`${sandboxPath}/partner-kyc-token`, body, call);
      const answer = await send(request);
      return parse<Api.SandboxPartnerKycToken>(answer);
    },

    /**
     * Causes an event at a provider, such as an outage, for one purchase or one client of yours. You may
     * cause it again. `scenarios` lists the events.
     */
    async trigger(...[event, target, call]: Trigger) {
      const request = post(`${sandboxPath}/trigger`, { event, ...target }, call);
      const answer = await send(request);
      return parse<Api.SandboxTriggered>(answer);
    },

    /**
     * Cancels the events that you have triggered for your purchases and clients, and that have not happened
     * yet. Events that have happened keep their effects.
     */
    async reset(call?: PostOptions) {
      const request = post(`${sandboxPath}/reset`, {}, call);
      const answer = await send(request);
      return parse<Api.SandboxReset>(answer);
    },

    /** Lists the CPFs, the CNPJs and the events that force an outcome, and the outcome of each. */
    async scenarios(call?: CallOptions) {
      const request = get(`${sandboxPath}/scenarios`, call);
      const answer = await send(request);
      return parse<Api.SandboxScenarios>(answer);
    },
  };
}
