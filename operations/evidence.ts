import { isoInstant } from '../functions/domain/time.ts';
import { clientIdOf } from '../functions/logic/kyc/client-id.ts';
import {
  type Command,
  cpfAsked,
  type Given,
  type Order,
  type Plan,
  requireText,
  requireWords,
} from './command.ts';
import { type Desk, requirePartner } from './desk.ts';
import { type Collected, collect, type DossierScope, PARTS } from './dossier.ts';
import { bundleOf, type EvidenceBundle, FORMAT, withIdentity } from './evidence-bundle.ts';
import { requireNew, writeNew } from './new-file.ts';
import { wholeId } from './purchase-search.ts';
import { misused, refuseOrder } from './words.ts';

export const evidenceCommands: Command[] = [
  {
    name: 'evidence export',
    takes: '(--transaction <id> [--partner <p>] | --partner <p> [--cpf <cpf>]) [--personal] [--out <file>]',
    about: 'all records of a purchase or a client, as JSON; with --personal also the client’s identity',
    options: ['transaction', 'partner', 'cpf', 'personal', 'out'],
    needsReason: true,
    run: exportEvidence,
  },
];

/**
 * Exports the evidence about a client or a purchase. Like a change, the export is shown, confirmed and recorded,
 * because reading a client's data must leave a trace.
 */
async function exportEvidence(given: Given, desk: Desk): Promise<Plan> {
  requireWords(given);
  const isPersonal = given.flags.personal === true;
  const out = given.flags.out === undefined ? undefined : requireText(given, 'out');
  if (out !== undefined) requireNew(out);
  const { scope, subject } = await scopeOf(given, desk);
  const collected = await collect(scope, desk);
  if (collected.transactions.length + collected.kycRecords.length === 0)
    refuseOrder('There are no records of this client.');
  return {
    subject,
    clientId: scope.clientId,
    will: [
      `export ${collectedCounts(collected)}`,
      ...(isPersonal ? ['with CPF, name and birth date in clear'] : []),
    ],
    facts: { ...scope, personal: isPersonal },
    before: {},
    after: {},
    async perform(order) {
      const bundle = await build(order, { scope, collected, isPersonal }, desk);
      const lines = writeBundle(`${JSON.stringify(bundle, null, 2)}\n`, out);
      return out === undefined ? { lines, json: bundle } : lines;
    },
  };
}

const collectedCounts = (collected: Collected) =>
  PARTS.filter((part) => collected[part].length > 0)
    .map((part) => `${collected[part].length} ${part}`)
    .join(', ');

async function scopeOf(given: Given, desk: Desk): Promise<{ scope: DossierScope; subject: string }> {
  const { transaction, partner, cpf } = given.flags;
  if (transaction !== undefined) {
    if (cpf !== undefined) misused('Name either --transaction or --cpf.');
    return transactionEvidence(await wholeId(requireText(given, 'transaction'), desk), partner, desk);
  }
  const { id: partnerId } = await requirePartner(desk, requireText(given, 'partner'));
  const digits = await cpfAsked(given, 'CPF of the client: ');
  const clientId = await clientIdOf({ partnerId, cpf: digits }, desk.lookup);
  return { scope: { clientId }, subject: partnerId };
}

async function transactionEvidence(transactionId: string, partner: unknown, { dossier }: Desk) {
  const [transaction] = await dossier.listRows('transactions', [transactionId]);
  if (!transaction || (partner !== undefined && transaction.partnerId !== partner))
    refuseOrder(`There is no transaction ${transactionId}.`);
  return { scope: { transactionId, clientId: String(transaction.clientId) }, subject: transactionId };
}

type ExportRequest = { scope: DossierScope; collected: Collected; isPersonal: boolean };

export async function build(
  { by, at, reason }: Order,
  { scope, collected, isPersonal }: ExportRequest,
  desk: Desk,
): Promise<EvidenceBundle> {
  const rows = isPersonal ? await withIdentity(collected, desk.vault) : collected;
  return bundleOf(rows, {
    format: FORMAT,
    exportedAt: isoInstant(at),
    by,
    reason,
    stage: desk.stage,
    subject: scope,
    personal: isPersonal,
    missing: collected.missing,
  });
}

export function writeBundle(text: string, out: string | undefined): string[] {
  return [out === undefined ? text.trimEnd() : writeNew(out, text)];
}
