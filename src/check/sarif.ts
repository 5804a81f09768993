import { createHash } from 'node:crypto';
import { howMany } from '../report/figures.ts';
import { uriOf } from '../report/sarif.ts';
import { plain } from '../terminal/plain.ts';
import { type Finding, nextSteps, type Place } from './finding.ts';
import { POLICY_FILE } from './policy.ts';
import { RULES, type Rule, type RuleId, rankOf } from './rules.ts';
import type { Verdict } from './verdict.ts';

export interface SarifOptions {
  /** Of this program. */
  readonly version: string;
  /** Results at most. */
  readonly limit?: number;
}

/** GitHub shows no more. */
const LIMIT = 5000;
const MAX_RELATED = 20;
/** About a commit as a whole: its first lines stand for all. */
const WHOLE_COMMIT: ReadonlySet<RuleId> = new Set(['requireAttribution', 'requireSeal']);

/** SARIF 2.1.0: one result per finding and file, what blocks first. */
export function printVerdictSarif(verdict: Verdict, { version, limit = LIMIT }: SarifOptions): string {
  const all = verdict.findings.reduce((sum, finding) => sum + subjectsOf(finding).length, 0);
  const results = [...firstResults(verdict.findings, limit)];
  const { scope, blocked, counts } = verdict;
  const run = {
    tool: { driver: { name: 'git-agent-blame', version, rules: RULES.map(descriptorOf) } },
    invocations: [invocation(results.length, all)],
    properties: { scope, blocked, lines: counts.lines, resultsLeftOut: all - results.length },
    results,
  };
  const $schema = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json';
  return `${JSON.stringify({ $schema, version: '2.1.0', runs: [run] })}\n`;
}

function descriptorOf({ id, title, help, next }: Rule) {
  const steps = next.map(({ command, does }) => (command ? `${command} (${does})` : does));
  const marked = next.map(({ command, does }) => (command ? `- \`${command}\`: ${does}` : `- ${does}`));
  return {
    id,
    name: id.charAt(0).toUpperCase() + id.slice(1),
    shortDescription: { text: `${title}.` },
    fullDescription: { text: help },
    help: { text: `${help} What to do: ${steps.join('; ')}.`, markdown: `${help}\n\n${marked.join('\n')}` },
    defaultConfiguration: { level: 'error' },
    properties: { tags: ['attribution'] },
  };
}

/** Leaving something out is said where SARIF has its place for it. */
function invocation(shown: number, all: number) {
  const text = `Only the first of ${howMany(all, 'result')} are here: ${shown}.`;
  const notes = shown === all ? [] : [{ level: 'warning', message: { text } }];
  return { executionSuccessful: true, toolExecutionNotifications: notes };
}

function* firstResults(findings: readonly Finding[], limit: number) {
  let left = limit;
  for (const finding of findings) {
    const some = subjectsOf(finding).slice(0, left);
    left -= some.length;
    for (const places of some) yield resultOf(finding, places);
    if (left === 0) return;
  }
}

/** The places of each result that a finding gives. */
function subjectsOf({ rule, commit, places }: Finding): (readonly Place[])[] {
  if (rule === 'brokenPolicy') return [places];
  if (commit === undefined || places.length === 0) return [[]];
  return WHOLE_COMMIT.has(rule) ? [places] : places.map((place) => [place]);
}

function resultOf(finding: Finding, places: readonly Place[]) {
  const { rule, level, message, commit, subject } = finding;
  const [location, ...related] = places.slice(0, MAX_RELATED + 1).flatMap(locationsOf);
  const steps = nextSteps([finding]).flatMap(({ command }) => command ?? []);
  const next = steps.length > 0 ? ` Next: ${steps.join(', or ')}.` : '';
  const about = commit === undefined ? '' : `Commit ${word(commit.slice(0, 10))}: `;
  return {
    ruleId: rule,
    ruleIndex: rankOf(rule),
    level: level === 'block' ? 'error' : 'warning',
    message: { text: `${about}${word(message)}.${next}` },
    // what is about no line in particular is about the policy
    locations: [
      location ?? { physicalLocation: { artifactLocation: artifact(POLICY_FILE), region: { startLine: 1 } } },
    ],
    ...(related.length > 0 && { relatedLocations: related.slice(0, MAX_RELATED) }),
    partialFingerprints: { 'finding/v1': fingerprint([rule, commit, subject, places[0]?.path]) },
    properties: { commit: commit ?? null, subject: subject ?? null },
  };
}

function locationsOf({ path, ranges }: Place) {
  const artifactLocation = artifact(uriOf(path));
  return ranges.map(({ start, end }) => ({
    physicalLocation: { artifactLocation, region: { startLine: start, endLine: end } },
  }));
}

function artifact(uri: string) {
  return { uri, uriBaseId: '%SRCROOT%' };
}

/** The same finding again is the same wherever its lines have gone; JSON keeps the parts apart. */
function fingerprint(parts: readonly (string | undefined)[]): string {
  const text = JSON.stringify(parts.map((part) => part ?? null));
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Brackets make links in a message and braces placeholders, and forges look for mentions. The exact value is in `properties`. */
function word(text: string): string {
  return plain(text)
    .slice(0, 300)
    .replace(/[[\]{}<>`@#]/g, '_');
}
