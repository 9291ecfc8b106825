import { isoInstant } from '../functions/domain/time.ts';
import { type Command, cpfAsked, type Disclosure, type Given, requireText, requireWords } from './command.ts';
import { readDataSubject } from './data-subject.ts';
import type { Desk } from './desk.ts';
import { requireNew, writeNew } from './new-file.ts';
import { textOfShown } from './shown.ts';
import { subjectReport } from './subject-report.ts';
import { hasRows, openedRows, readSubjectRows } from './subject-rows.ts';
import { refuseOrder } from './words.ts';

export const subjectCommands: Command[] = [
  {
    name: 'subject export',
    takes: '[--cpf <cpf>] [--out <file>]',
    about: 'all that is known of a CPF at all partners, in words or with --json; asks for the CPF',
    options: ['cpf', 'out'],
    needsReason: true,
    run: exportSubject,
  },
];

async function exportSubject(given: Given, desk: Desk): Promise<Disclosure> {
  requireWords(given);
  const out = given.flags.out === undefined ? undefined : requireText(given, 'out');
  if (out !== undefined) requireNew(out);
  const subject = await readDataSubject(await cpfAsked(given, 'CPF: '), desk);
  const { personId } = subject;
  const found = await readSubjectRows(subject, desk);
  if (!hasRows(found)) refuseOrder('Nothing is known of this CPF.');
  return {
    subject: personId,
    facts: { personId },
    async perform({ by, at, reason }) {
      const header = { exportedAt: isoInstant(at), by, reason, stage: desk.stage, personId };
      const report = subjectReport(header, await openedRows(found, desk));
      return out === undefined ? report : [writeNew(out, textOfShown(report, given.flags.json === true))];
    },
  };
}
