import { printClaims, printReceipt } from '../seal/claim.ts';
import { WHY_GONE, whyNot } from '../seal/note.ts';
import type { SealVerdict } from '../seal/verify.ts';
import { plain } from '../terminal/plain.ts';
import type { Verified } from './seals.ts';
import { type Row, timeOf } from './verify-rows.ts';

const WORDS: Readonly<Record<Row['state'], string>> = {
  sealed: 'sealed',
  refused: 'REFUSED',
  altered: 'ALTERED',
  unsealed: 'not sealed',
  gone: 'GONE',
  elsewhere: 'OF ANOTHER COMMIT',
  overruled: 'OVERRULED',
};

const ALWAYS = ['sealed', 'refused', 'altered', 'unsealed'] as const;
const SOMETIMES = ['gone', 'elsewhere', 'overruled'] as const;

export function printRows(rows: readonly Row[], { trusted, foreign }: Pick<Verified, 'trusted' | 'foreign'>): string {
  const count = (state: Row['state']) => rows.filter((row) => row.state === state).length;
  const told = [...ALWAYS, ...SOMETIMES.filter((state) => count(state) > 0)];
  const replaced = rows.filter(({ state, idle }) => state === 'unsealed' && idle).length;
  const parts = told.map((state) => {
    const note = state === 'unsealed' && replaced > 0 ? ` (${replaced} replaced by others)` : '';
    return `${count(state)} ${WORDS[state].toLowerCase()}${note}`;
  });
  return [
    ...rows.filter(({ state }) => state !== 'unsealed').flatMap(printRow),
    `${rows.length} ${rows.length === 1 ? 'record' : 'records'}: ${parts.join(', ')}.`,
    ...(foreign > 0 ? [`${foreign} ${foreign === 1 ? 'line is no seal' : 'lines are no seals'}, and left alone.`] : []),
    ...(trusted ? [] : ['Nobody is trusted yet: set gpg.ssh.allowedSignersFile to a file of allowed signers.']),
  ]
    .map((line) => `${line}\n`)
    .join('');
}

function printRow({ commit, record, state, verdicts, kid }: Row): string[] {
  const [first, ...others] = verdicts;
  const head = `${commit.slice(0, 10)} ${record} ${WORDS[state]}`;
  if (state === 'gone')
    return [plain(`${head}: ${WHY_GONE}${kid === undefined ? '' : `; its seal names the key ${kid}`}`)];
  const said = state === 'sealed' && first ? signature(first) : `: ${whyNot({ state, verdicts })}`;
  return [
    plain(head + said),
    ...(first ? details(first) : []),
    ...others.flatMap((other) => [`    ${plain(another(other))}`, ...details(other)]),
  ];
}

/** A sealed file. */
export function printFile(verdict: SealVerdict): string {
  const said = verdict.ok ? `sealed${signature(verdict)}` : verdict.reasons.map(({ message }) => message).join(' ');
  return [plain(said), ...details(verdict)].map((line) => `${line}\n`).join('');
}

function signature({ proven, at: said }: SealVerdict): string {
  const at = timeOf(said);
  return ` by ${proven?.principal ?? ''}${at === undefined ? '' : ` at ${at}`}`;
}

function another(verdict: SealVerdict): string {
  return verdict.ok
    ? `also sealed${signature(verdict)}`
    : `another seal is refused: ${verdict.reasons.map(({ message }) => message).join(' ')}`;
}

function details({ receipts, claimed }: SealVerdict): string[] {
  return [
    ...receipts.map((receipt) => `    ${plain(`receipt: ${printReceipt(receipt)}`)}`),
    ...(claimed ? [`    ${plain(`claimed, not proven: ${printClaims(claimed)}`)}`] : []),
  ];
}
