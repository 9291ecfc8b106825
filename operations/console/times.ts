/** Instants and spans as the pages show them. */
import { html } from 'hono/html';
import { instant } from '../words.ts';

/** Programs read the instant in UTC, people in Brasília's time. */
export const timeOf = (at: number) =>
  html`<time datetime="${new Date(at).toISOString()}">${instant(at)}</time>`;
