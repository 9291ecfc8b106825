import { parse } from './answer.ts';
import { freshCpf, totpCode } from './sandbox-tools.ts';
import { type CallOptions, type PostOptions, segment, type Transport } from './transport.ts';
import type * as Api from './types.ts';
import type { SandboxWebhooks } from './webhook.ts';

type Trigger =
  | [event: Api.SandboxPurchaseEvent, target: { transactionId: string }, call?: PostOptions]
  | [event: Api.SandboxClientEvent, target: { kycToken: string } | { cpf: string }, call?: PostOptions];

const sandboxPath = '/v1/laas/sandbox';

/** In the sandbox, these calls play the client and the client's bank. In production they answer `NOT_FOUND`. */
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

    /** Passes or fails the liveness check without a browser. */
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

    /** Signs a Model 2 token with the demo partner's key. */
    async partnerKycToken(body: { cpf: string }, call?: PostOptions) {
      const request = post(`${sandboxPath}/partner-kyc-token`, body, call);
      const answer = await send(request);
      return parse<Api.SandboxPartnerKycToken>(answer);
    },

    /**
     * Causes an event at a provider, for one purchase or one client of yours, as often as you like. `scenarios` lists
     * the events.
     */
    async trigger(...[event, target, call]: Trigger) {
      const request = post(`${sandboxPath}/trigger`, { event, ...target }, call);
      const answer = await send(request);
      return parse<Api.SandboxTriggered>(answer);
    },

    /** Takes back the events that still wait for your purchases and clients. Past events keep their effects. */
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
