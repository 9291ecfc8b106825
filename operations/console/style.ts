/**
 * The only style sheet of the console. Its URL contains the digest of its content, so browsers can keep it
 * for ever.
 */
import { createHash } from 'node:crypto';

export const STYLE = `
:root{color-scheme:light dark;--page:#f4f6f9;--card:#fff;--text:#16202b;--soft:#536273;--line:#d7dee6;
--edge:#8a97a5;--faint:#b9c3cd;--accent:#0a6a57;--accent-text:#fff;--tint:#e0f2ed;--note:#fff1cc;
--note-text:#5c4300;
--bad:#a8231b;--bad-tint:#fde8e6}
@media (prefers-color-scheme:dark){:root{--page:#0f161d;--card:#18222c;--text:#e8eef4;--soft:#a5b4c3;
--line:#33414e;--edge:#728292;--faint:#4d5b69;--accent:#5fd3b8;--accent-text:#06251e;--tint:#14322c;
--note:#3a2f10;
--note-text:#ffe09a;--bad:#ff9d94;--bad-tint:#3b1d1b}}
*{box-sizing:border-box}
html{text-size-adjust:100%}
body{margin:0;background:var(--page);color:var(--text);
font:1rem/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans",sans-serif}
a{color:var(--accent);text-underline-offset:.2em}
:focus-visible{outline:3px solid var(--accent);outline-offset:2px;border-radius:.25rem}
main:focus{outline:none}
.skip{position:absolute;left:-100vw}
.skip:focus{left:1rem;top:.5rem;z-index:3;padding:.5rem 1rem;background:var(--card)}
header{display:flex;flex-wrap:wrap;align-items:center;gap:.5rem 1.5rem;padding:.5rem 1.5rem;
background:var(--card);
border-bottom:1px solid var(--line)}
.name{font-weight:700;color:var(--text);text-decoration:none;padding:.5rem 0}
.stage{margin-left:.25rem;padding:.125rem .5rem;border-radius:1rem;background:var(--note);
color:var(--note-text);
font-size:.8125rem;font-weight:600}
.zone{margin:0;font-size:.8125rem;color:var(--soft)}
.menu{display:none}
.search{flex:1;display:flex;gap:.5rem;min-width:16rem;max-width:40rem}
.search label{position:absolute;left:-100vw}
header nav{flex-basis:100%;min-width:0;margin-bottom:-.5rem}
nav ul{display:flex;flex-wrap:wrap;gap:0 .25rem;margin:0 -.625rem;padding:0;list-style:none}
nav a{display:block;padding:.5rem .625rem;border-bottom:3px solid transparent;color:var(--soft);
text-decoration:none}
nav a:hover{color:var(--text)}
nav a[aria-current]{border-color:var(--accent);color:var(--text);font-weight:600}
.tabs{margin:.5rem 0 1rem;border-bottom:1px solid var(--line)}
.waiting{display:flex;flex-wrap:wrap;gap:.75rem;margin:.75rem 0 0;padding:0;list-style:none}
.waiting a{display:block;padding:.75rem 1.25rem;background:var(--card);border:1px solid var(--line);
border-radius:.75rem;color:var(--text);text-decoration:none}
.waiting strong{display:block;font-size:1.5rem;line-height:1.25}
.waiting .some a{background:var(--note);color:var(--note-text);border-color:var(--note-text)}
.alarm{max-width:none;padding:.75rem 1.25rem;border-radius:.75rem;background:var(--bad-tint);color:var(--bad);
font-weight:600}
.waits{background:var(--note);color:var(--note-text);border-color:var(--note-text);margin-top:1rem}
.waits ul{margin:0;padding-left:1.25rem}
.waits :is(a,time){color:inherit}
.waits a{display:inline-block;padding:.25rem 0;font-weight:600}
.mark{display:inline-block;min-width:9rem;
margin-top:.25rem;padding:.125rem .5rem;border-radius:.5rem;background:var(--note);
color:var(--note-text);font-size:.8125rem}
.pair{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:0 1rem;margin-top:1rem}
mark{background:var(--tint);color:inherit;font-weight:600;text-decoration:underline;
text-decoration-color:var(--accent);text-underline-offset:.2em}
.compare{table-layout:fixed}
.compare thead th:first-child{width:11rem}
.compare tbody tr:last-child th{border-bottom:0}
.compare tbody th{color:var(--text);font-weight:600;white-space:normal}
.compare th small{display:block;font-size:.8125rem;font-weight:400;color:var(--soft)}
.compare ul{margin:0;padding:0;list-style:none}
.compare li+li{margin-top:.25rem}
.day{display:flex;flex-wrap:wrap;gap:.5rem .75rem;align-items:center;margin:.75rem 0}
.fields{display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:.75rem 1rem;
align-items:end;margin:.75rem 0 1.5rem}
.fields p{margin:0}
.fields label{display:block;color:var(--soft);font-size:.875rem}
.fields :is(input,select){width:100%;min-height:2.75rem}
.person{display:flex;align-items:center;gap:.75rem;margin-left:auto;font-size:.875rem;color:var(--soft)}
input[type=search]{flex:1;min-width:0}
.acts{margin-top:1rem}
.acts details{border-top:1px solid var(--line)}
.acts h2+details{border-top:0}
summary{padding:.75rem 0;cursor:pointer;font-weight:600;color:var(--accent)}
.act{display:grid;gap:.75rem;justify-items:start;max-width:30rem;margin:0 0 1rem}
.act label,.act label>:not(span){display:block;width:100%}
.act label>span{color:var(--soft);font-size:.875rem}
.act label>.fault{margin-top:.25rem;color:var(--bad);font-size:.875rem}
.act [aria-invalid]{border-color:var(--bad)}
.will{margin:0;padding-left:1.25rem}
:is(input:not([type=radio]),select){font:inherit;padding:.5rem .75rem;border:1px solid var(--edge);
border-radius:.5rem;background:var(--page);color:var(--text)}
::placeholder{color:var(--soft);opacity:1}
button{font:inherit;font-weight:600;min-height:2.5rem;padding:.375rem 1rem;border:0;border-radius:.5rem;
background:var(--accent);color:var(--accent-text);cursor:pointer}
a.button{display:inline-block;font-weight:600;padding:.5rem 1rem;border-radius:.5rem;background:var(--accent);
color:var(--accent-text);text-decoration:none}
button.second{background:none;color:var(--accent);border:1px solid}
button.quiet{background:none;color:var(--accent);font-weight:400;padding:.375rem .25rem;
text-decoration:underline;
text-underline-offset:.2em}
main{max-width:84rem;margin:0 auto;padding:1rem 1.5rem 3rem;overflow-wrap:anywhere}
h1{font-size:1.5rem;line-height:1.25;margin:.5rem 0 0}
h1+section{margin-top:.75rem}
h1 small{display:block;font-size:.875rem;font-weight:400;color:var(--soft)}
h2{font-size:1.125rem;margin:0 0 .75rem}
main>h2{margin-top:1.5rem}
p{margin:.5rem 0;max-width:46rem}
.lead{color:var(--soft)}
.empty{color:var(--soft)}
section{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:1rem 1.25rem;
margin:0 0 1rem}
.beside{display:grid;grid-template-columns:auto minmax(0,1fr);gap:1rem;align-items:start}
.head{margin:1rem 0;padding:.25rem 1.25rem;background:var(--card);border:1px solid var(--line);
border-left:.375rem solid var(--edge);border-radius:.75rem}
.head.completed{border-left-color:var(--accent)}
.head.failed{border-left-color:var(--bad)}
.head>div,.facts>div{display:grid;grid-template-columns:9rem minmax(0,1fr);gap:.125rem 1rem;
padding:.5rem 0}
.head>div+div,.facts>div+div{border-top:1px solid var(--line)}
.facts{margin:0}
dt{color:var(--soft)}
dd{margin:0;grid-column:2}
.head>div:first-child dd{font-weight:600}
.soft,time{color:var(--soft);font-variant-numeric:tabular-nums;font-size:.875rem}
.happened{list-style:none;margin:0;padding:0}
.happened li{display:grid;grid-template-columns:10.5rem minmax(0,1fr);gap:.125rem 1rem;padding:.375rem 0}
.happened li+li{border-top:1px solid var(--line)}
table{width:100%;border-collapse:collapse;font-size:.9375rem}
th,td{text-align:left;vertical-align:top;padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line)}
th{color:var(--soft);font-weight:400;font-size:.875rem;white-space:nowrap}
main>table{background:var(--card);border:1px solid var(--line);border-radius:.75rem;
border-collapse:separate;
border-spacing:0}
main>table :is(th,td):first-child{padding-left:1.25rem}
tbody tr:last-child td{border-bottom:0}
td{min-width:4rem}
time,.number{white-space:nowrap;font-variant-numeric:tabular-nums}
.right{text-align:right}
.short{white-space:nowrap}
td .word{white-space:nowrap}
.id{font-size:.8125rem}
code,pre,.id{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
code,pre{font-size:.875rem;line-height:1.5}
pre{overflow-x:auto;max-width:100%;padding:1rem 1.25rem;background:var(--card);border:1px solid var(--line);
border-radius:.75rem}
fieldset{border:1px solid var(--line);border-radius:.75rem;background:var(--card);padding:.5rem 1.25rem;
margin:1rem 0;max-width:36rem}
fieldset label{display:flex;gap:.75rem;align-items:baseline;padding:.625rem 0;cursor:pointer}
.graph{display:block;max-width:100%;height:auto;margin:0 auto}
.graph text{fill:var(--soft);font-size:11px;text-anchor:middle}
.graph .name{fill:var(--text);font-size:13px;font-weight:600}
.graph rect{fill:var(--card);stroke:var(--line);stroke-width:1.5}
.graph .unvisited .name{fill:var(--soft);font-weight:400}
.graph .visited rect{fill:var(--tint);stroke:var(--accent)}
.graph .visited text{fill:var(--text)}
.graph .troubled rect{fill:var(--note)}
.graph .troubled text{fill:var(--note-text)}
.graph .last rect{stroke-width:3.5}
.move{fill:none;stroke:var(--faint);stroke-width:1.25}
.move.catch{stroke-dasharray:4 3}
.move.taken{stroke:var(--accent);stroke-width:2}
marker.possible{fill:var(--faint)}
marker.taken{fill:var(--accent)}
.legend{display:flex;flex-wrap:wrap;gap:.25rem 1rem;max-width:20rem;font-size:.8125rem;color:var(--soft)}
.key::before{content:"";display:inline-block;width:1.25rem;height:.75rem;margin-right:.375rem;
border:1.5px solid var(--accent);border-radius:.1875rem;background:var(--tint);vertical-align:-1px}
.key.last::before{border-width:3.5px}
.key.troubled::before{background:var(--note)}
.key.possible::before{height:0;border:0;border-top:1.5px solid var(--edge);vertical-align:4px}
.key.catch::before{height:0;border:0;border-top:1.5px dashed var(--edge);vertical-align:4px}
@media (max-width:62rem){.beside,.pair{grid-template-columns:minmax(0,1fr)}}
@media (max-width:48rem){
header{position:relative;padding:.25rem 1rem .5rem;gap:.25rem .75rem}
.name{padding:.25rem 0}
.zone{margin-left:auto}
header>:is(nav,.person){display:none}
.menu{display:block}
.menu summary{padding:.4375rem .75rem;border:1px solid var(--edge);border-radius:.5rem;line-height:1.5}
.menu>div{position:absolute;z-index:2;left:0;right:0;top:100%;padding:.5rem 1rem 1rem;
background:var(--card);border-bottom:1px solid var(--line);box-shadow:0 .5rem 1rem #0003}
.menu nav{margin:0}
.menu nav ul{display:grid;grid-template-columns:repeat(auto-fill,minmax(8rem,1fr))}
.menu nav a{padding:.75rem .625rem}
.menu .person{margin:.5rem 0 0;padding-top:.5rem;border-top:1px solid var(--line);
justify-content:space-between}
nav a{padding:.5rem .375rem;font-size:.9375rem}
nav ul{margin:0 -.375rem}
.right{text-align:left}
.search{flex-basis:10rem;min-width:0}
.waiting{display:grid;grid-template-columns:repeat(auto-fit,minmax(6rem,1fr))}
.waiting a{height:100%;padding:.5rem .75rem;line-height:1.25}
time,.number,td .word{white-space:normal}
main{padding:1rem 1rem 3rem}
section{padding:1rem}
.head>div,.facts>div,.happened li{grid-template-columns:minmax(0,1fr)}
dd{grid-column:1}
h1{font-size:1.125rem}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
table,tbody,tr,td{display:block}
main>table{background:none;border:0}
tr{background:var(--card);border:1px solid var(--line);border-radius:.75rem;padding:.5rem 1rem;
margin:0 0 .75rem}
td,main>table td:first-child{display:grid;grid-template-columns:6rem minmax(0,1fr);gap:1rem;
padding:.25rem 0;
border:0}
td::before{content:attr(data-head);color:var(--soft);font-size:.875rem}
td.none{display:none}
main .compare tr{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:.25rem .75rem}
.compare tbody th{grid-column:1/-1;border:0;padding:0}
.compare th small{display:inline}
main .compare td{display:block;padding:0}
.compare td::before{display:block}
section tr{padding:.5rem 0;margin:0;border-width:1px 0 0;border-radius:0}
button.quiet{min-height:2.75rem}
}
@media print{header,.skip{display:none}}
`;

const styleDigest = createHash('sha256').update(STYLE).digest('hex').slice(0, 12);
export const STYLE_PATH = `/console/style-${styleDigest}.css`;
