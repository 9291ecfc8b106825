import { describe, expect, test } from 'vitest';
import { operations } from '../support/operations.ts';
import { rowsWhere } from '../support/partner-api.ts';
import { pspAt } from '../support/psp.ts';
import { randomCpf, sandbox } from '../support/sandbox.ts';

const { ops } = operations();
const psp = () => pspAt(sandbox());
const ARGS = ['psp', 'verify', '--reason', 'journey', '--yes'];

/**
 * The txids of the charges whose debtor has the CPF. Other tests break the rows of their own charges, so the provider
 * cannot list all.
 */
async function chargesOf(cpf: string): Promise<string[]> {
  const prefix = 'psp/cob/';
  const isDebtors = (row: Record<string, unknown>) =>
    String(row.id).startsWith(prefix) && String(row.value).includes(cpf);
  const rows = await rowsWhere('SimulatorsTable', isDebtors);
  return rows.map(({ id }) => String(id).slice(prefix.length));
}

/** The operator who goes through the command while a stranger pays. */
async function verifyWith(payment: { isDebtorPayer?: true }) {
  const debtor = randomCpf();
  const charges: string[] = [];
  const ran = await ops(ARGS, async (question) => {
    if (question.startsWith('CPF')) return debtor;
    if (question.startsWith('Let somebody')) {
      charges.push(...(await chargesOf(debtor)));
      expect(await psp().pay(charges[0]!, { ...payment, payerCpf: randomCpf(), callback: false })).toBe(200);
      return '';
    }
    // The question says how long: the provider may know the payer only a minute after the payment.
    expect(question).toContain('Wait a minute');
    await new Promise((resolve) => setTimeout(resolve, 61_000));
    return '';
  });
  expect(charges, ran.err).toHaveLength(1);
  const [txid] = charges;
  const rows = await rowsWhere('TablesEvidence', ({ inputs }) =>
    JSON.stringify(inputs ?? {}).includes(txid!),
  );
  const charge = await psp().charge(txid!);
  return { ...ran, debtor, rows, refunds: charge!.pix!.map(({ devolucoes }) => devolucoes) };
}

// docs/decisions.md, "The payer must be the client"
describe.concurrent('ops psp verify', () => {
  test('proves that the provider knows a stranger, and returns the money', async ({ expect }) => {
    const { code, out, debtor, rows, refunds } = await verifyWith({});

    expect({ code, out }).toEqual({
      code: 0,
      out: expect.stringMatching(/Proven \(MISMATCH\).*"payerProof": "PSP#/),
    });
    expect(rows).toMatchObject([{ findings: { payer: 'MISMATCH' }, decision: { outcome: 'PROVEN' } }]);
    expect(JSON.stringify(rows)).not.toContain(debtor);
    expect(refunds).toMatchObject([[{ valor: '1.00' }]]);
  });

  test('refuses a provider that takes the debtor for the payer, and returns the money', async ({
    expect,
  }) => {
    const { code, out, err, rows, refunds } = await verifyWith({ isDebtorPayer: true });

    expect(code).not.toBe(0);
    expect(out).not.toContain('payerProof');
    expect(err).toContain('says MATCH for a stranger');
    expect(rows).toMatchObject([{ findings: { payer: 'MATCH' }, decision: { outcome: 'NOT_PROVEN' } }]);
    expect(refunds).toMatchObject([[{ valor: '1.00' }]]);
  });
});
