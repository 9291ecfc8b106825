import { html, raw } from 'hono/html';
import { SCRIPT, STYLE } from './page-style.ts';

/**
 * The data that the page shows: the company that requests the check, a reference, and the time that is left.
 * The page contains no data of the person.
 */
export type Shown = {
  token: string;
  merchant: string;
  /** The last characters of the liveness check's id. Absent if the check belongs to no purchase. */
  reference?: string;
  secondsLeft: number;
};

type Html = ReturnType<typeof html>;
type Step = 'consent' | 'check' | 'result';

const en = (text: string) => html`<span lang="en">${text}</span>`;
const subtitle = (text: string) => html`<p lang="en">${text}</p>`;

/** The first page asks for consent. It is shown again, with a message, if the person did not tick the box. */
export function consentPage(shown: Shown, { isRefused = false } = {}): Html {
  const { token, merchant, reference } = shown;
  const [what, whatEn] = checked(shown);
  return layout(`${what} – ${merchant}`, {
    step: 'consent',
    secondsLeft: shown.secondsLeft,
    content: html`<h1>${what}</h1>
      ${subtitle(whatEn)}
      <p>
        <strong>${merchant}</strong> pede que você confirme quem é.
        ${en(`${merchant} asks you to confirm who you are.`)}
      </p>
      <dl>
        ${reference ? row('Referência', 'Reference', reference) : ''}
        ${row('Tempo restante', 'Time left', timer(shown))}
      </dl>
      ${isRefused ? refusal() : ''}
      <form method="post" action="${token}/consent">
        <label class="agree">
          <input type="checkbox" name="consent" value="yes" required ${isRefused ? REFUSED : ''} />
          <span>
            Concordo em ter meu rosto verificado. Aqui a verificação é simulada: nenhuma imagem é
            enviada ou guardada.
            ${en('I agree to a check of my face. It is simulated here: no image is sent or kept.')}
          </span>
        </label>
        <button>Continuar ${en('Continue')}</button>
      </form>`,
  });
}

/** The second page simulates the face check. Its buttons choose the result. */
export function checkPage(shown: Shown): Html {
  return layout(`Verificação do rosto – ${shown.merchant}`, {
    step: 'check',
    secondsLeft: shown.secondsLeft,
    content: html`<h1>Centralize o rosto</h1>
      ${subtitle('Centre your face in the frame')}
      <div class="oval" aria-hidden="true">
        <div class="view">${FACE}</div>
        ${RING}
      </div>
      <p class="hint" role="status" data-said>A câmera não é necessária.</p>
      <button type="button" class="plain" data-camera hidden>
        Usar a câmera (opcional) ${en('Use the camera (optional)')}
      </button>
      <form method="post" action="${shown.token}/answer">
        <fieldset>
          <legend>Só no sandbox ${en('· sandbox only')}</legend>
          <button name="answer" value="GREEN">Aprovar a verificação ${en('Pass the check')}</button>
          <button name="answer" value="RED" class="fail">
            Reprovar a verificação ${en('Fail the check')}
          </button>
        </fieldset>
      </form>
      <p class="left">Tempo restante ${en('/ time left')}: <strong>${timer(shown)}</strong></p>`,
  });
}

type Result = { hasPassed: boolean; merchant: string; back?: string };

/** The third page shows the result. Its link leads back to the company's page. */
export function resultPage({ hasPassed, merchant, back }: Result): Html {
  const [title, titleEn] = hasPassed
    ? ['Verificação aprovada', 'Check passed']
    : ['Verificação reprovada', 'Check failed'];
  const [next, nextEn] = hasPassed
    ? [`Você já pode voltar a ${merchant}.`, `You can go back to ${merchant} now.`]
    : [
        `Volte a ${merchant}: talvez seja possível tentar de novo por um link novo.`,
        `Go back to ${merchant}: a new link may let you try again.`,
      ];
  return layout(`${title} – ${merchant}`, {
    step: 'result',
    content: html`<div class="result">
      <div class="mark ${hasPassed ? '' : 'bad'}">${hasPassed ? TICK : CROSS}</div>
      <h1>${title}</h1>
      ${subtitle(titleEn)}
      <p>${next} ${en(nextEn)}</p>
      ${back ? wayBack(back) : ''}
    </div>`,
  });
}

const wayBack = (address: string) =>
  html`<a class="button" href="${address}">
    Voltar para ${new URL(address).host} ${en(`Go back to ${new URL(address).host}`)}
  </a>`;

const DEAD = {
  used: ['Esta verificação já terminou', 'This check has already ended'],
  expired: ['Este link expirou', 'This link has expired'],
  unknown: ['Link não encontrado', 'Link not found'],
} as const;

/** The page of a link that is not valid. It has no button. */
export function deadPage(why: keyof typeof DEAD, merchant: string): Html {
  const [title, titleEn] = DEAD[why];
  return layout(`${title} – ${merchant}`, {
    content: html`<div class="result">
      <div class="mark still">${CLOCK}</div>
      <h1>${title}</h1>
      ${subtitle(titleEn)}
      <p>
        Volte a ${merchant} para ver a situação ou pedir um link novo.
        ${en(`Go back to ${merchant} to see where things stand, or for a new link.`)}
      </p>
    </div>`,
  });
}

const checked = ({ reference }: Shown) =>
  reference
    ? (['Prova de vida', 'Liveness check'] as const)
    : (['Documentos e rosto', 'Documents and face'] as const);

const row = (name: string, nameEn: string, value: string | Html) =>
  html`<div>
    <dt>${name} ${en(nameEn)}</dt>
    <dd>${value}</dd>
  </div>`;

const timer = ({ secondsLeft }: Shown) =>
  html`<span role="timer" data-seconds="${secondsLeft}">${minutesOf(secondsLeft)}</span>`;

const minutesOf = (seconds: number) =>
  `${Math.floor(seconds / 60)} min ${String(seconds % 60).padStart(2, '0')} s`;

const REFUSED = raw('aria-invalid="true" aria-describedby="refusal"');
const refusal = () =>
  html`<p class="error" id="refusal" role="alert">
    Para continuar, marque que concorda. ${en('To go on, tick that you agree.')}
  </p>`;

type Layout = { step?: Step; secondsLeft?: number; content: Html };

function layout(title: string, { step, secondsLeft, content }: Layout): Html {
  // The page counts down with a script. A browser without scripts reloads the page when the time has ended.
  const refresh = secondsLeft
    ? html`<noscript><meta http-equiv="refresh" content="${secondsLeft}" /></noscript>`
    : '';
  return html`<!doctype html>
    <html lang="pt-BR">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style>${raw(STYLE)}</style>
        ${refresh}
      </head>
      <body>
        <div class="banner"><strong>Sandbox</strong> · ambiente de testes, nada aqui é real</div>
        <main><div class="card">${step ? stepsTo(step) : ''}${content}</div></main>
        <footer>
          Simulador do provedor de verificação de identidade
          ${en('Simulated identity-verification provider')}
        </footer>
        <script type="module">${raw(SCRIPT)}</script>
      </body>
    </html>`;
}

const STEPS: readonly [Step, string][] = [
  ['consent', 'Aceite'],
  ['check', 'Verificação'],
  ['result', 'Resultado'],
];

function stepsTo(step: Step): Html {
  const at = STEPS.findIndex(([name]) => name === step);
  return html`<ol class="steps">
    ${STEPS.map(([, label], index) =>
      index === at
        ? html`<li class="now" aria-current="step">${label}</li>`
        : html`<li class="${index < at ? 'done' : ''}">${label}</li>`,
    )}
  </ol>`;
}

const icon = (path: string) =>
  html`<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2.5" stroke-linecap="round"
    stroke-linejoin="round" aria-hidden="true"><path d="${path}" /></svg>`;
const TICK = icon('M5 12.5l4.5 4.5L19 7.5');
const CROSS = icon('M6.5 6.5l11 11M17.5 6.5l-11 11');
const CLOCK = icon('M12 7v5l3.5 2M12 3a9 9 0 1 0 0 18a9 9 0 0 0 0-18');

const FACE = html`<svg class="face" viewBox="0 0 120 140" fill="currentColor">
  <ellipse cx="60" cy="58" rx="27" ry="34" />
  <path d="M4 140c3-30 26-42 56-42s53 12 56 42z" />
</svg>`;
const RING = html`<svg class="ring" viewBox="0 0 200 256">
  <ellipse cx="100" cy="128" rx="95" ry="123" />
  <ellipse class="sweep" cx="100" cy="128" rx="95" ry="123" pathLength="750" />
</svg>`;
