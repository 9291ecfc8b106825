import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { openMedsId } from '../../functions/adapters/dynamodb/person-blocks.ts';
import { usageIdsOf } from '../../functions/adapters/dynamodb/usages.ts';
import { openDelivery } from '../../functions/domain/partners/deliveries.ts';
import { executionKeys } from '../../functions/domain/purchase/execution.ts';
import { advance } from '../../functions/domain/purchase/transitions.ts';
import { clientIdOf } from '../../functions/logic/kyc/client-id.ts';
import { personIdOf } from '../../functions/logic/kyc/person-blocks.ts';
import { actWorld } from './act-world.ts';
import { AT, aClient, aKycRecord, anEvidence, aPartner } from './builders.ts';
import { aPurchaseIn, newEndToEndId, newId, START_AT } from './ports.ts';
import { randomCpf } from './sandbox.ts';

type Row = Record<string, unknown>;

export const DAY = '2099-01-01';
export const IDENTITY = { name: 'MARIA DA SILVA', birthDate: '1990-01-01' };
export const SECRETS = ['TOTPSECRET', 'TASK_TOKEN', 'https://identity.example/link', '0xraw'];

/** A person who is the client of one of two partners, with a completed purchase. */
export async function dataSubject() {
  const world = actWorld();
  const { ports, tables } = world;
  const put = (table: keyof typeof tables.names, Item: Row) =>
    tables.client.send(new PutCommand({ TableName: tables.names[table], Item }));
  const [partnerId, other] = [newId(), newId()].map((id) => `p${id.slice(-12).toLowerCase()}`) as [
    string,
    string,
  ];
  for (const id of [partnerId, other]) await ports.register.create(aPartner({ id, keyIds: [] }));
  const cpf = randomCpf();
  const [clientId, personId] = await Promise.all([
    clientIdOf({ partnerId, cpf }, ports.lookup),
    personIdOf(cpf, ports.lookup),
  ]);
  const seal = (text: string, id = clientId) => ports.vault.encrypt(text, id);
  const ciphers = { cpfCipher: await seal(cpf), totpCipher: await seal('TOTPSECRET') };
  await ports.clients.create(aClient({ id: clientId, partnerId, wallets: ['0xA'], ...ciphers }), START_AT);
  const token = `kyc_${newId()}`;
  const identityCipher = await seal(JSON.stringify(IDENTITY));
  const kyc = aKycRecord({ token, partnerId, clientId, personId, identityCipher, issuedAt: START_AT });
  await ports.kycRecords.create(kyc, anEvidence('kyc', { subject: token, clientId, at: START_AT }));
  const liveness = { url: 'https://identity.example/link', urlExpiresAt: START_AT, attempt: 1 };
  const opened = aPurchaseIn('PROCESSING', { partnerId, clientId, personId, kycToken: token, liveness });
  const claim = { day: DAY, person: personId };
  const wait = { status: 'AWAITING_PIX', token: 'TASK_TOKEN' } as const;
  const metadataCipher = await seal('{"order":"4711"}', opened.id);
  const bought = { ...opened, claim, wait, metadataCipher, externalId: 'order-4711' };
  const purchase = await ports.transactions.create(bought);
  const done = advance(
    purchase,
    'stablecoin settled on-chain',
    { ...AT, now: START_AT },
    { txHash: '0xhash' },
  )!;
  await ports.transactions.save(done);
  const ended = (await ports.transactions.findTransaction(purchase.id))!;
  await ports.events.assign(`${purchase.id}.1`, ['one']);
  const delivery = openDelivery({ id: `${purchase.id}.1`, partnerId, at: START_AT }, 'one');
  await ports.deliveries.save({ ...delivery, status: 'DELIVERED', nextAttemptAt: undefined });
  return { ...world, put, cpf, partnerId, other, clientId, personId, token, purchase, ended };
}
export type DataSubjectWorld = Awaited<ReturnType<typeof dataSubject>>;

/** The end of the rare rows, in epoch seconds. */
export const END = Date.UTC(2110, 0, 1) / 1000;

/** Adds a row of each kind that a purchase does not always have. */
export async function putRareRows({
  put,
  ports,
  purchase,
  clientId,
  personId,
  partnerId,
  ended,
}: DataSubjectWorld) {
  const add = (table: Parameters<typeof put>[0], row: Row) => put(table, { ...row, ttl: END });
  const about = { clientId, partnerId, transactionId: purchase.id };
  await put('settlements', {
    id: `PAY#${purchase.id}`,
    transactionId: purchase.id,
    attempts: [{ raw: '0xraw' }],
  });
  await add('cases', { id: newId(), clientId, status: 'CLEARED', openedAt: START_AT });
  await add('moneyCases', { ...about, id: 'MED_REFUND#1', status: 'CLOSED', openedAt: START_AT });
  await add('unmatchedPayments', { ...about, id: newEndToEndId(), foundAt: START_AT });
  await add('ledger', { ...about, id: newId(), at: START_AT, entries: [] });
  await add('archive', { id: executionKeys(purchase.id, ended).data, versionId: '1' });
  await add('personBlocks', { id: personId, state: 'LIFTED', at: START_AT, by: 'ana' });
  await add('personBlocks', { id: openMedsId(personId), cases: new Set(['MED_REFUND#1']) });
  for (const id of usageIdsOf(clientId, DAY)) await add('usages', { id, centavos: 250_00 });
  await add('transactions', { id: `REFERENCE#${partnerId}#order-4711`, usedBy: purchase.id });
  await add('acts', { id: 'ACT#1', act: 'ACT', place: 1, subject: personId, at: START_AT, kind: 'ORDERED' });
  await put('personBlocks', { id: `HOLD#${personId}`, personId, state: 'FREED', clientIds: [clientId] });
  await ports.callbacks.store({ id: newId(), hints: [{ clientId }], at: START_AT });
}
