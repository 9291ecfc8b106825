import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { lookup as hashLookup } from '../../functions/adapters/aws/lookup.ts';
import { evidenceId } from '../../functions/adapters/dynamodb/records.ts';
import { assemble, load } from '../../functions/adapters/live/assemble.ts';
import { findProvenAt, proofSubject, requirePayerProof } from '../../functions/adapters/pix/payer-proof.ts';
import { pixProvider } from '../../functions/adapters/pix/provider.ts';
import type { Evidence } from '../../functions/domain/purchase/evidence.ts';
import type { Desk } from '../../operations/desk.ts';
import { DESK_MAKERS } from '../../operations/makers.ts';
import { pspCommands } from '../../operations/psp.ts';
import { run } from '../../operations/run.ts';
import { pspUnderTest } from '../../operations/stores/psp-under-test.ts';
import { dice as random } from '../support/dice.ts';
import { signedIn } from '../support/operators.ts';
import { stubClock } from '../support/stub-clock.ts';
import { stubLog } from '../support/stub-log.ts';
import { CREATED_AT, pay, type StubPsp, startStubPsp } from '../support/stub-psp.ts';

const lookup = hashLookup(async () => 'a secret of the look-ups');
const DEBTOR = '11144477735';
const STRANGER = '52998224725';

let psp: StubPsp;
let clock: ReturnType<typeof stubClock>;
beforeEach(async () => {
  psp = await startStubPsp();
  clock = stubClock(CREATED_AT);
});
afterEach(() => psp.close());

/** Verifies as an operator does; `meanwhile` is what happens while the command waits for the payment. */
async function verify(
  meanwhile: () => void = () => paidBy(STRANGER),
  { seen = '', profile = 'bacen' }: { seen?: string; profile?: 'bacen' | 'efi' } = {},
) {
  const [said, kept]: [string[], Evidence[]] = [[], []];
  const log = stubLog();
  const desk = {
    clock,
    random,
    lookup,
    ...signedIn('ana'),
    evidence: { record: async (each: Evidence) => kept.push(each) },
    psp: pspUnderTest(async () => ({ ...psp.settings(), profile }), { clock, log }),
  } as unknown as Desk;
  const note = (line: string) => said.push(line);
  const ask = async (question: string) => {
    if (question.startsWith('CPF')) return DEBTOR;
    if (question.startsWith('Let somebody')) meanwhile();
    if (question.startsWith('The provider cannot tell')) clock.advance(60_000);
    return question.startsWith('It is not paid') ? seen : '';
  };
  const terminal = { say: note, tell: note, ask };
  const call = { reason: 'go-live', isSure: true };
  const given = { words: [], flags: { reason: 'go-live' }, ask };
  const ended = await run(pspCommands[0]!, given, { desk, terminal, call }).then(
    () => 'DONE',
    (error: Error) => error.message,
  );
  const proof = kept.find(({ kind }) => kind === 'payer');
  return { ended, said: said.join('\n'), proof };
}

function paidBy(payerCpf: string) {
  const [txid] = [...psp.charges.keys()];
  pay(psp, txid!, { payerCpf });
  clock.advance(3 * 60_000);
}
const proofIn = (said: string) => /"payerProof": "(.+)"/.exec(said)?.[1];
const charge = {
  txid: '01JBZ0000000000000ONRAMP01',
  amountCentavos: 100,
  payer: { cpf: DEBTOR },
  expiresInSeconds: 60,
};
const inProduction = (payerProof?: string) =>
  pixProvider(async () => ({ ...psp.settings(), payerProof }), {
    clock,
    log: stubLog(),
    proofs: lookup,
  });

// docs/decisions.md, "The payer must be the client"
// Threat: "a provider says yes for a stranger's payment"
describe('psp verify', () => {
  test('proves a provider that knows the payer, returns the money once, and lets production charge', async () => {
    const { ended, said, proof } = await verify();

    expect({ ended, proof }).toMatchObject({
      ended: 'DONE',
      proof: { decidedBy: 'ana', findings: { payer: 'MISMATCH' }, decision: { outcome: 'PROVEN' } },
    });
    expect(psp.refunds.size).toBe(1);
    expect(JSON.stringify(proof)).not.toMatch(new RegExp(`${DEBTOR}|${STRANGER}`));
    expect(await inProduction(proofIn(said)).createCharge(charge)).toMatchObject({ status: 'ACTIVE' });
  });

  test('refuses a provider that echoes the debtor, keeps that as evidence, and returns the money', async () => {
    psp.payerFilter = 'debtor';

    const { ended, said, proof } = await verify();

    expect(ended).toContain('says MATCH for a stranger');
    expect(proof).toMatchObject({ findings: { payer: 'MATCH' }, decision: { outcome: 'NOT_PROVEN' } });
    expect(psp.refunds.size).toBe(1);
    expect(proofIn(said)).toBeUndefined();
  });

  test.each(['ignored', 'refused'] as const)(
    'proves nothing of a provider whose filter is %s',
    async (filter) => {
      psp.payerFilter = filter;

      const { ended, proof } = await verify();

      expect(ended).toContain('says UNKNOWN');
      expect(proof).toMatchObject({ decision: { outcome: 'NOT_PROVEN' } });
      expect(psp.refunds.size).toBe(1);
    },
  );

  test('proves a provider that refuses the payment, and nothing if nobody tried', async () => {
    const profile = 'efi';

    expect(await verify(() => undefined, { seen: 'refused', profile })).toMatchObject({
      ended: 'DONE',
      proof: { findings: { payer: 'REFUSED' } },
    });
    const untried = await verify(() => undefined, { profile });
    expect(untried).toMatchObject({ ended: expect.stringContaining('There was no try'), proof: undefined });
  });

  test('proves nothing without a payment at a provider that accepts those of strangers', async () => {
    expect(await verify(() => undefined, { seen: 'refused' })).toMatchObject({
      ended: 'It is not paid. Nothing is proven.',
      proof: undefined,
    });
  });

  test('proves one account: another key or address needs a proof of its own', async () => {
    const { said } = await verify();
    const payerProof = proofIn(said);
    const settings = { ...psp.settings(), payerProof };

    await requirePayerProof(settings, lookup);
    const provenAt = await findProvenAt(settings, lookup);
    expect(provenAt).toBe(clock.now());
    for (const other of [
      { key: 'another' },
      { baseUrl: 'https://other.example' },
      { profile: 'efi' as const },
    ])
      await expect(requirePayerProof({ ...settings, ...other }, lookup)).rejects.toThrow(
        'the proof of the payer',
      );
  });

  test('is needed before production makes its first charge', async () => {
    const { said } = await verify();
    const proven = proofIn(said)!;
    const evidence = proven.slice(0, proven.lastIndexOf('#'));
    psp.charges.clear();
    psp.payerFilter = 'debtor';
    const failed = (await verify()).proof!;
    psp.charges.clear();
    const seal = proven.slice(evidence.length);
    const forged = [
      evidence,
      `${evidence}#`,
      `${evidenceId(failed)}${seal}`,
      `${evidence}0${seal}`,
      `${proven}0`,
    ];
    for (const proof of [undefined, '', 'PSP#bacen#0000000000000000#payer#1', seal, ...forged])
      await expect(inProduction(proof).createCharge(charge)).rejects.toMatchObject({ name: 'Unavailable' });
    expect(psp.charges.size).toBe(0);
  });
});

test('the provider that is tried has the settings of both secrets, as the service has', async () => {
  const { profile, callbackUrl: _, key, callbackToken, ...contract } = psp.settings();
  const secrets = { pixSecret: { ...contract, profile: 'efi' }, pixCallbackSecret: { key, callbackToken } };
  await load(DESK_MAKERS, ['psp']);
  const parts = assemble(DESK_MAKERS, {
    secret: (async (name: keyof typeof secrets) => secrets[name]) as never,
    clock: stubClock(CREATED_AT),
    log: stubLog(),
    callLimit: { timeoutMs: 4000 },
    pixTransport: undefined,
  });

  const { subject } = await parts.get('psp').describe();

  expect(subject).toBe(proofSubject({ ...psp.settings(), profile: 'efi' }));
});
