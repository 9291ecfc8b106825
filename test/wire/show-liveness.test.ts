import { expect, test } from 'vitest';
import { newWallet } from '../support/purchases.ts';
import { BIOMETRIC_HASH, newPartner, sandbox } from '../support/sandbox.ts';

const HIGH = '11144477735';

async function openHigh() {
  const { client } = await newPartner({ displayName: 'Loja <b>&amp; Filhos</b>' });
  const { token: kycToken } = await client.submitKyc({ cpf: HIGH, biometricHash: BIOMETRIC_HASH });
  const walletAddress = newWallet();
  const request = { kycToken, amountBrl: 1234.5, asset: 'USDC', walletAddress } as const;
  const { authChallenge } = await client.initiateTransaction(request);
  return { livenessUrl: authChallenge.livenessUrl!, walletAddress };
}

// docs/decisions.md, "The liveness check"
test('the client’s link opens a page of the API that names the purchase, without a key', async () => {
  const { livenessUrl, walletAddress } = await openHigh();

  const answer = await fetch(livenessUrl);
  const page = await answer.text();

  expect(livenessUrl.startsWith(`${sandbox().url}/liveness/`)).toBe(true);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.headers.get('cache-control')).toBe('no-store');
  expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  for (const shown of ['Loja &lt;b&gt;&amp;amp; Filhos&lt;/b&gt;', 'R$ 1.234,50', 'USDC', walletAddress]) {
    expect(page).toContain(shown);
  }
});

test('another link is a page without any purchase', async () => {
  const { livenessUrl, walletAddress } = await openHigh();

  for (const url of [`${livenessUrl.slice(0, -1)}-`, `${sandbox().url}/liveness/1/2`]) {
    const answer = await fetch(url);
    const page = await answer.text();
    expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    expect(page).toContain('Este link não vale');
    expect(page).not.toContain(walletAddress);
  }
});
