import { createHash } from 'node:crypto';

export const STYLE = `
:root{color-scheme:light dark;--page:#eef2f6;--card:#fff;--text:#14212e;--soft:#4a5a6a;--line:#cfd8e1;
--accent:#0b6b58;--accent-text:#fff;--tint:#e4f3ef;--bad:#b3261e;--bad-tint:#fdeceb;--note:#fff4d6;
--note-text:#5c4300}
@media (prefers-color-scheme:dark){:root{--page:#0e151c;--card:#17212b;--text:#eef3f7;--soft:#aebccb;
--line:#36444f;
--accent:#5fd3b8;--accent-text:#06251e;--tint:#12322b;--bad:#ff9d94;--bad-tint:#3a1c1a;--note:#3a2f10;
--note-text:#ffe09a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;background:var(--page);color:var(--text);display:flex;
flex-direction:column;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.banner{background:var(--note);color:var(--note-text);text-align:center;padding:.5rem 1rem;font-size:.875rem}
main{flex:1;display:flex;align-items:center;justify-content:center;padding:1.25rem 1rem}
.card{width:100%;max-width:30rem;background:var(--card);border:1px solid var(--line);border-radius:1.25rem;
padding:1.5rem;box-shadow:0 1px 2px rgb(0 0 0/.06),0 12px 32px rgb(0 0 0/.08)}
.steps{display:flex;gap:.5rem;list-style:none;margin:0 0 1.25rem;padding:0;font-size:.75rem;color:var(--soft)}
.steps li{flex:1 1 0;min-width:0;border-top:.25rem solid var(--line);padding-top:.375rem}
.steps .done,.steps .now{border-color:var(--accent)}
.steps .now{color:var(--text);font-weight:600}
h1{font-size:1.5rem;line-height:1.25;margin:0}
h1:focus{outline:none}
[lang=en]{display:block;color:var(--soft);font-size:.875rem}
h1+[lang=en]{font-size:1rem;margin:.125rem 0 0}
p{margin:1rem 0 0}
dl{margin:1.25rem 0 0;border:1px solid var(--line);border-radius:.75rem;padding:0 1rem}
dl div{display:flex;justify-content:space-between;gap:1rem;padding:.625rem 0}
dl div+div{border-top:1px solid var(--line)}
dt{color:var(--soft)}dt [lang=en]{font-size:.75rem;line-height:1.2}
dd{margin:0;text-align:right;font-weight:600;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}
.agree{display:flex;gap:.75rem;align-items:flex-start;margin:1.25rem 0 0;cursor:pointer}
.agree input{flex:none;width:1.375rem;height:1.375rem;margin:.0625rem 0 0;accent-color:var(--accent)}
button,.button{font:inherit;font-weight:600;width:100%;min-height:3.25rem;padding:.5rem 1rem;border-radius:.75rem;
border:2px solid var(--accent);background:var(--accent);color:var(--accent-text);cursor:pointer;
margin:1.25rem 0 0}
button [lang=en],.button [lang=en]{color:inherit;font-weight:400;font-size:.8125rem;line-height:1.2}
a.button{display:block;text-decoration:none;overflow-wrap:anywhere}
button:hover,.button:hover{filter:brightness(1.08)}
button.fail{background:transparent;color:var(--bad);border-color:var(--bad);margin-top:.75rem}
button.plain{padding-block:.25rem;background:transparent;color:var(--accent);border-color:transparent;
min-height:2.75rem;margin-top:.25rem}
:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.error{background:var(--bad-tint);color:var(--bad);border-radius:.75rem;padding:.75rem 1rem}
.error [lang=en]{color:inherit}
.oval{position:relative;width:10.5rem;height:13.44rem;margin:1rem auto 0}
.oval .view{position:absolute;inset:.625rem;border-radius:50%;overflow:hidden;background:var(--tint);
color:var(--accent);
display:flex;align-items:flex-end;justify-content:center}
.oval svg.face{width:96%;height:auto;display:block;opacity:.85}
.oval video{position:absolute;inset:0;width:100%;height:100%;object-fit:cover;transform:scaleX(-1)}
.oval svg.ring{position:absolute;inset:0;width:100%;height:100%}
.ring ellipse{fill:none;stroke-width:5;stroke:var(--line)}
.ring .sweep{stroke:var(--accent);stroke-linecap:round;stroke-dasharray:150 600;
animation:sweep 3s linear infinite}
@keyframes sweep{to{stroke-dashoffset:-750}}
@media (prefers-reduced-motion:reduce){.ring .sweep{animation:none}}
.hint{text-align:center;margin-top:.5rem}
.left{text-align:center;margin-top:1rem;color:var(--soft);font-variant-numeric:tabular-nums}
.left strong{color:var(--text)}
.left [lang=en]{display:inline}
fieldset{margin:1.25rem 0 0;border:2px dashed var(--line);border-radius:1rem;padding:.25rem 1rem 1rem}
legend{padding:0 .5rem;font-size:.875rem;font-weight:600}
legend [lang=en]{display:inline;font-weight:400}
fieldset button:first-of-type{margin-top:.5rem}
.mark{width:4.5rem;height:4.5rem;border-radius:50%;display:flex;align-items:center;justify-content:center;
margin:.5rem auto 1.25rem;background:var(--tint);color:var(--accent)}
.mark.bad{background:var(--bad-tint);color:var(--bad)}
.mark.still{background:var(--page);color:var(--soft)}
.mark svg{width:2.25rem;height:2.25rem}
.result{text-align:center}
footer{text-align:center;color:var(--soft);font-size:.8125rem;padding:0 1rem 1.25rem}
footer [lang=en]{font-size:.75rem}
@media (min-width:40rem){.card{padding:2rem 2.25rem}}
`;

/**
 * The page also works without this script. The script adds a countdown. If the person allows the camera, it
 * also shows the camera's picture in the oval. The picture does not leave the browser.
 */
export const SCRIPT = `
const left = document.querySelector('[data-seconds]');
if (left) {
  const end = performance.now() + Number(left.dataset.seconds) * 1000;
  const show = () => {
    const seconds = Math.max(0, Math.ceil((end - performance.now()) / 1000));
    left.textContent = Math.floor(seconds / 60) + ' min ' + String(seconds % 60).padStart(2, '0') + ' s';
    if (seconds === 0) location.reload();
    else setTimeout(show, 250);
  };
  show();
}
const camera = document.querySelector('[data-camera]');
if (camera && navigator.mediaDevices) {
  const said = document.querySelector('[data-said]');
  camera.hidden = false;
  camera.addEventListener('click', async () => {
    camera.hidden = true;
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ video: { facingMode: 'user' } });
      const video = document.createElement('video');
      Object.assign(video, { muted: true, playsInline: true, srcObject: stream });
      document.querySelector('.oval .view').append(video);
      await video.play();
      said.textContent = 'Câmera ligada: a imagem fica neste aparelho.';
    } catch {
      said.textContent = 'Sem câmera: continue assim mesmo.';
    }
  });
}
`;

const sourceOf = (text: string) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

/**
 * With these headers the page loads nothing from other hosts, and runs only the inline script and style of
 * this file. No other page can show it in a frame.
 */
export const PAGE_HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': [
    `default-src 'none'`,
    `style-src ${sourceOf(STYLE)}`,
    `script-src ${sourceOf(SCRIPT)}`,
    `form-action 'self'`,
    `base-uri 'none'`,
    `frame-ancestors 'none'`,
  ].join('; '),
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
};
