import { beforeEach, describe, expect, test } from 'vitest';
import { personBlockStore } from '../../functions/adapters/dynamodb/person-blocks.ts';
import { initiateTransaction } from '../../functions/api/initiate-transaction.ts';
import type { PixReturn } from '../../functions/domain/purchase/pix.ts';
import { newReservation, reservedIds } from '../../functions/logic/ids.ts';
import { personIdOf } from '../../functions/logic/kyc/person-blocks.ts';
import { EVENT_PAYLOADS } from '../../functions/logic/partners/event-payloads.ts';
import { reconcileBooks } from '../../functions/schedules/reconcile-books.ts';
import { aHash, type Books, openBooks } from '../support/books.ts';
import { MINUTE_MS, WALLET } from '../support/builders.ts';
import { dice } from '../support/dice.ts';
import { eventsOf, openPorts, START_AT } from '../support/ports.ts';
import { randomCpf } from '../support/sandbox.ts';
import { aRequest, partnerOf, reviewIs } from '../support/submissions.ts';
import { memoryTables, type Tables, tapped } from '../support/tables.ts';

let tables: Tables;
let books: Books;
beforeEach(async () => {
  tables = memoryTables();
  books = await openBooks(tables);
});

const AT = START_AT + 20 * MINUTE_MS;
const med = (id: string, amountCentavos: number | undefined = 250_00): PixReturn => ({
  id,
  amountCentavos,
  status: 'REFUNDED',
  nature: 'MED_FRAUDE',
  at: AT,
});
const CLOSING = { by: 'ana', at: AT, reason: 'contested', outcome: 'LOST' } as const;

/** A completed purchase of this person, whose payment the bank took back. */
async function takenBack(cpf: string, returns = [med('D1')]) {
  const personId = await personIdOf(cpf, books.ports.lookup);
  const purchase = await books.purchaseIn('COMPLETED', { txHash: aHash(), personId });
  books.transferOf(purchase);
  const { endToEndId } = books.show(purchase, returns);
  const told = () => eventsOf(books.ports, purchase);
  return { purchase, personId, endToEndId, told, caseId: `MED_REFUND#${endToEndId}#D1` };
}
const openMeds = (personId: string) => books.ports.personBlocks.listOpenMeds(personId);

/** The challenge of a new partner's client with this CPF. */
async function challengeOf(cpf: string) {
  const { ports } = books;
  const { partner, submit } = partnerOf(ports);
  await reviewIs(ports, { partnerId: partner.id, cpf }, 'APPROVED');
  const { token: kycToken, riskTier } = await submit(aRequest({ cpf }));
  const caller = { partner, keyId: 'key1', ids: reservedIds(newReservation(ports.clock.now(), dice)) };
  const order = { kycToken, amountBrl: 250, asset: 'USDC', walletAddress: WALLET };
  const { authChallenge } = await initiateTransaction(order, caller, ports);
  return { riskTier, type: authChallenge.type };
}

// docs/decisions.md, "MED refunds and fraud"
describe('the partner of a purchase whose payment was taken back', () => {
  test('hears of it once, though the comparison repeats, and once of the closing', async () => {
    const { purchase, endToEndId, told, caseId } = await takenBack(randomCpf());

    for (let run = 0; run < 3; run++) await books.run();
    const closings = Array.from({ length: 3 }, () => books.ports.moneyCases.close(caseId, CLOSING));
    await Promise.all(closings);
    await books.run();

    const { id: transactionId } = purchase;
    const data = { transactionId, status: 'COMPLETED', med: { returnId: 'D1', endToEndId, amountBrl: 250 } };
    expect(await told()).toMatchObject([
      { id: `${transactionId}.1`, type: 'transaction.med_opened', data: { ...data, sequence: 1 } },
      { id: `${transactionId}.2`, type: 'transaction.med_closed', data: { ...data, sequence: 2 } },
    ]);
    for (const { type, data: sent } of await told())
      expect(EVENT_PAYLOADS[type].strict().safeParse(sent)).toMatchObject({ success: true });
  });

  test('hears of each part, also if two runs meet and one part has no amount', async () => {
    const parts = [med('D1', 1), med('D2', 2), { ...med('D3'), amountCentavos: undefined }, med('D4', 4)];
    const { told } = await takenBack(randomCpf(), parts);

    await Promise.allSettled([books.run(), books.run()]);
    await books.run();

    const amounts = (await told()).map(({ data }) => (data.med as { amountBrl?: number }).amountBrl);
    expect(amounts.toSorted()).toEqual([0.01, 0.02, 0.04, undefined]);
  });

  test('hears nothing of a return that is no MED', async () => {
    const { told } = await takenBack(randomCpf(), [{ ...med('D1'), nature: 'ORIGINAL' }]);

    await books.run();

    expect(await told()).toEqual([]);
  });

  test.each(['before', 'after'] as const)(
    'hears once, at whichever call the comparison dies %s its effect',
    async (when) => {
      for (let at = 1; ; at++) {
        const { told, personId, caseId } = await takenBack(randomCpf());
        let calls = 0;
        const dying = tapped(tables, (send) => async (command) => {
          const dies = ++calls === at;
          if (dies && when === 'before') throw new Error('the function died');
          const answer = await send(command);
          if (dies) throw new Error('the function died');
          return answer;
        });
        const { moneyCases, transactions, ledger, unmatchedPayments } = openPorts(dying);
        const ports = { ...books.ports, moneyCases, transactions, ledger, unmatchedPayments };
        await reconcileBooks(ports).catch(() => undefined);
        if (calls < at) break;

        for (let run = 0; run < 3; run++) await books.run();

        expect((await told()).map(({ type }) => type)).toEqual(['transaction.med_opened']);
        expect(await openMeds(personId)).toEqual([caseId]);
        books.ports.pix.received.length = 0;
        tables = memoryTables();
        books = await openBooks(tables);
      }
    },
    60_000,
  );
});

describe('a person with an open MED', () => {
  // Threat: "a client whose payment was taken back buys elsewhere"
  test('answers by liveness at every other partner, at the same tier, until the case is closed', async () => {
    const cpf = randomCpf();
    const { caseId } = await takenBack(cpf);
    expect(await challengeOf(cpf)).toEqual({ riskTier: 'STANDARD', type: 'MFA_TOTP' });
    await books.run();

    expect(await challengeOf(cpf)).toEqual({ riskTier: 'STANDARD', type: 'LIVENESS' });
    expect(await challengeOf(randomCpf())).toEqual({ riskTier: 'STANDARD', type: 'MFA_TOTP' });

    await books.ports.moneyCases.close(caseId, CLOSING);
    expect(await challengeOf(cpf)).toEqual({ riskTier: 'STANDARD', type: 'MFA_TOTP' });
  });

  test('answers by liveness until the last of two cases is closed', async () => {
    const cpf = randomCpf();
    const [one, other] = [await takenBack(cpf), await takenBack(cpf)];
    await books.run();

    await books.ports.moneyCases.close(one.caseId, CLOSING);
    expect(await openMeds(one.personId)).toEqual([other.caseId]);
    expect(await challengeOf(cpf)).toMatchObject({ type: 'LIVENESS' });
    await books.ports.moneyCases.close(other.caseId, CLOSING);
    expect(await challengeOf(cpf)).toMatchObject({ type: 'MFA_TOTP' });

    const store = personBlockStore(tables.client, tables.names.personBlocks, dice);
    expect(await store.listOpenMeds(one.personId)).toEqual([]);
  });
});
