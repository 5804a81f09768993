import type { IssueRef } from './document.ts';
import { withoutSquashed } from './pull-requests.ts';

/** No message of a person is longer, and no list of issues. */
const MAX_MESSAGE = 64 * 1024;
const MAX_ISSUES = 100;

/** Words of the shape ABC-123 that name no issue: encodings, hashes, standards, licences, models. */
const NOT_A_PROJECT = new Set(
  `AES ARM BASE BSD CP CRC CVE CWE ECMA EN ES FIPS GB GPL GPT HTTP IEC IEEE IPV ISO LGPL MD MIT MP MPEG NIST PEP PKCS RFC RSA SHA TLS
   UCS US UTF UTC WCAG X`.split(/\s+/),
);

type Reader = { readonly pattern: RegExp; readonly issue: (parts: readonly string[]) => IssueRef | undefined };

const READERS: readonly Reader[] = [
  {
    pattern: /https?:\/\/(?:www\.)?github\.com\/([\w.-]+\/[\w.-]+)\/issues\/([1-9]\d{0,8})\b/g,
    issue: ([url = '', repository, number]) => ({ id: `${repository}#${number}`, url, tracker: 'github' }),
  },
  {
    pattern: /https?:\/\/[\w.-]+\.atlassian\.net\/browse\/([A-Z][A-Z0-9]{1,9}-[1-9]\d{0,8})\b/g,
    issue: ([url = '', key = '']) => ({ id: key, url, tracker: 'jira' }),
  },
  {
    // #12 and owner/repo#3; the number of a merged pull request is not an issue's
    pattern: /(?<![\w/.#&-])(?<!\bpull request )([\w-][\w.-]*\/[\w.-]+)?#([1-9]\d{0,8})(?![\w-])/gi,
    issue: ([, repository = '', number]) => ({ id: `${repository}#${number}` }),
  },
  {
    pattern: /(?<![\w/.-])GH-([1-9]\d{0,8})(?![\w-])/g,
    issue: ([, number]) => ({ id: `#${number}`, tracker: 'github' }),
  },
  {
    // Jira's form, which Linear and YouTrack share: the tracker stays open
    pattern: /(?<![\w/.-])([A-Z][A-Z0-9]{1,9})-([1-9]\d{0,8})(?![\w-]|\.\d)/g,
    issue: ([, project = '', number]) =>
      project === 'GH' || NOT_A_PROJECT.has(project) ? undefined : { id: `${project}-${number}` },
  },
];

/** The issues that a commit message names, each once, by id. The tracker is named only where the text leaves no doubt. */
export function issuesOf(message: string): IssueRef[] {
  const found = new Map<string, IssueRef>();
  const text = withoutSquashed(message.slice(0, MAX_MESSAGE));
  for (const { pattern, issue } of READERS) {
    for (const match of text.matchAll(pattern)) {
      const one = issue(match);
      if (one && !found.has(one.id)) found.set(one.id, one);
    }
  }
  return [...found.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(0, MAX_ISSUES);
}
