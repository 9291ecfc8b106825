/** `npm run demo`: starts a sandbox, buys USDC and USDT step by step, and shows what happened on the chain. */
import { generateSync } from 'otplib';
import { createOnrampClient } from '../client/onramp-client.ts';
import { decimalOf, TOKEN_DECIMALS } from '../functions/domain/money.ts';
import { ASSETS, type Asset } from '../functions/domain/transaction.ts';
import { balanceOf } from './chain/deploy.ts';
import { startSandbox } from './sandbox.ts';

const WALLET = '0x8ba1f109551bD432803012645Ac136ddd64DBA72';
const PURCHASES: { asset: Asset; cpf: string; amountBrl: number }[] = [
  { asset: 'USDC', cpf: '529.982.247-25', amountBrl: 250 },
  { asset: 'USDT', cpf: '390.533.447-05', amountBrl: 1234.56 },
];

const say = (text: string) => console.log(text);

say('Starting the service on this machine …');
const sandbox = await startSandbox();
const onramp = createOnrampClient({ apiKey: sandbox.apiKey, baseUrl: sandbox.url });

async function balances(): Promise<string> {
  const shown = ASSETS.map(async (asset) => {
    const units = await balanceOf(sandbox.rpcUrl, asset, WALLET);
    return `${decimalOf(units, TOKEN_DECIMALS)} ${asset}`;
  });
  return (await Promise.all(shown)).join(', ');
}

/** What the client's authenticator app would show. */
function codeFor(otpauthUri: string): string {
  return generateSync({ secret: new URL(otpauthUri).searchParams.get('secret')! });
}

async function buy({ asset, cpf, amountBrl }: (typeof PURCHASES)[number]): Promise<string> {
  say(`\nA client buys ${asset} for R$ ${amountBrl.toFixed(2)}`);
  const kyc = await onramp.submitKyc({ cpf, biometricHash: `sha256:${'ab'.repeat(32)}` });
  say(`  KYC       ${kyc.status}, tier ${kyc.riskTier}, token valid until ${kyc.expiresAt}`);

  const opened = await onramp.initiateTransaction({
    kycToken: kyc.token,
    amountBrl,
    asset,
    walletAddress: WALLET,
  });
  const { transactionId, authChallenge, quote } = opened;
  say(`  initiate  ${transactionId} ${opened.status}: ${quote.assetAmount} ${asset} at ${quote.rate} BRL`);
  if (authChallenge.type !== 'MFA_TOTP' || !authChallenge.enrollment)
    throw new Error('expected an enrolment');

  const cleared = await onramp.confirmMfa({
    transactionId,
    totpCode: codeFor(authChallenge.enrollment.otpauthUri),
  });
  say(`  MFA       ${cleared.status}, Pix payload ${cleared.pixPayload.slice(0, 48)}…`);

  await onramp.sandbox.pay(transactionId);
  const startedAt = Date.now();
  say('  Pix       paid');
  const done = await onramp.waitForStatus(transactionId, ['COMPLETED'], { intervalMs: 200 });
  say(`  settled   ${done.assetAmount} ${asset} in ${Date.now() - startedAt} ms, ${done.txHash}`);
  return transactionId;
}

/** The receiver has the raw bodies that the signatures are over, so it is the receiver who verifies them. */
async function showWebhooks(transactionIds: string[]): Promise<void> {
  const deadline = Date.now() + 10_000;
  for (;;) {
    const { webhooks } = await onramp.sandbox.webhooks();
    if (webhooks.length >= transactionIds.length || Date.now() > deadline) {
      for (const { verified, event } of webhooks) {
        say(`  ${verified ? 'verified by the receiver' : 'SIGNATURE WRONG'}  ${JSON.stringify(event)}`);
      }
      if (webhooks.length < transactionIds.length) throw new Error('a webhook did not arrive');
      return;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

try {
  say(`Balance of ${WALLET} before: ${await balances()}`);
  const bought: string[] = [];
  for (const purchase of PURCHASES) bought.push(await buy(purchase));
  say(`\nBalance of ${WALLET} after: ${await balances()}`);
  say('\nWebhooks received');
  await showWebhooks(bought);
} finally {
  await sandbox.stop();
}
