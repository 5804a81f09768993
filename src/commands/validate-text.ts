import { plain } from '../terminal/plain.ts';
import { count } from './import-text.ts';
import { type FileVerdict, isBroken } from './validate-verdict.ts';

/** Nobody reads more of one file. */
const MAX_SHOWN = 200;

/** One line for each file, and one below it for each rule that it breaks: where, which, and what it asks for. */
export function* verdictsText(files: readonly FileVerdict[]): Generator<string> {
  for (const { file, rules, conforms, parts, problems, remarks } of files) {
    const name = plain(file);
    const broken = problems.filter(isBroken).length;
    const said = conforms ? 'conforms' : broken > 0 ? `${count(broken, 'rule')} broken` : 'does not conform';
    yield `${name}: ${rules === null ? 'of no format that we know' : `${rules}: ${said} (${count(parts, 'part')})`}\n`;
    for (const { line, path, rule, message, kind } of problems.slice(0, MAX_SHOWN)) {
      const where = line === undefined ? '' : `:${line}`;
      yield `  ${name}${where}: ${kind === 'note' ? 'note: ' : ''}${plain(path) || '/'} ${plain(message)} [${plain(rule)}]\n`;
    }
    if (problems.length > MAX_SHOWN) yield `  and ${problems.length - MAX_SHOWN} more\n`;
    for (const remark of remarks) yield `  ${plain(remark)}\n`;
  }
}
