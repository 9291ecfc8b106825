/** The pages to which a client's link leads. They name the partner and the purchase, and nothing about the person. */
import { html, raw } from 'hono/html';
import { brlIn, shortAddress, timeIn, type Words } from '../../domain/wording.ts';
import type { Linked } from './liveness-link.ts';
import { LIVENESS_STYLE } from './liveness-page-style.ts';

export { LIVENESS_STYLE };

type Html = ReturnType<typeof html>;
type ShownLink = { transaction: Linked; merchant: string; stage: string; now: number };

/**
 * The page before the provider's own page. Here the client checks the amount and the wallet of the
 * purchase, and then continues.
 */
export function livenessPage({ transaction, merchant, stage, now }: ShownLink): string {
  const { amountCentavos, asset, walletAddress, liveness } = transaction;
  const name = html`<strong><bdi>${merchant}</bdi></strong>`;
  const shows = liveness.withDocuments ? DOCUMENT_AND_FACE : FACE;
  const content = html`<h1>Confira a compra</h1>
${under('Check your purchase')}
<p>${name} pede que você mostre ${shows.pt} para confirmar esta compra.
${en(html`${name} asks you to show ${shows.en} to confirm this purchase.`)}</p>
<dl>
${row({ pt: 'Valor', en: 'Amount' }, brlIn('pt', amountCentavos))}
${row({ pt: 'Você recebe', en: 'You receive' }, asset)}
${row({ pt: 'Na carteira', en: 'In the wallet' }, shortAddress(walletAddress), walletAddress)}
</dl>
<p class="warning">Se o valor ou a carteira não forem os seus, não continue: feche esta página.
${en('If the amount or the wallet is not yours, do not go on: close this page.')}</p>
<a class="button" href="${liveness.url}" rel="noreferrer">Continuar ${en('Continue')}</a>
${goingOn(liveness)}`;
  const secondsLeft = Math.ceil((liveness.urlExpiresAt - now) / 1000);
  return layout({ title: 'Confira a compra', content, isSandbox: stage === 'sandbox', secondsLeft });
}

const FACE: Words = { pt: 'seu rosto', en: 'your face' };
const DOCUMENT_AND_FACE: Words = {
  pt: 'um documento com foto e seu rosto',
  en: 'a document with a photo and your face',
};

function goingOn({ url, urlExpiresAt }: Linked['liveness']): Html {
  const { host } = new URL(url);
  return html`<p class="small">A verificação é feita em <bdi>${host}</bdi>. Este link vale até
${timeIn('pt', urlExpiresAt)} (horário de São Paulo).
${en(html`The check takes place at <bdi>${host}</bdi>. This link is valid until
${timeIn('en', urlExpiresAt)} (São Paulo time).`)}</p>`;
}

const DEAD = {
  unknown: { pt: 'Este link não vale', en: 'This link is not valid' },
  over: { pt: 'Este link não vale mais', en: 'This link is no longer valid' },
} as const satisfies Record<string, Words>;

/**
 * The page for a link that is wrong or has ended. It reveals nothing about any purchase. A failed check ends its link,
 * so an unknown link gets the advice for that too.
 */
export function deadPage(why: keyof typeof DEAD): string {
  const failed = {
    pt: 'Se a verificação não deu certo, este link acabou e há um link novo. ',
    en: 'If the check failed, this link has ended and there is a new one. ',
  };
  const back = {
    pt: 'Volte ao site onde você começou a compra para ver a situação ou pedir um link novo.',
    en: 'Go back to the site where you began the purchase to see its status, or for a new link.',
  };
  if (why === 'over') return livenessMessage(DEAD.over, back);
  return livenessMessage(DEAD.unknown, { pt: failed.pt + back.pt, en: failed.en + back.en });
}

export function failedPage(): string {
  const title = { pt: 'Não foi possível abrir a página', en: 'The page could not be opened' };
  return livenessMessage(title, {
    pt: 'Atualize a página daqui a alguns segundos.',
    en: 'Reload the page in some seconds.',
  });
}

const livenessMessage = (title: Words, next: Words) =>
  layout({
    title: title.pt,
    content: html`<h1>${title.pt}</h1>
${under(title.en)}
<p>${next.pt} ${en(next.en)}</p>`,
  });

const under = (title: string) => html`<p lang="en">${title}</p>`;

const en = (text: string | Html) => html`<span lang="en">${text}</span>`;

const row = (name: Words, ...values: string[]) =>
  html`<div><dt>${name.pt} ${en(`· ${name.en}`)}</dt>${values.map((value) => html`<dd>${value}</dd>`)}</div>`;

const BANNER = html`<p class="banner"><strong>Sandbox</strong> · ambiente de testes, nada aqui é real
${en('Test environment: nothing here is real')}</p>`;

type Layout = { title: string; content: Html; isSandbox?: boolean; secondsLeft?: number };

/** Lays out a page. Without a script the page cannot count down, so the browser reloads it when the link ends. */
function layout({ title, content, isSandbox, secondsLeft }: Layout): string {
  const page = html`<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${secondsLeft === undefined ? '' : html`<meta http-equiv="refresh" content="${secondsLeft}">`}
<title>${title}</title>
<style>${raw(LIVENESS_STYLE)}</style>
</head>
<body>
${isSandbox ? BANNER : ''}
<main><div class="card">${content}</div></main>
</body>
</html>
`;
  return String(page);
}
