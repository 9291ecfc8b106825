/** The page of an archived execution, for people who are no engineers. It has no script and loads nothing. */
import { html, raw } from 'hono/html';
import type { ExecutionRecord } from '../../domain/purchase/execution.ts';
import { type Stay, wayOf } from '../../domain/purchase/execution-way.ts';
import { END_WORDS, STEP_WORDS } from '../../domain/purchase/execution-words.ts';
import { happeningsOf } from '../../domain/purchase/story-happenings.ts';
import type { Transaction } from '../../domain/purchase/transaction.ts';
import { isoInstant, withBrasiliaOffset } from '../../domain/time.ts';
import { brlIn } from '../../domain/wording.ts';

type Html = ReturnType<typeof html>;

const STYLE = `:root{color-scheme:light dark}
body{font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif;margin:0 auto;max-width:46rem;
padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25}
h2{font-size:1.125rem;margin-top:2rem}
dt,.soft,time{color:GrayText}
dt{font-size:.875rem}
dd{margin:0 0 .5rem}
li{margin:0 0 1rem}
time{display:block;font-size:.875rem;font-variant-numeric:tabular-nums}`;

const POLICY = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'";

export function executionPage(record: ExecutionRecord, transaction: Transaction): string {
  const title = `Purchase ${transaction.id}`;
  return String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${raw(POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>${raw(STYLE)}</style>
</head>
<body>
<h1>${title}</h1>
${factsHtml(record, transaction)}
<h2>What happened</h2>
${happeningsList(transaction)}
<h2>What the service did, step by step</h2>
<p class="soft">All times are those of São Paulo.</p>
${stepsHtml(record)}
<p>${END_WORDS[record.status ?? 'UNKNOWN'] ?? END_WORDS.UNKNOWN}</p>
<p class="soft">The file beside this page, <bdi>${record.name}.json</bdi>, has every technical detail.</p>
</body>
</html>
`);
}

function factsHtml(
  { name }: ExecutionRecord,
  { amountCentavos, asset, partnerId, status }: Transaction,
): Html {
  const rows = [
    ['Amount', `${brlIn('en', amountCentavos)} in ${asset}`],
    ['Sold through the partner', partnerId],
    ['Outcome', status],
    ['Automatic process', name],
  ];
  return html`<dl>${rows.map(([term, text]) => html`<dt>${term}</dt><dd><bdi>${text}</bdi></dd>\n`)}</dl>`;
}

const momentHtml = (at: number) => html`<time datetime="${isoInstant(at)}">${shownTime(at)}</time>`;

/** Shows the time to the second, because the steps of an execution follow each other quickly. */
function shownTime(at: number): string {
  const [day = '', time = ''] = withBrasiliaOffset(at).slice(0, 19).split('T');
  return `${day.split('-').reverse().join('/')} ${time}`;
}

function happeningsList(transaction: Transaction): Html {
  const happened = happeningsOf({ transaction, unmatched: [] });
  return html`<ol>${happened.map(({ at, words }) => html`<li>${momentHtml(at)}${words.en}</li>\n`)}</ol>`;
}

function stepsHtml(record: ExecutionRecord): Html {
  const stays = wayOf(record).stays.filter(({ state }) => STEP_WORDS[state]);
  if (stays.length === 0) return html`<p>No step is on record.</p>`;
  return html`<ol>${stays.map(stepHtml)}</ol>`;
}

function stepHtml(stay: Stay): Html {
  const { title, about } = STEP_WORDS[stay.state] ?? { title: stay.state, about: '' };
  return html`<li>${momentHtml(stay.enteredAt)}<strong>${title}</strong><br>${about}<br>
<span class="soft">${spentWords(stay)} ${troubleWords(stay)}</span></li>
`;
}

function spentWords({ enteredAt, leftAt }: Stay): string {
  if (leftAt === undefined) return 'It was not finished.';
  const seconds = Math.round((leftAt - enteredAt) / 1000);
  if (seconds < 1) return 'It took less than a second.';
  if (seconds < 120) return `It took ${seconds} ${seconds === 1 ? 'second' : 'seconds'}.`;
  return `It took ${Math.round(seconds / 60)} minutes.`;
}

function troubleWords({ errors }: Stay): string {
  const all = [...errors].map(([name, times]) => (times === 1 ? name : `${name}, ${times} times`));
  return all.length === 0 ? '' : `It did not work at once, and was repeated or ended (${all.join('; ')}).`;
}
