/**
 * `npm run demo` starts a sandbox and makes a purchase for each of four clients. A client of risk tier HIGH
 * passes a face check. The others type a code of their authenticator app, and the partner's own KYC vendor has
 * approved one of them. At the end it prints the wallet's balances on the chain and the webhooks.
 */

import { generateSync } from 'otplib';
import { type AuthChallenge, createOnrampClient, type KycRecord } from '../client/onramp-client.ts';
import type { WebhookEvent } from '../client/webhook.ts';
import { ASSET_NAMES, type Asset, assetAmountOf } from '../functions/domain/assets.ts';
import { getDefined } from '../functions/domain/get.ts';
import { balanceOf } from './chain/deploy.ts';
import { PATIENCE, startSandbox } from './sandbox.ts';

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const BIOMETRIC_HASH = `sha256:${'ab'.repeat(32)}`;

type Purchase = { title: string; kyc: () => Promise<KycRecord>; asset: Asset; amountBrl: number };

const PURCHASES: Purchase[] = [
  { title: 'A client', kyc: () => screened('529.982.247-25'), asset: 'USDC', amountBrl: 250 },
  { title: 'Another client', kyc: () => screened('390.533.447-05'), asset: 'USDT', amountBrl: 1234.56 },
  {
    title: 'A client on a list, so of tier HIGH,',
    kyc: () => screened('111.444.777-35'),
    asset: 'USDC',
    amountBrl: 5000,
  },
  {
    title: "A client whom the partner's vendor has cleared (Model 2)",
    kyc: () => cleared('863.288.070-58'),
    asset: 'USDT',
    amountBrl: 99.9,
  },
];

const say = (text: string) => console.log(text);

say('Starting the service on this machine …');
const sandbox = await startSandbox();
const onramp = createOnrampClient({
  apiKey: sandbox.apiKey,
  baseUrl: sandbox.url,
  timeoutMs: 30_000 * PATIENCE,
});

const screened = (cpf: string) => onramp.submitKyc({ cpf, biometricHash: BIOMETRIC_HASH });

async function cleared(cpf: string): Promise<KycRecord> {
  const { partnerKycToken } = await onramp.sandbox.partnerKycToken({ cpf });
  return onramp.submitKyc({ cpf, partnerKycToken });
}

async function balances(): Promise<string> {
  const shown = ASSET_NAMES.map(async (asset) => {
    const units = await balanceOf(sandbox.rpcUrl, asset, WALLET);
    return `${assetAmountOf(asset, units)} ${asset}`;
  });
  return (await Promise.all(shown)).join(', ');
}

async function buy({ title, kyc, asset, amountBrl }: Purchase): Promise<string> {
  say(`\n${title} buys ${asset} for R$ ${amountBrl.toFixed(2)}`);
  const { token, status, riskTier, expiresAt } = await kyc();
  say(`  KYC       ${status}, tier ${riskTier}, token valid until ${expiresAt}`);

  const opened = await onramp.initiateTransaction({
    kycToken: token,
    amountBrl,
    asset,
    walletAddress: WALLET,
  });
  const { transactionId, authChallenge, quote } = opened;
  say(`  initiate  ${transactionId} ${opened.status}: ${quote.assetAmount} ${asset} at ${quote.rate} BRL`);
  const pixPayload = await authenticate(transactionId, authChallenge);
  say(`            AWAITING_PIX, Pix payload ${pixPayload.slice(0, 48)}…`);

  await onramp.sandbox.pay(transactionId);
  const startedAt = Date.now();
  say('  Pix       paid');
  const done = await onramp.waitForStatus(transactionId, ['COMPLETED'], { intervalMs: 200 });
  say(`  settled   ${done.assetAmount} ${asset} in ${Date.now() - startedAt} ms, ${done.txHash}`);
  return transactionId;
}

/**
 * Authenticates as the client would: types the code of the authenticator app, or passes the face check.
 * Returns the payload of the Pix charge.
 */
async function authenticate(transactionId: string, challenge: AuthChallenge): Promise<string> {
  if (challenge.type === 'LIVENESS') {
    say(`  LIVENESS  ${challenge.livenessUrl}`);
    await onramp.sandbox.liveness(transactionId, { outcome: 'PASSED' });
    const waiting = await onramp.waitForStatus(transactionId, ['AWAITING_PIX'], { intervalMs: 200 });
    return getDefined(waiting.pixPayload, 'Pix payload');
  }
  if (!challenge.enrollment) throw new Error('expected an enrolment');
  const totpCode = codeFor(challenge.enrollment.otpauthUri);
  say(`  MFA_TOTP  ${totpCode}`);
  const { pixPayload } = await onramp.confirmMfa({ transactionId, totpCode });
  return getDefined(pixPayload, 'Pix payload');
}

/** The code that the client's authenticator app would show. */
function codeFor(otpauthUri: string): string {
  const secret = new URL(otpauthUri).searchParams.get('secret') ?? undefined;
  return generateSync({ secret: getDefined(secret, 'secret in the enrolment') });
}

/**
 * Prints the webhooks, each with the result of the check of its signature. The sandbox's receiver makes that
 * check, because only it has the raw bodies.
 */
async function showWebhooks(transactionIds: string[]): Promise<void> {
  const { webhooks } = await eventually(
    () => onramp.sandbox.webhooks(),
    (got) => {
      const done = got.webhooks.filter(({ event }) => event.type === 'transaction.completed');
      return transactionIds.every((id) => done.some(({ event }) => told(event).transactionId === id));
    },
  );
  for (const id of transactionIds) {
    say(`  ${id}`);
    const own = webhooks.filter(({ event }) => told(event).transactionId === id);
    // Webhooks may arrive in any order.
    own.sort((a, b) => told(a.event).sequence - told(b.event).sequence);
    for (const { verified, event } of own) {
      const { transactionId: _, ...data } = told(event);
      say(`    ${verified ? 'verified' : 'SIGNATURE WRONG'}  ${event.type}  ${JSON.stringify(data)}`);
    }
  }
}

/** The data of an event. All events of the demo are about a transaction, so these two fields exist. */
function told({ data }: WebhookEvent) {
  return data as { transactionId: string; sequence: number };
}

async function eventually<Read>(read: () => Promise<Read>, isIt: (got: Read) => boolean): Promise<Read> {
  const deadline = Date.now() + 15_000 * PATIENCE;
  for (;;) {
    const got = await read();
    if (isIt(got)) return got;
    if (Date.now() > deadline) throw new Error('a webhook did not arrive');
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

try {
  say(`Balance of ${WALLET} before: ${await balances()}`);
  const bought: string[] = [];
  for (const purchase of PURCHASES) bought.push(await buy(purchase));
  say(`\nBalance of ${WALLET} after: ${await balances()}`);
  say('\nWebhooks, by purchase and in the order of their sequence');
  await showWebhooks(bought);
} finally {
  await sandbox.stop();
}
