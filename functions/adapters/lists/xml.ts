import { SaxesParser } from 'saxes';
import { ListDamaged, type ListFile, MAX_FIELD, utf8Of } from './list-file.ts';

export type Element = { name: string; text: string; children: Element[] };

/**
 * Limits of the document. In the real list, elements are nested five deep, the root has five attributes, and
 * a person has some hundred elements. A document beyond the limits is not the list.
 */
const MAX_DEPTH = 16;
const MAX_ATTRIBUTES = 64;
const MAX_ELEMENTS = 10_000;
/**
 * The most characters that the parser may read before it reports the next event, such as the end of a tag. It
 * keeps an unfinished text in memory, so a text without an end would fill the memory.
 */
const MAX_UNREAD = 4 * MAX_FIELD;

/**
 * The counters for the limits: characters and attributes since the parser's last event, and elements of the
 * current list entry.
 */
type Reading = { file: string; unread: number; attributes: number; elements: number };

/**
 * Calls `visit` with each whole element that has one of these names, and keeps no other elements in memory.
 * Throws `ListDamaged` if the document is not well-formed or exceeds the limits. It also refuses a DOCTYPE,
 * so that no XML entity is expanded and nothing is downloaded.
 */
export function forEachElement(
  file: ListFile,
  names: readonly string[],
  visit: (element: Element) => void,
): void {
  const parser = new SaxesParser();
  const reading: Reading = { file: file.name, unread: 0, attributes: 0, elements: 0 };
  const open: Element[] = [];
  const isInside = () => open.some(({ name }) => names.includes(name));
  const append = (text: string) => {
    const element = open.at(-1);
    measure(reading, text.length);
    if (!element || !isInside()) return;
    element.text += text;
    measure(reading, element.text.length);
  };
  limit(parser, reading);
  parser.on('opentag', (tag) => {
    if (open.length === MAX_DEPTH) throw new ListDamaged(file.name, 'the document nests too deep');
    measure(reading, tag.name.length);
    open.push({ name: tag.name, text: '', children: [] });
    if (isInside()) reading.elements++;
    if (reading.elements > MAX_ELEMENTS)
      throw new ListDamaged(file.name, `${names.join(' or ')} holds too much`);
  });
  parser.on('text', append);
  parser.on('cdata', append);
  parser.on('closetag', () => {
    const element = open.pop();
    measure(reading, 0);
    if (!isInside()) reading.elements = 0;
    if (element && names.includes(element.name)) visit(element);
    else if (element && isInside()) open.at(-1)?.children.push(element);
  });
  feed(parser, file, reading);
}

function measure(reading: Reading, length: number): void {
  reading.unread = 0;
  reading.attributes = 0;
  if (length > MAX_FIELD) throw new ListDamaged(reading.file, 'a text is too long');
}

/**
 * Refuses a malformed document, a DOCTYPE and too many attributes. Also refuses a comment, an instruction or
 * an attribute that is too long, because the parser keeps each of them in memory until its end.
 */
function limit(parser: SaxesParser, reading: Reading): void {
  parser.on('error', (error) => {
    throw new ListDamaged(reading.file, error.message);
  });
  parser.on('doctype', () => {
    throw new ListDamaged(reading.file, 'the document has a DOCTYPE');
  });
  parser.on('comment', (text) => measure(reading, text.length));
  parser.on('processinginstruction', ({ body }) => measure(reading, body.length));
  parser.on('attribute', ({ value }) => {
    const attributes = reading.attributes + 1;
    measure(reading, value.length);
    reading.attributes = attributes;
    if (attributes > MAX_ATTRIBUTES)
      throw new ListDamaged(reading.file, 'an element has too many attributes');
  });
}

function feed(parser: SaxesParser, file: ListFile, reading: Reading): void {
  for (const text of utf8Of(file)) {
    parser.write(text);
    reading.unread += text.length;
    if (reading.unread > MAX_UNREAD) throw new ListDamaged(file.name, 'a text is too long');
  }
  parser.close();
}

export function textsOf(element: Element, name: string): string[] {
  return childrenOf(element, name)
    .map((child) => child.text.trim())
    .filter(Boolean);
}

export function childrenOf(element: Element, name: string): Element[] {
  return element.children.filter((child) => child.name === name);
}
