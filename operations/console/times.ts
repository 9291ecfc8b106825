/** Instants and spans as the pages show them. */
import { html } from 'hono/html';
import { instant } from '../words.ts';

/** Shows an instant: programs read it in UTC, and people in Brasília's time. */
export const timeOf = (at: number) =>
  html`<time datetime="${new Date(at).toISOString()}">${instant(at)}</time>`;
