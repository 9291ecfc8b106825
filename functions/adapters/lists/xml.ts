import { SaxesParser } from 'saxes';

export type Element = { name: string; text: string; children: Element[] };

const CHUNK_BYTES = 64 * 1024;
/** The list nests five deep. A file that goes further is not the list. */
const MAX_DEPTH = 16;

/**
 * Hands over each element of that name, whole, as the document streams by; nothing else is kept. Documents
 * with a DOCTYPE are refused, so there are no entities to expand and nothing to fetch.
 */
export function forEachElement(bytes: Uint8Array, name: string, visit: (element: Element) => void): void {
  const parser = new SaxesParser();
  const open: Element[] = [];
  parser.on('doctype', () => {
    throw new Error('the document has a DOCTYPE');
  });
  parser.on('opentag', (tag) => {
    if (open.length === MAX_DEPTH) throw new Error('the document nests too deep');
    open.push({ name: tag.name, text: '', children: [] });
  });
  const append = (text: string) => {
    const element = open.at(-1);
    if (element) element.text += text;
  };
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', () => close(open, name, visit));
  feed(parser, bytes);
}

function close(open: Element[], name: string, visit: (element: Element) => void): void {
  const element = open.pop();
  if (!element) return;
  if (element.name === name) visit(element);
  else if (open.some((outer) => outer.name === name)) open.at(-1)?.children.push(element);
}

function feed(parser: SaxesParser, bytes: Uint8Array): void {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    parser.write(decoder.decode(bytes.subarray(at, at + CHUNK_BYTES), { stream: true }));
  }
  parser.write(decoder.decode()).close();
}

/** The trimmed text of each child of that name; empty ones are left out. */
export function textsOf(element: Element, name: string): string[] {
  return childrenOf(element, name)
    .map((child) => child.text.trim())
    .filter(Boolean);
}

export function childrenOf(element: Element, name: string): Element[] {
  return element.children.filter((child) => child.name === name);
}
