import { getAt } from '../../functions/domain/get.ts';

/** Matches a line that ends a paragraph: the first line of a block of another kind, or an empty line. */
const BEGINS_BLOCK = /^(#{1,4} |```|\||[-*] |\d+\. |<!--|$)/;
export const ITEM = /^(?:[-*]|\d+\.) /;

/** A part of a page with its lines. */
export type Block = {
  kind: 'heading' | 'code' | 'table' | 'list' | 'paragraph' | 'nothing';
  lines: string[];
};

export function blocksOf(markdown: string): Block[] {
  const lines = markdown.split('\n');
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const block = blockAt(lines, at);
    at += block.lines.length;
    if (block.kind !== 'nothing') blocks.push(block);
  }
  return blocks;
}

function blockAt(lines: readonly string[], at: number): Block {
  const line = getAt(lines, at);
  const until = (isEnd: (line: string) => boolean, extra = 0) => {
    const end = lines.findIndex((each, index) => index > at && isEnd(each));
    return lines.slice(at, end < 0 ? lines.length : end + extra);
  };
  if (line.startsWith('```')) return { kind: 'code', lines: until((each) => each === '```', 1) };
  if (line.startsWith('|')) return { kind: 'table', lines: until((each) => !each.startsWith('|')) };
  if (line.startsWith('#')) return { kind: 'heading', lines: [line] };
  if (ITEM.test(line))
    return { kind: 'list', lines: until((each) => !/^ {2}/.test(each) && !ITEM.test(each)) };
  if (BEGINS_BLOCK.test(line)) return { kind: 'nothing', lines: [line] };
  return { kind: 'paragraph', lines: until((each) => BEGINS_BLOCK.test(each)) };
}
