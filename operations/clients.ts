import { isLiftedSo, type MoneyCase } from '../functions/domain/books/money-case.ts';
import { MONEY_CASE_KINDS } from '../functions/domain/books/money-case-kinds.ts';
import { getDefined } from '../functions/domain/get.ts';
import { clientIdOf } from '../functions/logic/kyc/client-id.ts';
import { type Command, cpfIn, type Given, type Plan, requireText, requireWords } from './command.ts';
import { type Desk, requirePartner } from './desk.ts';
import { amountOf, closedWords, liftedWords } from './money-case-lines.ts';
import { requireMoneyCase } from './money-case-search.ts';
import type { Cell, Table } from './shown.ts';
import { misused, refuseOrder } from './words.ts';

export const clientCommands: Command[] = [
  {
    name: 'clients blocked',
    takes: '[--partner <partner> [--cpf <cpf>]] [--lifted]',
    about: 'blocked clients and the case of each; with --lifted, the lifted blocks and who lifted them',
    options: ['partner', 'cpf', 'lifted'],
    run: listClientBlocks,
  },
  {
    name: 'clients unblock',
    takes: '<case>',
    about: 'lets the client buy again, unless another case blocks it; closing a case does not do that',
    needsReason: true,
    run: unblockClient,
  },
];

async function listClientBlocks(given: Given, desk: Desk): Promise<Table> {
  requireWords(given);
  const isWanted = await blockFilter(given, desk);
  const found = await desk.moneyCases.listBlocks(given.flags.lifted ? 'LIFTED' : 'ACTIVE');
  const rows = found.filter(isWanted).map(clientBlockCells);
  return { head: HEAD, rows, empty: 'No client has such a block.' };
}

const HEAD = ['case', 'opened', 'amount', 'partner', 'client', 'purchase', 'block'];

async function blockFilter(given: Given, desk: Desk): Promise<(found: MoneyCase) => boolean> {
  const { partner, cpf } = given.flags;
  if (partner === undefined && cpf !== undefined) misused('--cpf goes with --partner.');
  if (partner === undefined) return () => true;
  const { id: partnerId } = await requirePartner(desk, requireText(given, 'partner'));
  if (cpf === undefined) return (found) => found.partnerId === partnerId;
  const clientId = await clientIdOf({ partnerId, cpf: cpfIn(given) }, desk.lookup);
  return (found) => found.clientId === clientId;
}

function clientBlockCells(found: MoneyCase): Cell[] {
  const { id, openedAt, partnerId, clientId, transactionId, closed, unblocked } = found;
  const words = [
    ...(unblocked ? [liftedWords(unblocked)] : []),
    closed ? `case ${closedWords(closed)}` : 'case OPEN',
  ];
  return [id, new Date(openedAt), amountOf(found), partnerId, clientId, transactionId, words.join(', ')];
}

async function unblockClient(given: Given, desk: Desk): Promise<Plan> {
  const found = await requireMoneyCase(given, desk);
  const { id, kind, clientId, partnerId, transactionId, closed } = found;
  const isDone = given.resumed && isLiftedSo(found, given.resumed);
  if (found.unblocked && !isDone) refuseOrder(`${id}: ${liftedWords(found.unblocked)}.`);
  if ((found.block !== 'ACTIVE' && !isDone) || !clientId) refuseOrder(`The case ${id} blocks nobody.`);
  return {
    subject: id,
    clientId,
    will: [
      `lift the block of the client ${clientId.slice(0, 12)}… of ${partnerId}`,
      `for ${id} (${MONEY_CASE_KINDS[kind].means})`,
      closed ? `whose case is ${closedWords(closed)}` : 'whose case is still OPEN',
      effectOf(await othersOf({ id, clientId }, desk)),
    ],
    facts: { case: id, partnerId, transactionId },
    before: { block: 'ACTIVE', case: closed ? closed.outcome : 'OPEN' },
    after: { block: 'LIFTED' },
    isDone,
    async perform(lifting) {
      const now = await desk.moneyCases.lift(id, lifting);
      if (!isLiftedSo(now, lifting))
        refuseOrder(`${id}: ${liftedWords(getDefined(now.unblocked, 'lifting'))}.`);
      return [`The block of ${id} is lifted: ${effectOf(await othersOf({ id, clientId }, desk))}.`];
    },
  };
}

type Blocking = { id: string; clientId: string };

/** The ids of the other cases that block the client, too. While there is one, the client stays blocked. */
async function othersOf({ id, clientId }: Blocking, { clients }: Desk): Promise<string[]> {
  const { blockedFor = [] } = (await clients.findClient(clientId)) ?? {};
  return blockedFor.filter((each) => each !== id);
}

function effectOf(others: string[]): string {
  return others.length === 0 ? 'the client buys again' : `the client stays blocked for ${others.join(', ')}`;
}
