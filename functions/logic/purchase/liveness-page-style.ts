/** The style of the pages to which a client's link leads. The pages have no script and load nothing. */
export const LIVENESS_STYLE = `
:root{color-scheme:light dark;--page:#eef2f6;--card:#fff;--text:#14212e;--soft:#4a5a6a;--line:#cfd8e1;
--accent:#0b6b58;--accent-text:#fff;--note:#fff4d6;--note-text:#5c4300}
@media (prefers-color-scheme:dark){:root{--page:#0e151c;--card:#17212b;--text:#eef3f7;--soft:#aebccb;
--line:#36444f;--accent:#5fd3b8;--accent-text:#06251e;--note:#3a2f10;--note-text:#ffe09a}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;background:var(--page);color:var(--text);display:flex;
flex-direction:column;font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
.banner{margin:0;background:var(--note);color:var(--note-text);text-align:center;
padding:.5rem 1rem;font-size:.875rem}
main{flex:1;display:flex;align-items:center;justify-content:center;padding:1.25rem 1rem}
.card{width:100%;max-width:30rem;background:var(--card);border:1px solid var(--line);border-radius:1.25rem;
padding:1.5rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:0}
p{margin:1rem 0 0}
[lang=en]{display:block;color:var(--soft);font-size:.875rem}
h1+[lang=en]{font-size:1rem;margin:.125rem 0 0}
dl{margin:1.25rem 0 0;border:1px solid var(--line);border-radius:.75rem;padding:0 1rem}
dl div{padding:.625rem 0}
dl div+div{border-top:1px solid var(--line)}
dt{color:var(--soft);font-size:.875rem}
dt [lang=en]{display:inline}
dd{margin:0;font-size:1.125rem;font-weight:600;font-variant-numeric:tabular-nums}
dd+dd{font:.8125rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;color:var(--soft)}
.warning{background:var(--note);color:var(--note-text);border-radius:.75rem;padding:.75rem 1rem}
.warning [lang=en],.banner [lang=en]{color:inherit}
.button{display:block;margin:1.25rem 0 0;padding:.75rem 1rem;border-radius:.75rem;background:var(--accent);
color:var(--accent-text);font-weight:600;text-align:center;text-decoration:none}
.button [lang=en]{color:inherit;font-weight:400;font-size:.8125rem;line-height:1.2}
.button:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
.small{font-size:.875rem;color:var(--soft)}
.small [lang=en]{font-size:.8125rem}
@media (min-width:40rem){.card{padding:2rem 2.25rem}}
`;
