import { evidenceId } from '../functions/adapters/dynamodb/records.ts';
import { payerProofOf } from '../functions/adapters/pix/payer-proof.ts';
import { decidePayerProof, type PayerProofFacts } from '../functions/domain/purchase/payer-proof.ts';
import type { PixCharge, ReceivedPix } from '../functions/domain/purchase/pix.ts';
import { newReservation, reservedIds } from '../functions/logic/ids.ts';
import { type Command, cpfAsked, type Given, type Plan, requireWords } from './command.ts';
import type { Desk } from './desk.ts';
import { refuseOrder } from './words.ts';

export const pspCommands: Command[] = [
  {
    name: 'psp verify',
    takes: '',
    about: 'a charge, the payment of a stranger and its return: proves that the provider knows who paid',
    needsReason: true,
    run: verifyPsp,
  },
];

const CENTAVOS = 1_00;
const LIFE_SECONDS = 30 * 60;
/**
 * How many times the command asks the provider who has paid. The provider may know that only minutes after the payment.
 */
const LOOKS = 5;

async function verifyPsp(given: Given, desk: Desk): Promise<Plan> {
  requireWords(given);
  const { payer, subject } = await desk.psp.describe();
  return {
    subject,
    will: [
      `make a charge of R$ 1.00 at ${subject}, which says who paid by: ${payer.document}`,
      ...(payer.ask ? [payer.ask] : []),
      'ask the provider about the payment of a stranger, and send it back',
    ],
    facts: { document: payer.document },
    before: {},
    after: {},
    perform: ({ by }) => proveOnPsp(given, { subject, by, mayRefuse: payer.by === 'REFUSED' }, desk),
  };
}

/** `mayRefuse`: by its documents, the provider refuses the payment of a stranger. */
type Proving = { subject: string; by: string; mayRefuse: boolean };

async function proveOnPsp(given: Given, { subject, by, mayRefuse }: Proving, desk: Desk): Promise<string[]> {
  const { psp, clock, random, lookup } = desk;
  const cpf = await cpfAsked(given, 'CPF of the debtor, who must not pay: ');
  const txid = reservedIds(newReservation(clock.now(), random)).transaction();
  const wanted = { txid, amountCentavos: CENTAVOS, payer: { cpf }, expiresInSeconds: LIFE_SECONDS };
  const charge = await psp.createCharge(wanted);
  await given.ask(`Let somebody else pay this Pix, then press Enter: ${charge.payload} `);
  const findings = await judgePayerProof(charge, { cpf, given, mayRefuse }, desk);
  const decision = decidePayerProof(findings);
  const kept = { subject, kind: 'payer', at: clock.now() } as const;
  await desk.evidence.record({ ...kept, decidedBy: by, inputs: { txid }, findings, decision });
  if (decision.outcome === 'NOT_PROVEN')
    refuseOrder(`The provider says ${findings.payer} for a stranger. Do not sell with it.`);
  const proof = await payerProofOf(evidenceId(kept), lookup);
  return [`Proven (${findings.payer}). Add to $PixSecret: "payerProof": "${proof}"`];
}

type ProofTry = { cpf: string; given: Given } & Pick<Proving, 'mayRefuse'>;

/** Closes the charge, so that nobody can pay it later, and reads who has paid. The money is returned in any case. */
async function judgePayerProof({ txid }: PixCharge, tried: ProofTry, desk: Desk): Promise<PayerProofFacts> {
  const closed = await desk.psp.closeCharge(txid);
  const [payment] = closed?.payments ?? [];
  if (!payment) {
    // Only a payment shows whether a provider that accepts strangers also knows them.
    if (!tried.mayRefuse) return refuseOrder('It is not paid. Nothing is proven.');
    const seen = (await tried.given.ask('It is not paid. Type refused if the bank refused it: ')).trim();
    return seen === 'refused'
      ? { payer: 'REFUSED' }
      : refuseOrder('There was no try to pay. Nothing is proven.');
  }
  const payer = await askPayer(payment, tried, desk).catch(() => 'UNKNOWN' as const);
  const { endToEndId, amountCentavos } = payment;
  // The return gets the id that the service gives the return of an unmatched payment. The service can therefore not
  // return this money a second time.
  const { status: refund } = await desk.psp.refund({ endToEndId, id: `S${endToEndId}`, amountCentavos });
  return { payer, refund };
}

async function askPayer(payment: ReceivedPix, { cpf, given }: ProofTry, { psp }: Desk) {
  for (let look = 1; ; look++) {
    const payer = await psp.findPayer(payment, cpf);
    if (payer !== 'UNKNOWN' || look === LOOKS) return payer;
    await given.ask('The provider cannot tell yet. Wait a minute, then press Enter: ');
  }
}
