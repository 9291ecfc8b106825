import { readFileSync } from 'node:fs';

/** An item of the list in docs/security.md, "What can be lost in an hour". */
export type Threat = { threat: string; bound: string; setting: string };

export function threatsOfPage(): Threat[] {
  const text = readFileSync(new URL('../../docs/security.md', import.meta.url), 'utf8');
  const [, section = ''] = text.split('## What can be lost in an hour\n');
  const [own = ''] = section.split('\n## ');
  const items = own
    .replaceAll(/\n {2}/g, ' ')
    .split('\n')
    .filter((line) => line.startsWith('- '));
  return items.map((item) => {
    const [, threat = '', bound = '', setting = ''] =
      /^- \*\*(.+?):\*\* (.+?)(?: \(((?:`[^`]+`(?:, )?)+|.*balance)\))?\.$/.exec(item) ?? [];
    return { threat, bound, setting };
  });
}
