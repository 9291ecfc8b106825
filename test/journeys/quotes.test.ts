import { expect, test } from 'vitest';
import { balanceOf } from '../../sandbox/chain/deploy.ts';
import { MINUTE_MS } from '../support/builders.ts';
import { editRow } from '../support/partner-api.ts';
import { endOf, newWallet } from '../support/purchases.ts';
import { BIOMETRIC_HASH, newPartner, randomCpf, sandbox, totpCode } from '../support/sandbox.ts';

async function buyerWithQuote(wish: { amountBrl: number } | { assetAmount: string }) {
  const { client } = await newPartner();
  const { token: kycToken } = await client.submitKyc({ cpf: randomCpf(), biometricHash: BIOMETRIC_HASH });
  const quote = await client.createQuote({ asset: 'USDC', ...wish });
  const { quoteId, amountBrl } = quote;
  // The minutes of the waits are shortened here.
  await editRow('TablesPromises', quoteId, { expiresAt: Date.now() + MINUTE_MS });
  const walletAddress = newWallet();
  const request = { kycToken, amountBrl, asset: 'USDC', walletAddress, quoteId } as const;
  const { transactionId, authChallenge } = await client.initiateTransaction(request);
  await editRow('TablesTransactions', transactionId, { expiresAt: Date.now() + MINUTE_MS });
  const otpauthUri = authChallenge.enrollment?.otpauthUri ?? '';
  const confirm = () => client.confirmMfa({ transactionId, totpCode: totpCode(otpauthUri) });
  return { client, quote, walletAddress, transactionId, confirm };
}

// docs/decisions.md, "Quotes and open promises"
test.concurrent('a client receives exactly the tokens of the quote, for exactly its reais', async () => {
  const bought = await buyerWithQuote({ assetAmount: '45.678901' });
  const { client, quote, walletAddress, transactionId, confirm } = bought;
  await confirm();
  await client.sandbox.pay(transactionId);

  const done = await endOf({ client, transactionId } as never, ['COMPLETED']);

  expect(done).toMatchObject({ assetAmount: '45.678901', amountBrl: quote.amountBrl });
  expect(await balanceOf(sandbox().rpcUrl, 'USDC', walletAddress)).toBe(45_678_901n);
  const { price, payment } = await client.transactions.receipt(transactionId);
  expect(price).toEqual({ rate: quote.rate, feeBrl: quote.feeBrl, taxes: quote.taxes });
  expect(payment.amountBrl).toBe(quote.amountBrl);
});

test.concurrent('a client who is too late for the quote gets no charge', async () => {
  const { client, quote, transactionId, confirm } = await buyerWithQuote({ amountBrl: 250 });
  const rateLock = { quoteId: quote.quoteId, until: Date.now() };
  await editRow('TablesTransactions', transactionId, { rateLock });

  await expect(confirm()).rejects.toMatchObject({ code: 'QUOTE_EXPIRED' });

  expect((await client.getTransactionStatus(transactionId)).pixPayload).toBeUndefined();
});
