// A terminal's text with its colours as an SVG picture: the few escapes that our views use, and a monospaced grid.
const COLOURS = {
  30: '#6e7681',
  31: '#ff7b72',
  32: '#7ee787',
  33: '#e3b341',
  34: '#79c0ff',
  35: '#d2a8ff',
  36: '#76e3ea',
  37: '#e6edf3',
};
const [PAPER, INK, CELL, ROW, EDGE] = ['#0d1117', '#e6edf3', 7.83, 18, 12];
const ESCAPE = /\x1b\[([0-9;]*)m|\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[ -/]*[0-~]|\x0f/g;

export function stripped(text) {
  return text.replace(ESCAPE, '').replace(/[ \t]+$/gm, '');
}

export function terminalSvg(text, title) {
  const lines = text.replace(/\n+$/, '').split('\n');
  const columns = Math.max(
    ...stripped(text)
      .split('\n')
      .map((line) => [...line].length),
    40,
  );
  const [width, height] = [Math.ceil(columns * CELL + 2 * EDGE), lines.length * ROW + 2 * EDGE];
  let style = {};
  const rows = lines.map((line, index) => {
    const row = drawn(line, style, EDGE + index * ROW);
    style = row.style;
    return row.svg;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13">
<title>${escaped(title)}</title>
<rect width="100%" height="100%" rx="6" fill="${PAPER}"/>
${rows.filter(Boolean).join('\n')}
</svg>
`;
}

/** One line, run by run; the style goes on into the next. */
function drawn(line, before, top) {
  let [style, column, at] = [before, 0, 0];
  const parts = [];
  const put = (text) => {
    if (text !== '') parts.push(run(text, style, { x: EDGE + column * CELL, y: top }));
    column += [...text].length;
  };
  for (const match of line.matchAll(ESCAPE)) {
    put(line.slice(at, match.index));
    if (match[1] !== undefined) style = styled(style, match[1]);
    at = match.index + match[0].length;
  }
  put(line.slice(at));
  return { svg: parts.join(''), style };
}

function styled(style, codes) {
  let now = style;
  for (const code of (codes || '0').split(';').map(Number)) {
    if (code === 0) now = {};
    else if (code === 1) now = { ...now, bold: true };
    else if (code === 2) now = { ...now, dim: true };
    else if (code === 7) now = { ...now, inverse: true };
    else if (code === 22) now = { ...now, bold: false, dim: false };
    else if (code === 27) now = { ...now, inverse: false };
    else if (code === 39) now = { ...now, ink: undefined };
    else if (code in COLOURS) now = { ...now, ink: COLOURS[code] };
    else if (code - 60 in COLOURS) now = { ...now, ink: COLOURS[code - 60] };
  }
  return now;
}

function run(text, { ink = INK, bold, dim, inverse }, { x, y }) {
  const width = [...text].length * CELL;
  const back = inverse ? `<rect x="${n(x)}" y="${y}" width="${n(width)}" height="${ROW}" fill="${ink}"/>` : '';
  if (text.trim() === '') return back;
  const more = `${bold ? ' font-weight="bold"' : ''}${dim ? ' opacity="0.6"' : ''}`;
  // the length is given: the cells stay in their columns whatever the font
  const size = `textLength="${n(width)}" lengthAdjust="spacingAndGlyphs"`;
  return `${back}<text x="${n(x)}" y="${y + 13}" fill="${inverse ? PAPER : ink}" xml:space="preserve" ${size}${more}>${escaped(text)}</text>`;
}

const n = (value) => Number(value.toFixed(2));
const escaped = (text) => text.replace(/[&<>]/g, (one) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[one]);
