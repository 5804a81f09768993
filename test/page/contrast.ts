/**
 * For the browser: texts whose colour is too near to what is behind them, each sort once. Text in drawings is left out; the palette's own test
 * speaks for it. A string, because the browser's names are not known here.
 */
export function poorlySeen(least: number): string {
  return `(() => {
const parse = (text) => {
  const [r, g, b, a = 1] = text.match(/[\\d.]+/g).map(Number);
  return { rgb: [r, g, b], a };
};
const light = ({ rgb }) => {
  const [r, g, b] = rgb.map((c) => (c <= 10.3 ? c / 3294.6 : ((c / 255 + 0.055) / 1.055) ** 2.4));
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const behind = (element) => {
  for (let at = element; at; at = at.parentElement) {
    const colour = parse(getComputedStyle(at).backgroundColor);
    if (colour.a === 1) return colour;
  }
  return { rgb: [255, 255, 255] };
};
const found = new Set();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
let seen = 0;
for (let node = walker.nextNode(); node; node = walker.nextNode()) {
  const element = node.parentElement;
  if (!node.textContent.trim() || element.closest('svg, script, .hidden') || !element.checkVisibility()) continue;
  seen++;
  const [a, b] = [light(parse(getComputedStyle(element).color)), light(behind(element))];
  const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  if (contrast < ${least}) found.add((element.className || element.tagName) + ': ' + contrast.toFixed(2));
}
if (seen < 100) found.add('only ' + seen + ' texts seen');
return [...found];
})()`;
}
