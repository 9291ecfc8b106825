/** Makes the index at the top of docs/decisions.md from its records. The first sentence of a decision tells it. */
import { anchorOf, wrapped } from './markdown.ts';

/** A record of docs/decisions.md. `short` is the first sentence of its decision. */
export type DecisionRecord = { subject: string; title: string; short: string; text: string };

/** The records in the order of the document. */
export function decisionRecords(document: string): DecisionRecord[] {
  return document.split(/^## /m).slice(1).flatMap(recordsOfSection);
}

function recordsOfSection(section: string): DecisionRecord[] {
  const [head = '', ...records] = section.split(/^### /m);
  return records.map((record) => {
    const [title = ''] = record.split('\n', 1);
    return { subject: head.trim(), title, short: shortOf(record), text: `### ${record.trim()}` };
  });
}

/** A sentence ends with a full stop before a space and a capital letter or code, or with the decision. */
function shortOf(record: string): string {
  const [, decision = ''] = /^- \*\*Decision:\*\* (.*(?:\n {2}.*)*)/m.exec(record) ?? [];
  const [sentence = ''] = /^.*?\.(?= [A-Z`]|$)/.exec(decision.replaceAll('\n  ', ' ')) ?? [];
  return sentence;
}

export function decisionsIndex(document: string): string[] {
  const subjects = Map.groupBy(decisionRecords(document), ({ subject }) => subject);
  return [...subjects].flatMap(([subject, records], index) => [
    ...(index > 0 ? [''] : []),
    `**${subject}**`,
    '',
    ...records.flatMap(({ title, short }) => wrapped(`- [${title}](#${anchorOf(title)}): ${short}`)),
  ]);
}
