import { describe, test } from 'vitest';
import { WALLET } from '../support/builders.ts';
import { executionsIn, statesOf } from '../support/executions.ts';
import { codeOf } from '../support/partner-api.ts';
import { contractRecorder } from '../support/recorder.ts';
import { BIOMETRIC_HASH, eventually, newPartner, randomCpf, sandbox } from '../support/sandbox.ts';

const V1 = '/v1/laas';
const HIGH = '111.444.777-35';
const LISTED = '900.000.002-56';
const PENDING = '900.000.003-37';
/** A second PENDING client. The first one may be approved by then, because the minutes are short here. */
const PENDING_TOO = '900.000.004-18';
const PAID_BY_ANOTHER = '900.000.007-60';

type Recorder = ReturnType<typeof contractRecorder>;
type Data = Record<string, unknown>;

/** One partner's calls, each recorded under a title. */
async function recordingPartner() {
  const recorder = contractRecorder();
  const { partnerId, apiKey, client } = await newPartner();
  recorder.name(partnerId, 'partner');
  const post = (title: string, path: string, body: object, headers?: Record<string, string>) =>
    recorder.record(title, 'POST', path, { apiKey, body, headers });
  const get = (title: string, path: string) => recorder.record(title, 'GET', path, { apiKey });
  return { recorder, partnerId, apiKey, client, post, get };
}
type Partner = Awaited<ReturnType<typeof recordingPartner>>;

async function open({ recorder, post }: Partner, cpf: string, asset = 'USDC') {
  recorder.name(cpf, 'cpf');
  const kyc = await post('a client is submitted', `${V1}/kyc/submit`, { cpf, biometricHash: BIOMETRIC_HASH });
  const request = { kycToken: kyc.token, amountBrl: 250, asset, walletAddress: WALLET };
  const opened = await post('a purchase is opened', `${V1}/transactions/initiate`, request);
  const { enrollment } = opened.authChallenge as { enrollment?: { otpauthUri: string } };
  return {
    id: String(opened.transactionId),
    kycToken: String(kyc.token),
    otpauthUri: enrollment?.otpauthUri ?? '',
  };
}

const mfa = (id: string) => `${V1}/transactions/${id}/mfa`;
const cancel = (id: string) => `${V1}/transactions/${id}/cancel`;
const statusOf = (id: string) => `${V1}/transactions/${id}/status`;

/** The purchase until `status`, with all its events until then. */
async function recordEnd(
  partner: Partner,
  id: string,
  { status, events }: { status: string; events: number },
) {
  const { recorder, apiKey, client } = partner;
  const isOver = (data: Data) => data.status === status && (data.refund as Data)?.status !== 'PENDING';
  await recorder.recordOnce(`it is ${status}`, statusOf(id), apiKey, isOver);
  const told = async () => {
    const { webhooks } = await client.sandbox.webhooks();
    const own = webhooks.filter(({ event }) => (event.data as Data).transactionId === id);
    return [...new Map(own.map((each) => [each.id, each])).values()];
  };
  const webhooks = await eventually(told, ({ length }) => length >= events);
  const sequenceOf = (data: unknown) => Number((data as Data).sequence);
  webhooks.sort((one, other) => sequenceOf(one.event.data) - sequenceOf(other.event.data));
  const history = await eventually(
    () => executionsIn(sandbox()).historyOf(id),
    (found) => /^Execution(Succeeded|Failed|Aborted)$/.test(found.at(-1)?.type ?? ''),
  );
  const { type: end } = history.at(-1) ?? {};
  return {
    webhooks: webhooks.map(({ id: webhookId, event, verified }) =>
      recorder.normalized({ webhookId, verified, event }),
    ),
    // The speed of the machine decides how often a state is repeated.
    states: statesOf(history).filter((state, index, all) => state !== all[index - 1]),
    end,
  };
}

/** Waits until the execution is in that state, because its progress depends on the machine's speed. */
const untilIn = (id: string, state: string) =>
  eventually(
    async () => statesOf(await executionsIn(sandbox()).historyOf(id)),
    (states) => states.includes(state),
  );

const fileOf = (name: string) => `../contract/${name}.json`;
const textOf = (recorder: Recorder, more: object = {}) =>
  `${JSON.stringify({ exchanges: recorder.recorded, ...more }, null, 2)}\n`;

/**
 * `npx vitest run --project sandbox test/journeys/contract.test.ts -u` records the contract again. Every line of the
 * difference is a change for partners. /
 */
describe.concurrent('the contract equals its recording', () => {
  test('for a purchase with a TOTP code', async ({ expect }) => {
    const partner = await recordingPartner();
    const { recorder, post, get } = partner;
    const { id, kycToken, otpauthUri } = await open(partner, randomCpf());
    await get('the client is looked up', `${V1}/clients/${kycToken}`);
    await get('it awaits the code', statusOf(id));
    await post('a wrong code is sent', mfa(id), { totpCode: 'abcdef' });
    const key = { 'Idempotency-Key': 'one' };
    const totpCode = await codeOf({ otpauthUri });
    recorder.name(totpCode, 'code');
    await post('the code is sent', mfa(id), { totpCode }, key);
    await post('it is sent again', mfa(id), { totpCode }, key);
    await get('it awaits the Pix', statusOf(id));
    await post('it is paid', `${V1}/sandbox/transactions/${id}/pay`, {});
    const end = await recordEnd(partner, id, { status: 'COMPLETED', events: 2 });

    await expect(textOf(recorder, end)).toMatchFileSnapshot(fileOf('totp'));
  });

  test('for a purchase with liveness', async ({ expect }) => {
    const partner = await recordingPartner();
    const { recorder, apiKey, post } = partner;
    const { id } = await open(partner, HIGH, 'USDT');
    await post('the face is shown', `${V1}/sandbox/transactions/${id}/liveness`, { outcome: 'PASSED' });
    await recorder.recordOnce(
      'it awaits the Pix',
      statusOf(id),
      apiKey,
      ({ status }) => status === 'AWAITING_PIX',
    );
    await post('it is paid', `${V1}/sandbox/transactions/${id}/pay`, {});
    const end = await recordEnd(partner, id, { status: 'COMPLETED', events: 4 });

    await expect(textOf(recorder, end)).toMatchFileSnapshot(fileOf('liveness'));
  });

  test('for a purchase that another person pays', async ({ expect }) => {
    const partner = await recordingPartner();
    const { recorder, post } = partner;
    const { id, otpauthUri } = await open(partner, PAID_BY_ANOTHER);
    const totpCode = await codeOf({ otpauthUri });
    recorder.name(totpCode, 'code');
    await post('the code is sent', mfa(id), { totpCode });
    await post('it is paid', `${V1}/sandbox/transactions/${id}/pay`, {});
    const end = await recordEnd(partner, id, { status: 'FAILED', events: 3 });

    await expect(textOf(recorder, end)).toMatchFileSnapshot(fileOf('refunded'));
  });

  test('for a purchase without authentication', async ({ expect }) => {
    const partner = await recordingPartner();
    const { id } = await open(partner, randomCpf());
    const end = await recordEnd(partner, id, { status: 'EXPIRED', events: 1 });

    await expect(textOf(partner.recorder, end)).toMatchFileSnapshot(fileOf('expired'));
  });

  test('for a purchase that its partner cancels', async ({ expect }) => {
    const partner = await recordingPartner();
    const { recorder, post, get } = partner;
    const { id, otpauthUri } = await open(partner, randomCpf());
    const totpCode = await codeOf({ otpauthUri });
    recorder.name(totpCode, 'code');
    await post('the code is sent', mfa(id), { totpCode });
    await untilIn(id, 'AwaitPixPayment');
    const key = { 'Idempotency-Key': 'one' };
    await post('it is canceled', cancel(id), {}, key);
    await post('the request is repeated with its key', cancel(id), {}, key);
    await post('it is canceled again', cancel(id), {});
    await post('the code is sent again', mfa(id), { totpCode });
    await post('it is paid', `${V1}/sandbox/transactions/${id}/pay`, {});
    await post('an unknown transaction is canceled', cancel('0'.repeat(26)), {});
    await get('it is looked up', statusOf(id));
    const end = await recordEnd(partner, id, { status: 'CANCELED', events: 1 });

    await expect(textOf(recorder, end)).toMatchFileSnapshot(fileOf('canceled'));
  });

  test('for a purchase that is canceled too late', async ({ expect }) => {
    const partner = await recordingPartner();
    const { recorder, post } = partner;
    const { id, otpauthUri } = await open(partner, randomCpf());
    const totpCode = await codeOf({ otpauthUri });
    recorder.name(totpCode, 'code');
    await post('the code is sent', mfa(id), { totpCode });
    await post('it is paid', `${V1}/sandbox/transactions/${id}/pay`, {});
    const end = await recordEnd(partner, id, { status: 'COMPLETED', events: 2 });
    await post('it is canceled', cancel(id), {});

    await expect(textOf(recorder, end)).toMatchFileSnapshot(fileOf('canceled-too-late'));
  });

  test('for refusals and for clients who are not approved', async ({ expect }) => {
    const { recorder, apiKey, post, get } = await recordingPartner();
    const submit = (title: string, body: object) => post(title, `${V1}/kyc/submit`, body);
    const initiate = (title: string, body: object) => post(title, `${V1}/transactions/initiate`, body);
    const biometricHash = BIOMETRIC_HASH;

    await submit('an empty submission', {});
    await submit('a listed client', { cpf: LISTED, biometricHash });
    const pending = await submit('a client who is pending', { cpf: PENDING, biometricHash });
    await initiate('a purchase of a pending client', purchaseOf(pending.token));
    await submit('Model 3', { cpf: PENDING_TOO, biometricHash, mode: 'shared' });
    await submit('a legal entity without a CNPJ', {
      cpf: randomCpfNamed(recorder),
      biometricHash,
      personType: 'PJ',
    });
    await submit('Model 2 with a forged token', { cpf: '863.288.070-58', partnerKycToken: 'a.b.c' });
    await initiate('an empty purchase', {});
    await initiate('a purchase with an unknown token', purchaseOf('kyc_unknown'));
    await initiate('too small an amount', { ...purchaseOf('kyc_unknown'), amountBrl: 1 });
    await initiate('another asset', { ...purchaseOf('kyc_unknown'), asset: 'DAI' });
    await initiate('a malformed address', { ...purchaseOf('kyc_unknown'), walletAddress: 'x' });
    await get('an unknown client', `${V1}/clients/kyc_unknown`);
    await get('an unknown transaction', statusOf('0'.repeat(26)));
    await post('a code for an unknown transaction', mfa('0'.repeat(26)), { totpCode: '000000' });
    await get('an unknown path', '/v1/laas/unknown');
    await recorder.record('no key', 'GET', statusOf('0'.repeat(26)));
    await recorder.record('a malformed key', 'GET', statusOf('0'.repeat(26)), { apiKey: 'nothing' });
    await post(
      'an Idempotency-Key that is empty',
      `${V1}/kyc/submit`,
      { cpf: LISTED, biometricHash },
      { 'Idempotency-Key': ' ' },
    );
    await get('the partner', '/laas/partner');
    const added = await post('a webhook endpoint is added', '/laas/partner/webhook-endpoints', {
      url: 'https://partner.example/hook',
    });
    const { id: endpointId } = (added.webhookEndpoint ?? added) as { id: string };
    recorder.name(`/laas/partner/webhook-endpoints/${endpointId}`, 'endpoint');
    await recorder.record('it is removed', 'DELETE', `/laas/partner/webhook-endpoints/${endpointId}`, {
      apiKey,
    });
    await post('its own key is revoked', '/laas/partner/keys/key1/revoke', {});
    await get('the scenarios', `${V1}/sandbox/scenarios`);

    await expect(textOf(recorder)).toMatchFileSnapshot(fileOf('refusals'));
  });
});

const purchaseOf = (kycToken: unknown) => ({
  kycToken,
  amountBrl: 250,
  asset: 'USDC',
  walletAddress: WALLET,
});

function randomCpfNamed(recorder: Recorder): string {
  const cpf = randomCpf();
  recorder.name(cpf, 'cpf');
  return cpf;
}
