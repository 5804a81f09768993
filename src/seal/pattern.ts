/** Patterns of OpenSSH: `*`, `?`, lists with commas, `!` before what is not meant (ssh_config(5), PATTERNS). Letters count as they are. */
export function matchesList(text: string, list: string): boolean {
  let found = false;
  for (const pattern of list.split(',')) {
    const negated = pattern.startsWith('!');
    if (!matches(text, negated ? pattern.slice(1) : pattern)) continue;
    if (negated) return false;
    found = true;
  }
  return found;
}

/** Without going back further than to the last `*`: no pattern takes longer than text times pattern. */
function matches(text: string, pattern: string): boolean {
  let [at, place, star, tried] = [0, 0, -1, 0];
  while (at < text.length) {
    const wanted = pattern[place];
    if (wanted === '*') {
      star = place++;
      tried = at;
    } else if (wanted !== undefined && (wanted === '?' || wanted === text[at])) {
      at++;
      place++;
    } else if (star >= 0) {
      place = star + 1;
      at = ++tried;
    } else return false;
  }
  while (pattern[place] === '*') place++;
  return place === pattern.length;
}
