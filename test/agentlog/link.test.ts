import { describe, expect, it } from 'vitest';
import { issuesOf } from '../../src/agentlog/issues.ts';
import { linkDocument, type SessionLink } from '../../src/agentlog/link.ts';
import { printDocument } from '../../src/agentlog/print.ts';
import { relationsOf } from '../../src/agentlog/relations.ts';
import { validateDocument } from '../../src/agentlog/validate.ts';

const link: SessionLink = {
  session: 's1',
  agent: { name: 'claude-code', version: '2.1.197' },
  startTime: '2026-05-01T09:00:00Z',
  endTime: '2026-05-01T09:30:00Z',
  status: 'completed',
  commits: [
    { sha: 'b'.repeat(40) },
    { sha: 'a'.repeat(40), message: 'add it\n\nbody', timestamp: '2026-05-01T09:20:00Z' },
    { sha: 'a'.repeat(40) },
  ],
  pullRequests: [{ number: 7, url: 'https://x.example/7' }, { number: 7 }],
  issues: [{ id: '#3' }],
  parentSession: 's0',
  childSessions: ['c2', 'c1', 'c2'],
  traceIds: ['t2', 't1'],
};

describe('linkDocument', () => {
  it('ties a session to what is known of it, without a word of the conversation', () => {
    const document = linkDocument(link);
    expect(validateDocument(document)).toEqual([]);
    expect(document).toEqual({
      specVersion: '0.2.0',
      id: 's1',
      startTime: '2026-05-01T09:00:00Z',
      endTime: '2026-05-01T09:30:00Z',
      status: 'completed',
      agent: { name: 'claude-code', version: '2.1.197' },
      events: [],
      relationships: {
        commits: [
          { sha: 'a'.repeat(40), message: 'add it', timestamp: '2026-05-01T09:20:00Z' },
          { sha: 'b'.repeat(40) },
        ],
        pullRequests: [{ number: 7, url: 'https://x.example/7' }],
        issues: [{ id: '#3' }],
        parentSession: 's0',
        childSessions: ['c1', 'c2'],
        properties: { 'git-agent-blame:traces': ['t1', 't2'] },
      },
    });
  });

  it('does not depend on the order of what it is given', () => {
    const reversed: SessionLink = {
      ...link,
      commits: [...link.commits].reverse(),
      pullRequests: [...(link.pullRequests ?? [])].reverse(),
      childSessions: ['c1', 'c2'],
      traceIds: ['t1', 't2', 't1'],
    };
    expect(printDocument(linkDocument(reversed))).toBe(printDocument(linkDocument(link)));
  });

  it('leaves out what is not known', () => {
    const { session, agent, startTime } = link;
    expect(linkDocument({ session, agent, startTime, status: 'active', commits: [] })).toEqual({
      specVersion: '0.2.0',
      id: 's1',
      startTime,
      status: 'active',
      agent,
      events: [],
      relationships: { commits: [] },
    });
  });
});

describe('issuesOf', () => {
  it.each<[string, object[]]>([
    ['no issue', []],
    ['see #12', [{ id: '#12' }]],
    ['Fixes #12, closes #3.', [{ id: '#12' }, { id: '#3' }]],
    ['(#12)', [{ id: '#12' }]],
    ['one, fixes #12 and PROJ-77 (#34)', [{ id: '#12' }, { id: 'PROJ-77' }]],
    ['Refs owner/repo.js#3', [{ id: 'owner/repo.js#3' }]],
    ['GH-4: x', [{ id: '#4', tracker: 'github' }]],
    ['ABC-123 and [X1-7] ABC-123', [{ id: 'ABC-123' }, { id: 'X1-7' }]],
    [
      'https://github.com/o/r/issues/5#top',
      [{ id: 'o/r#5', url: 'https://github.com/o/r/issues/5', tracker: 'github' }],
    ],
    [
      'https://acme.atlassian.net/browse/AB-9',
      [{ id: 'AB-9', url: 'https://acme.atlassian.net/browse/AB-9', tracker: 'jira' }],
    ],
    ['Merge pull request #12 from x', []],
    ['UTF-8, SHA-256, CVE-2024-1, ISO-8859-1, GPT-5.1', []],
    ['colour #123abc, anchor page#2, &#39; #0 #007', []],
    ['a-ABC-1 ABC-1-b lower abc-1', []],
  ])('%j', (message, issues) => {
    expect(issuesOf(message)).toEqual(issues);
  });

  it('stops somewhere', () => {
    expect(issuesOf(Array.from({ length: 5000 }, (_, i) => `#${i + 1}`).join(' '))).toHaveLength(100);
    expect(issuesOf(`${'a/'.repeat(200_000)}#1`)).toEqual([]);
  });
});

describe('relationsOf', () => {
  it.each<[string, number[]]>([
    ['one, fixes #12 and PROJ-77 (#34)', [34]],
    ['topic (#34)\n\nsee (#7)', [34]],
    ['Merge pull request #8 from a/b\n\ntopic', [8]],
    ['topic\n\nSee merge request group/name!9\n', [9]],
    ['see #12', []],
    ['', []],
  ])('finds the pull requests of %j', (message, numbers) => {
    expect((relationsOf(message, undefined).pullRequests ?? []).map(({ number }) => number)).toEqual(numbers);
  });

  it('joins what the message and the session tell, without titles', () => {
    const told = {
      parentSession: 'parentof',
      childSessions: ['subchild'],
      pullRequests: [{ number: 5, title: 'words' }],
      issues: [{ id: '99', title: 'words' }],
    };
    expect(relationsOf('one, fixes #12 (#34)', told)).toEqual({
      parentSession: 'parentof',
      childSessions: ['subchild'],
      pullRequests: [{ number: 34 }, { number: 5 }],
      issues: [{ id: '#12' }, { id: '99' }],
    });
    expect(relationsOf('', null)).toEqual({});
  });
});
