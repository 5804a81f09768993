import { STYLE } from '../style.ts';

const BROWSE = `
.browse header{padding-top:2rem}
.browse nav{margin-top:.6rem}
.browse nav[aria-label=Path]{border:0;margin:1.4rem 0 0}
.browse nav[aria-label=Path] ul{gap:.2rem .5rem;padding:0}
.browse main{padding-top:1rem;padding-bottom:1rem}
.browse main:focus{outline:none}
.browse h1{font-size:clamp(1.5rem,4vw,2.1rem)}
.wide header,.wide main,.wide footer{max-width:88rem}
.browse .whole{margin:.8rem 0}
.browse dl{margin-bottom:1.6rem}
.skip{position:absolute;left:-100rem;top:0;background:var(--paper);padding:.6rem 1rem;z-index:2}
.skip:focus{left:0}
nav a[aria-current=page]{font-weight:650;color:var(--ink);text-decoration:underline}
.entries th{font-weight:400;overflow-wrap:anywhere}
.entries tbody tr+tr>*{border-top:1px solid var(--rule)}
.entries .wide{width:34%}
.entries .bar{position:relative;top:.1rem}
.talks li{padding:.8rem 0}
.talks li+li{border-top:1px solid var(--rule)}
.talks .first{overflow-wrap:anywhere}
.search{margin:1rem 0;display:flex;flex-wrap:wrap;gap:.5rem;align-items:center}
.search input{font:inherit;color:inherit;background:var(--panel);border:1px solid var(--soft);border-radius:4px;padding:.3rem .5rem;min-width:min(20rem,60vw)}
.search button{font:inherit;color:var(--paper);background:var(--link);border:0;border-radius:4px;padding:.35rem .8rem}
`;

const CODE = `
.scroll{overflow-x:auto;margin-top:1.2rem;border-block:1px solid var(--rule)}
.code{width:auto;min-width:100%;font-size:.85rem;line-height:1.45}
.code td,.code th{padding:0 .7rem 0 0;vertical-align:top}
.code .by{width:26rem;min-width:13rem;max-width:26rem;font:400 .8rem/1.5 var(--sans);overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.code .by small{font-size:.92em}
.code .mark{font-size:.7rem;line-height:1.2rem;margin:0;text-decoration:none}
.code .number a{color:var(--soft);text-decoration:none;font-family:var(--mono);padding-left:.6rem}
.code .number a:hover{text-decoration:underline}
.code .text{white-space:pre;tab-size:4;font-family:var(--mono);width:100%}
.code .text code{font-size:inherit}
.code .begins>*{border-top:1px solid var(--rule)}
.code tr:target>*{background:var(--step-1);color:var(--on-step-1)}
.code tr:target .soft,.code tr:target small,.code tr:target a:not(.mark){color:var(--on-step-1)}
.event{padding:.9rem 0 .9rem 1rem;border-left:3px solid var(--rule);margin:0 0 .9rem;scroll-margin-top:1rem}
.event.prompt{border-left-color:var(--human)}
.event.agent{border-left-color:var(--ai)}
.event:target{background:var(--panel);border-left-color:var(--link);border-left-width:6px}
.event h2{font:650 1rem/1.4 var(--sans);letter-spacing:0;margin:0 0 .4rem}
.event h2 small{font-weight:400;margin-left:.4rem}
.said{margin:0;font:inherit;white-space:pre-wrap;overflow-wrap:anywhere}
.tool .said,.edit .said,.command .said,.error .said{font:400 .85rem/1.45 var(--mono);max-height:32rem;overflow:auto;white-space:pre-wrap;color:var(--ink)}
.said ins,.said del{display:block;text-decoration:none;padding-left:.4rem;border-left:3px solid var(--human)}
.said del{border-left-color:var(--mixed);color:var(--soft)}
.said .same{display:block;padding-left:calc(.4rem + 3px)}
@media (max-width:44rem){.code .by{min-width:7rem;max-width:7rem}.entries .wide{display:none}}
@media print{.skip{display:none}.code .text{white-space:pre-wrap}}
`;

/** The report's look, and what only these pages have. */
export const BROWSE_STYLE = `${STYLE}${`${BROWSE}${CODE}`.replaceAll('\n', '')}`;
