/** Instants as the pages show them: programs read them in ISO, and people in Brasília's time. */
import { html } from 'hono/html';
import { withBrasiliaOffset } from '../../functions/domain/time.ts';
import { instant } from '../words.ts';

type Html = ReturnType<typeof html>;

/** The header of each page shows this text, so that no single time needs to name its zone. */
export const ZONE_WORDS = 'Times are in Brasília, UTC-3';

export const timeHtml = (at: number): Html =>
  html`<time datetime="${withBrasiliaOffset(at)}">${instant(at)}</time>`;

/** Instants as the operators' commands write them. */
const INSTANTS = /(?<!\d)(\d{4}-[01]\d-[0-3]\d [0-2]\d:[0-5]\d:[0-5]\d)(?!\d)/;

/** A text of a command, in which programs can read each instant. */
export const timedHtml = (text: string): Html =>
  html`${text.split(INSTANTS).map((part, at) => (at % 2 === 1 ? writtenTimeOf(part) : part))}`;

const writtenTimeOf = (text: string): Html =>
  html`<time datetime="${text.replace(' ', 'T')}-03:00">${text}</time>`;
