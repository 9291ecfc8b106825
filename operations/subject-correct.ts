import type { Client } from '../functions/domain/kyc/client.ts';
import { CORRECTABLE, type CorrectableField } from '../functions/domain/kyc/correction.ts';
import type { KycRecord } from '../functions/domain/kyc/kyc.ts';
import {
  type Command,
  cpfAsked,
  type Given,
  type Order,
  type Plan,
  requireText,
  requireWords,
} from './command.ts';
import { readDataSubject } from './data-subject.ts';
import type { Desk } from './desk.ts';
import { instant, misused, refuseOrder } from './words.ts';

export const correctCommand: Command = {
  name: 'subject correct',
  takes: '--field <field> [--cpf <cpf>]',
  about: 'for data that are wrong at their source: ends the KYC tokens that rest on them; asks for the CPF',
  options: ['field', 'cpf'],
  needsReason: true,
  run: correct,
};

async function correct(given: Given, desk: Desk): Promise<Plan> {
  requireWords(given);
  const field = fieldIn(given);
  const { personId, clientIds } = await readDataSubject(await cpfAsked(given, 'CPF: '), desk);
  const clients = (await desk.dossier.listRows('clients', clientIds)) as Pick<Client, 'id' | 'corrections'>[];
  if (clients.length === 0) refuseOrder('Nothing is known of this CPF.');
  const known = clients.map(({ id }) => id);
  const wrong = clients.flatMap(({ corrections = [] }) => corrections.map((each) => each.field));
  return {
    subject: personId,
    will: [
      `note that the field ${field} of the person ${personId} is wrong`,
      `end the KYC tokens of the person at all partners (${known.length}); open purchases go on`,
    ],
    facts: { personId, clientIds: known, field },
    before: { wrong: unique(wrong) },
    after: { wrong: unique([...wrong, field]) },
    async perform(order) {
      for (const id of known) await noteFor(id, { field, order }, desk);
      return [
        `The KYC tokens of the person ${personId} ended, ${instant(order.at)}.`,
        `Now ${CORRECTABLE[field]} must correct it. The next submission asks all sources again. ` +
          'Model 2 needs a new token of the vendor.',
      ];
    },
  };
}

const FIELDS = Object.keys(CORRECTABLE) as CorrectableField[];

function fieldIn(given: Given): CorrectableField {
  const text = requireText(given, 'field');
  return FIELDS.find((each) => each === text) ?? misused(`--field is one of ${FIELDS.join(', ')}.`);
}

const unique = <Value>(values: readonly Value[]): Value[] => [...new Set(values)];

/**
 * Notes a correction. Its instant is after each stored KYC record of the client, even if the operator's clock is
 * behind, so that it ends all of them.
 */
async function noteFor(
  clientId: string,
  { field, order: { by, at, reason } }: { field: CorrectableField; order: Order },
  { dossier, corrections }: Desk,
): Promise<void> {
  const records = (await dossier.listBy('kycRecords', 'ofClient', clientId)) as Pick<KycRecord, 'issuedAt'>[];
  const instants = records.map(({ issuedAt }) => issuedAt + 1);
  const isNoted = await corrections.note(clientId, { field, at: Math.max(at, ...instants), by, reason });
  if (!isNoted) refuseOrder('Another correction was first: call it again.');
}
