import { KINDS } from '../report/tally.ts';
import { DARK, LIGHT, printPalette } from './palette.ts';

const STEPS = LIGHT.steps.map((_, i) => `.step-${i}{background:var(--step-${i});color:var(--on-step-${i})}`).join('');

const FILLS = KINDS.map((kind) => {
  const paint = kind === 'ai' ? 'var(--ai)' : `url(#p-${kind})`;
  return `rect.${kind},.${kind}>.fill{fill:${paint}}.whole .${kind} .plate{fill:var(--${kind})}
.whole .${kind} text{fill:var(--on-${kind})}.mark.${kind}{background:var(--${kind});color:var(--on-${kind})}
#p-${kind} .ground{fill:var(--${kind})}#p-${kind} .stripe,#p-${kind} .dot{fill:var(--pattern-${kind})}`;
}).join('\n');

const PAGE = `
:root{color-scheme:light dark;${printPalette(LIGHT)};
--sans:ui-sans-serif,system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","Helvetica Neue",Arial,sans-serif;
--serif:"Iowan Old Style","Palatino Linotype",Palatino,Charter,"Noto Serif",Georgia,serif;
--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"Noto Sans Mono","DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{${printPalette(DARK)}}}
*{box-sizing:border-box}
html{scroll-padding-top:4.5rem;-webkit-text-size-adjust:100%}
body{margin:0;background:var(--paper);color:var(--ink);font:400 1rem/1.55 var(--sans);font-variant-numeric:tabular-nums}
header,main,footer{max-width:64rem;margin:0 auto;padding:0 1.5rem}
header{padding-top:4rem}
h1,h2,.huge{font-family:var(--serif);font-weight:600;letter-spacing:-.01em;line-height:1.15;overflow-wrap:anywhere}
h1{font-size:clamp(2rem,5vw,3rem);margin:.2rem 0 .6rem}
h2{font-size:1.65rem;margin:0 0 .35rem}
h3{font-size:1.02rem;font-weight:650;margin:2rem 0 .6rem}
h4{font-size:.8rem;font-weight:600;color:var(--soft);margin:0 0 .35rem}
p{margin:.4rem 0}
.over{color:var(--soft);font-size:.9rem;margin:0}
.lead{color:var(--soft);font-size:1.05rem;overflow-wrap:anywhere}
.lead code{color:var(--ink)}
.soft,small{color:var(--soft)}
.soft{font-size:.9rem}
small{font-size:.84em}
.takeaway{color:var(--soft);max-width:44rem;margin:0 0 1.3rem;overflow-wrap:anywhere}
code{font-family:var(--mono);font-size:.875em}
a{color:var(--link);text-decoration-thickness:1px;text-underline-offset:.18em}
:focus-visible{outline:2px solid var(--link);outline-offset:2px;border-radius:3px}
nav{margin-top:1.6rem;border-block:1px solid var(--rule)}
nav ul{display:flex;flex-wrap:wrap;gap:.2rem 1.5rem;list-style:none;margin:0;padding:.65rem 0}
nav a{text-decoration:none;font-size:.92rem}
nav a:hover{text-decoration:underline}
section{padding:3rem 0 .4rem}
section+section{border-top:1px solid var(--rule);margin-top:2.6rem}
figure{margin:0}
ul,ol{padding:0;margin:0;list-style:none}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.patterns{position:absolute}
.big{display:flex;flex-wrap:wrap;align-items:baseline;gap:.2rem .9rem;margin:0 0 1.2rem}
.huge{font-size:clamp(4rem,13vw,7rem);line-height:.95;letter-spacing:-.035em;color:var(--link)}
.of{font:400 clamp(1.05rem,2.6vw,1.4rem)/1.3 var(--sans);letter-spacing:0}
.whole{display:block;border-radius:6px}
.whole text{font:700 13px var(--sans);text-anchor:middle;dominant-baseline:central}
.plate{transform:translateX(-11px)}
.mark{display:inline-block;width:1.35rem;margin-right:.25rem;border-radius:.25em;font:700 .75rem/1.35rem var(--sans);text-align:center;vertical-align:.08em}
table{border-collapse:collapse;width:100%}
th{text-align:left;font-weight:500}
td,th{padding:.42rem .9rem .42rem 0;vertical-align:baseline}
td:last-child,th:last-child{padding-right:0}
thead th{font-size:.8rem;color:var(--soft);border-bottom:1px solid var(--rule);padding-block:.2rem .35rem}
.number{text-align:right;white-space:nowrap}
.kinds{margin-top:1rem}
.kinds tr+tr>*{border-top:1px solid var(--rule)}
.kinds th{width:9rem;white-space:nowrap}
.kinds .meaning{color:var(--soft)}
.kinds .number{width:6rem}
.legend{display:flex;flex-wrap:wrap;gap:.3rem 1.4rem;font-size:.9rem;margin-bottom:1rem}
.swatch{margin-right:.4rem;border-radius:2px}
`;

const CHARTS = `
.plot{display:grid;grid-template-columns:3.6rem minmax(0,1fr)}
.axis{position:relative;font-size:.78rem;color:var(--soft)}
.axis span{position:absolute;right:.7rem;transform:translateY(-50%)}
.chart{display:block;overflow:visible}
.grid{stroke:var(--rule)}
.amount{fill:var(--soft)}
.chart a:hover rect{opacity:.78}
.tick{fill:var(--soft);font:400 .78rem var(--sans)}
summary{cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
summary::before{content:"";width:.42em;height:.42em;border:solid var(--soft);border-width:0 1.5px 1.5px 0;transform:rotate(-45deg);flex:none;align-self:center;justify-self:center}
details[open]>summary::before{transform:rotate(45deg)}
.all{margin-top:1.1rem}
.all>summary{display:inline-flex;gap:.7rem;color:var(--link);padding:.25rem 0}
.all[open]>summary{margin-bottom:.6rem}
.rows>li+li,.entry+.entry,.folder+.folder{border-top:1px solid var(--rule)}
.rows summary,.entry>summary,.folder>summary{display:grid;grid-template-columns:1rem minmax(0,20rem) minmax(4rem,1fr) 6.5rem 4.6rem;gap:.8rem;align-items:center;padding:.5rem 0}
.rows summary:hover,.entry>summary:hover,.folder>summary:hover{background:var(--panel)}
.label{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
details[open]>summary>.label{white-space:normal;overflow-wrap:anywhere}
.bar,.line{display:block;border-radius:2px}
.count,.share{text-align:right;white-space:nowrap}
.unit{color:var(--soft);font-size:.84em}
.inside{padding:.4rem 0 1.3rem 1.8rem;scroll-margin-top:4.5rem}
.inside:target{animation:found 1.6s}
@keyframes found{from{background:var(--panel)}}
.drill{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,21rem),1fr));gap:1rem 2.4rem;font-size:.92rem}
.plain li{display:flex;gap:.8rem;justify-content:space-between;padding:.14rem 0}
.file,.talk{min-width:0;overflow-wrap:anywhere}
.talk .command{display:block}
.command{color:var(--soft);overflow-wrap:anywhere}
dl{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.2rem 1rem;margin:0;align-content:start}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
.session{font-family:var(--mono);font-size:.875em}
.scale{display:flex;font-size:.78rem;max-width:26rem;margin-bottom:.7rem;border-radius:4px;overflow:hidden}
.scale li{flex:1;text-align:center;padding:.12rem .2rem;white-space:nowrap}
.map{position:relative;height:26.25rem}
.map li{position:absolute;left:var(--x);top:var(--y);width:var(--w);height:var(--h);padding:1px}
.map a{display:block;height:100%;container-type:size;overflow:hidden;border-radius:3px;text-decoration:none}
.map a:hover{filter:brightness(.94)}
.map a:focus-visible{outline-offset:-3px;outline-color:currentColor}
.fit{display:block;padding:.45rem .6rem;font-size:.86rem;line-height:1.3}
.where,.part{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.where{font-weight:600}
@container (max-width:3.4rem) or (max-height:1.7rem){.fit{visibility:hidden}}
@container (max-height:3rem){.part{display:none}}@container (max-height:4.6rem) or (max-width:7rem){.size{display:none}}
.top .wide{width:34%}
.top th:first-child{overflow-wrap:anywhere}
.top .bar{position:relative;top:.1rem}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:1.8rem 2.6rem;align-items:start}
caption{text-align:left;font-weight:650;padding-bottom:.5rem}
.measures th small{display:block;font-weight:400;line-height:1.35}.measures tr{position:relative}.measures tbody>tr>*{padding-bottom:.85rem}.measures .number{width:4rem}.measures td:last-child{width:3rem}
.line{position:absolute;left:0;bottom:.3rem;background:var(--rule)}
.line rect{fill:var(--soft)}
.filter{display:flex;flex-wrap:wrap;gap:.4rem .8rem;align-items:center;margin:.6rem 0 1rem}
.filter[hidden]{display:none}
input{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--soft);border-radius:5px;padding:.3rem .6rem;min-width:0;width:16rem;max-width:100%}
.folder>summary>.label{font-weight:600}
.folder>.inside{padding-top:0}
.runs{font-size:.88rem}
.runs td,.runs th{overflow-wrap:anywhere}
.runs th[scope=row]{white-space:nowrap}
.runs td:nth-child(2){position:relative;padding-left:1.9rem;width:19rem}.runs td:nth-child(3){white-space:nowrap}.runs .mark{position:absolute;left:0}.runs td:nth-child(4){white-space:nowrap}.runs small{display:block}
.runs tbody tr+tr>*{border-top:1px solid var(--rule)}
.list{font-size:.92rem}
.list td,.list th{overflow-wrap:anywhere}
footer{color:var(--soft);font-size:.88rem;padding-block:3rem 4rem}
`;

const NARROW = `
@media (max-width:44rem){
header,main,footer{padding-inline:1rem}
header{padding-top:2rem}
section{padding-top:2.2rem}
.map{height:28.75rem}
.map li{left:var(--nx);top:var(--ny);width:var(--nw);height:var(--nh)}
.tick.thin{display:none}
.kinds .meaning{display:none}
.kinds .number{width:auto}
.rows summary,.entry>summary,.folder>summary{grid-template-columns:1rem minmax(0,1fr) 5rem 3.9rem;gap:.1rem .7rem}
.count .unit{display:none}
summary>.label{grid-column:2/-1}
summary>.bar{grid-row:2;grid-column:2}
summary>.count{grid-row:2;grid-column:3}
summary>.share{grid-row:2;grid-column:4}
.inside{padding-left:.4rem}
.top .wide{display:none}
.runs thead,.list thead{position:absolute;clip-path:inset(50%)}
.runs tbody tr{display:grid;grid-template-columns:4.6rem minmax(0,1fr);padding:.5rem 0}
.runs td{grid-column:2}
.list tbody tr{display:block;padding:.5rem 0}
.runs tbody tr+tr,.list tbody tr+tr{border-top:1px solid var(--rule)}
.runs tbody tr+tr>*{border:0}
.runs td,.runs th,.list td,.list th{display:block;padding:.05rem 0;text-align:left}
.runs td:nth-child(2){padding-left:1.9rem;width:auto}
.runs small{display:inline}
}
@media (prefers-reduced-motion:reduce){.inside:target{animation:none}}
@media print{nav,.filter{display:none}section{break-inside:avoid-page}}
`;

export const STYLE = `${PAGE}${FILLS}${CHARTS}${STEPS}${NARROW}`.replaceAll('\n', '');
