import type { PullRequestRef } from './document.ts';

/** As forges write it when they merge: `topic (#12)`, `Merge pull request #12 from x`, `See merge request group/name!12`. */
const SQUASHED = /\(#([1-9]\d{0,8})\)[ \t]*$/;
const MERGED = /^Merge pull request #([1-9]\d{0,8})\b/;
const MERGE_REQUEST = /(?:^|\n)See merge request (?:([\w./-]{1,200}))?!([1-9]\d{0,8})[ \t]*(?:\r?\n|$)/;

/** No message of a person is longer. */
const MAX_MESSAGE = 64 * 1024;

/** The pull requests that a commit message says it came by. */
export function pullRequestsOf(message: string): PullRequestRef[] {
  const text = message.slice(0, MAX_MESSAGE);
  const subject = subjectOf(text);
  const [, group, request] = MERGE_REQUEST.exec(text) ?? [];
  const numbers = [MERGED.exec(subject)?.[1], SQUASHED.exec(subject)?.[1]].filter((one) => one !== undefined);
  return [
    ...[...new Set(numbers)].map((number) => ({ number: Number(number) })),
    ...(request === undefined ? [] : [{ number: Number(request), ...(group && { repository: group }) }]),
  ];
}

/** The message without the number that a forge put behind its subject. */
export function withoutSquashed(message: string): string {
  const subject = subjectOf(message);
  // a number alone is all there is to say
  const shorter = subject.replace(SQUASHED, '');
  return shorter.trim() === '' ? message : shorter + message.slice(subject.length);
}

function subjectOf(message: string): string {
  return message.split('\n', 1)[0]?.replace(/\r$/, '') ?? '';
}
