/** Makes the index at the top of docs/decisions.md from its records. */
import { anchorOf, wrapped } from './markdown.ts';

/** A record of docs/decisions.md. */
export type DecisionRecord = { subject: string; title: string; text: string };

/** The records in the order of the document. */
export function decisionRecords(document: string): DecisionRecord[] {
  return document.split(/^## /m).slice(1).flatMap(recordsOfSection);
}

function recordsOfSection(section: string): DecisionRecord[] {
  const [head = '', ...records] = section.split(/^### /m);
  return records.map((record) => {
    const [title = ''] = record.split('\n', 1);
    return { subject: head.trim(), title, text: `### ${record.trim()}` };
  });
}

export function decisionsIndex(document: string): string[] {
  const subjects = Map.groupBy(decisionRecords(document), ({ subject }) => subject);
  return [...subjects].flatMap(([subject, records]) => {
    const links = records.map(({ title }) => `[${title}](#${anchorOf(title)}).`);
    return wrapped(`- **${subject}.** ${links.join(' ')}`);
  });
}
