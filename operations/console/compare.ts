/** Shows the client and the listed person side by side: a row for each attribute, with the equal parts marked. */
import { html } from 'hono/html';
import type { Sheet } from '../shown.ts';
import type { Html } from './layout.ts';
import {
  type Compared,
  type ComparedText,
  compareBirths,
  compareDocuments,
  compareNames,
} from './likeness.ts';

type Row = {
  label: string;
  /**
   * The names of the rows of `reviews show` that have the client's values (`client`) and the listed ones (`listed`).
   */
  client: readonly string[];
  listed: readonly string[];
  compare: (sides: { client: readonly string[]; listed: readonly string[] }) => Compared;
};

const ROWS: readonly Row[] = [
  { label: 'Name', client: ['client', 'company'], listed: ['listed', 'listed as'], compare: compareNames },
  { label: 'Born', client: ['born'], listed: ['listed birth'], compare: compareBirths },
  {
    label: 'Document',
    client: ['CPF', 'CNPJ'],
    listed: ['listed document'],
    compare: compareDocuments,
  },
];

/** The names of the rows of `reviews show` that the comparison has. */
export const COMPARED = ROWS.flatMap(({ client, listed }) => [...client, ...listed]);

/** The texts that say that there is no value. They are shown, and not compared. */
const NONE = [
  'none',
  'not kept',
  'found by a document, not by a name',
  'not told by its registry',
  'nothing kept of whom the lists were searched for',
];

export function comparisonHtml({ sheet }: Sheet): Html {
  const textsOf = (names: readonly string[]) => {
    const rows = sheet.map(([name, text]) => [String(name), String(text)] as const);
    const texts = rows.filter(([name]) => names.includes(name)).map(([name, text]) => labelled(name, text));
    return [...new Set(texts)];
  };
  const rows = ROWS.map((row) =>
    comparedRowHtml(row, { client: textsOf(row.client), listed: textsOf(row.listed) }),
  );
  return html`<section aria-labelledby="both"><h2 id="both">The client and the listed person or company</h2>
<table class="compare" role="table" aria-labelledby="both">
<thead role="rowgroup"><tr role="row"><th role="columnheader" scope="col">Attribute</th>
<th role="columnheader" scope="col">The client</th>
<th role="columnheader" scope="col">Listed</th></tr></thead>
<tbody role="rowgroup">${rows}</tbody></table>
<p class="soft">Equal parts are <mark>marked</mark>. The score below comes from the search of the lists.</p>
</section>`;
}

/** Names a document of the client, because a person or a company may have two. */
const labelled = (name: string, text: string): string =>
  ['CPF', 'CNPJ'].includes(name) && !NONE.includes(text) ? `${name} ${text}` : text;

type Texts = Record<'client' | 'listed', readonly string[]>;

function comparedRowHtml({ label, compare }: Row, texts: Texts): Html {
  const known = (all: readonly string[]) => all.filter((text) => !NONE.includes(text));
  const { words, ...sides } = compare({ client: known(texts.client), listed: known(texts.listed) });
  return html`<tr role="row"><th role="rowheader" scope="row">${label} <small>${words}</small></th>
<td role="cell" data-head="The client">${valuesHtml(sides.client, texts.client)}</td>
<td role="cell" data-head="Listed">${valuesHtml(sides.listed, texts.listed)}</td></tr>
`;
}

/** Shows a list of values. If it is empty, shows `instead`: the text of the command that says so. */
const valuesHtml = (values: readonly ComparedText[][], [instead = '–']: readonly string[]): Html =>
  values.length === 0
    ? html`${instead}`
    : html`<ul>${values.map((parts) => html`<li>${parts.map(comparedPartHtml)}</li>`)}</ul>`;

const comparedPartHtml = ({ text, isEqual }: ComparedText) => (isEqual ? html`<mark>${text}</mark>` : text);
