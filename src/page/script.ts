import { createHash } from 'node:crypto';

/**
 * Comfort only, the page is whole without it: opens what an address leads to in browsers that do not do so themselves, and filters the files.
 */
export const SCRIPT = `(() => {
const reveal = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  if (!target) return;
  for (let at = target.parentElement; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  target.scrollIntoView();
};
addEventListener('hashchange', reveal);
reveal();
const input = document.getElementById('filter');
if (!input) return;
input.closest('p').hidden = false;
const folders = [...document.querySelectorAll('details.folder')].map((folder) => ({
  folder,
  entries: [...folder.querySelectorAll('details.entry')].map((entry) => ({
    entry, path: entry.querySelector('.label').textContent.toLowerCase() })),
}));
input.addEventListener('input', () => {
  const wanted = input.value.trim().toLowerCase();
  let shown = 0;
  for (const { folder, entries } of folders) {
    let some = 0;
    for (const { entry, path } of entries) {
      entry.hidden = !path.includes(wanted);
      if (!entry.hidden) some++;
    }
    folder.hidden = wanted !== '' && some === 0;
    folder.open = wanted !== '' && some > 0;
    shown += some;
  }
  input.parentElement.querySelector('output').textContent = wanted ? shown + (shown === 1 ? ' file' : ' files') : '';
});
})();`;

/** The page runs this script and no other, and asks nobody for anything. */
export const CONTENT_POLICY = [
  "default-src 'none'",
  "style-src 'unsafe-inline'",
  'img-src data:',
  `script-src 'sha256-${createHash('sha256').update(SCRIPT).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ');
