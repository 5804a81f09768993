import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Fault } from '../../src/fault.ts';
import { findSurroundings } from '../../src/forge/index.ts';
import { A, AZURE, BITBUCKET, C, type Env, find, GITHUB, GITLAB, ZEROS } from './environments.ts';

describe('what is missing is named', () => {
  const push = { ...GITHUB, GITHUB_EVENT_NAME: 'push' };
  it.each<[string, Env, unknown, RegExp]>([
    ['no CI at all', {}, {}, /^AGENT_PR_BASE is not set: .*AGENT_PR_HEAD/],
    [
      'an event without a request',
      { ...GITHUB, GITHUB_EVENT_NAME: 'schedule' },
      {},
      /"schedule".*pull_request.*AGENT_PR_BASE/,
    ],
    ['an empty event', { ...GITHUB, GITHUB_EVENT_NAME: 'pull_request' }, {}, /nothing of pull_request/],
    ['a list for an event', { ...GITHUB, GITHUB_EVENT_NAME: 'pull_request' }, [], /event file .* missing/],
    [
      'a request without a head',
      { ...GITHUB, GITHUB_EVENT_NAME: 'pull_request' },
      { pull_request: { base: {} } },
      /nothing of head/,
    ],
    ['a push of nothing', push, { ref: 'refs/heads/x' }, /names no branch/],
    [
      'no repository',
      { ...push, GITHUB_REPOSITORY: '' },
      { ref: 'refs/heads/x', after: C },
      /^GITHUB_REPOSITORY is not set/,
    ],
    ['a GitLab pipeline for nothing', GITLAB, {}, /CI_MERGE_REQUEST_IID/],
    ['a Bitbucket build of nothing', BITBUCKET, {}, /BITBUCKET_PR_ID/],
    [
      'an Azure build of no branch',
      { ...AZURE, BUILD_SOURCEBRANCH: 'refs/pull/x' },
      {},
      /SYSTEM_PULLREQUEST_PULLREQUESTID/,
    ],
    ['an unknown forge', { AGENT_PR_FORGE: 'sourcehut', AGENT_PR_BASE: A }, {}, /^AGENT_PR_FORGE is not one of/],
    ['a revision like an option', { AGENT_PR_BASE: '--output=x' }, {}, /^AGENT_PR_BASE is not a revision/],
    ['an address that is none', { ...push, GITHUB_API_URL: 'file:///etc' }, {}, /^GITHUB_API_URL is not the address/],
  ])('%s', (_, env, event, message) => {
    expect(() => find(env, event)).toThrow(message);
    expect(() => find(env, event)).toThrow(Fault);
  });

  it('an event file that is not there, or not JSON', () => {
    const gone = () => {
      throw new Error('ENOENT');
    };
    expect(() => findSurroundings(push, gone)).toThrow(/GITHUB_EVENT_PATH names cannot be read/);
    expect(() => findSurroundings(push, () => '{')).toThrow(/GITHUB_EVENT_PATH names cannot be used: not JSON/);
  });

  it('no event, however strange, does anything but give an answer or a fault', () => {
    const names = fc.constantFrom('pull_request', 'push', 'merge_group', 'x');
    const keys = fc.constantFrom(
      'pull_request',
      'base',
      'head',
      'sha',
      'ref',
      'repo',
      'before',
      'after',
      '__proto__',
      'merged',
    );
    const { tree } = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: 'small' },
        fc.constantFrom<unknown>(null, true, 7, A, ZEROS, 'refs/heads/x', '-x', ''),
        fc.dictionary(keys, tie('tree'), { maxKeys: 5 }),
        fc.array(tie('tree'), { maxLength: 2 }),
      ),
    }));
    fc.assert(
      fc.property(names, tree, (GITHUB_EVENT_NAME, event) => {
        try {
          const { change, merged } = find({ ...GITHUB, GITHUB_EVENT_NAME }, event);
          expect([change?.base, change?.head, merged?.after].some((text) => text?.startsWith('-'))).toBe(false);
          expect(change === undefined || merged === undefined).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(Fault);
        }
      }),
    );
  });
});
