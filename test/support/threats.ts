import { readFileSync } from 'node:fs';

/** A row of the table in docs/security.md, "What can be lost in an hour". */
export type ThreatRow = { threat: string; bound: string; setting: string };

export function threatRows(): ThreatRow[] {
  const text = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('## What can be lost in an hour\n');
  const lines = section.split('\n## ')[0]!.split('\n');
  const [, , ...rows] = lines.filter((line) => line.startsWith('|'));
  return rows.map((row) => {
    const [, threat = '', bound = '', setting = ''] = row.split('|').map((cell) => cell.trim());
    return { threat, bound, setting };
  });
}
