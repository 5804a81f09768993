import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { JJ, type JjWorkshop, type Layout, openJjWorkshop } from './jj-workshop.ts';

/** Each layout, with notes written before the operation or only after it; all four where $JJ_ALL is set. */
const CASES: [Layout, worked: boolean][] = [
  ['colocated', true],
  ['apart', false],
  ...(process.env.JJ_ALL
    ? ([
        ['colocated', false],
        ['apart', true],
      ] as [Layout, boolean][])
    : []),
];

describe.skipIf(JJ === undefined)('jj (needs the program)', () => {
  describe.each(CASES)('%s, worked in before: %s', (layout, worked) => {
    let shop: JjWorkshop;
    beforeEach(async () => {
      shop = await openJjWorkshop(layout);
      shop.human('base.ts', 'base one\nbase two\nbase three\n');
      shop.jj('commit', '-m', 'start');
    });
    afterEach(() => shop.remove());

    /** Answered from memory first, then from what the work has written: both must be the same. */
    async function toldAll(asked: readonly (readonly [revset: string, file: string])[]): Promise<string[]> {
      const ids = asked.map(([revset]) => shop.id(revset));
      const letters = async () => {
        const found: string[] = [];
        for (const [i, [, file]] of asked.entries()) found.push(await shop.blame(ids[i] ?? '', '--', file));
        return found;
      };
      const before = await letters();
      await shop.work();
      expect(await letters()).toEqual(before);
      expect(shop.noted()).not.toContain(shop.id('@'));
      return before;
    }

    async function told(revset: string, file: string): Promise<string> {
      return (await toldAll([[revset, file]]))[0] ?? '';
    }

    /** Three changes: the agent's and a person's lines in one file, a person's file, the agent's second file. */
    async function stack(): Promise<void> {
      shop.ai('a.ts', 'agent alpha\nagent beta\n');
      shop.human('a.ts', 'agent alpha\nperson between\nagent beta\n');
      shop.jj('commit', '-m', 'a');
      shop.human('h.ts', 'person gamma\n');
      shop.jj('commit', '-m', 'h');
      shop.ai('b.ts', 'agent delta\nagent epsilon\n', 's2');
      shop.jj('commit', '-m', 'b');
      if (worked) await shop.work();
    }

    const A = 'subject(exact:"a")';
    const H = 'subject(exact:"h")';
    const B = 'subject(exact:"b")';

    test('what stands in the work tree is pending, snapshot or not', async () => {
      shop.ai('a.ts', 'agent alpha\n');
      shop.jj('st');
      shop.human('a.ts', 'agent alpha\nperson beta\n');
      expect(await shop.blame('a.ts')).toBe('ah');
      shop.jj('st');
      await shop.work();
      expect(await shop.blame('a.ts')).toBe('ah');
      expect(shop.noted()).not.toContain(shop.id('@'));
    });

    test('describe, then new', async () => {
      shop.ai('a.ts', 'agent alpha\n');
      shop.human('a.ts', 'agent alpha\nperson beta\n');
      shop.jj('describe', '-m', 'a');
      await shop.work();
      shop.jj('new');
      expect(await told('@-', 'a.ts')).toBe('ah');
      expect(shop.noted()).toContain(shop.id('@-'));
    });

    test('new without a description: the id stays, and is due when it is no longer @', async () => {
      shop.ai('a.ts', 'agent alpha\n');
      shop.jj('st');
      const id = shop.id('@');
      await shop.work();
      shop.jj('new');
      expect(shop.id('@-')).toBe(id);
      expect(await told('@-', 'a.ts')).toBe('a');
      expect(shop.noted()).toContain(id);
    });

    test('a record names the change, and the commit in our part', async () => {
      await stack();
      await shop.work();
      const [record] = shop.notes(shop.id(B)) as unknown as {
        vcs: unknown;
        metadata: Record<string, { commit: string }>;
      }[];
      expect(record?.vcs).toEqual({ type: 'jj', revision: shop.change(B) });
      expect(record?.metadata['dev.git-agent-blame']?.commit).toBe(shop.id(B));
    });

    describe('three changes', () => {
      beforeEach(stack);
      const standing = async () => {
        const asked = [
          [A, 'a.ts'],
          [H, 'h.ts'],
          [B, 'b.ts'],
        ] as const;
        const [a, h, b] = await toldAll(asked);
        return { a, h, b };
      };
      const LETTERS = { a: 'aha', h: 'h', b: 'aa' };

      test('commit', async () => expect(await standing()).toEqual(LETTERS));

      test('describe an ancestor', async () => {
        shop.jj('describe', '-m', 'a\n\nwith a body', A);
        expect(await standing()).toEqual(LETTERS);
      });

      test('rebase to another parent', async () => {
        shop.jj('rebase', '-r', B, '-d', 'subject(exact:"start")');
        expect(await standing()).toEqual(LETTERS);
      });

      test('rebase over new lines in the same file', async () => {
        shop.jj('new', 'subject(exact:"start")');
        shop.human('base.ts', 'person zero\nbase one\nbase two\nbase three\n');
        shop.jj('commit', '-m', 'other');
        shop.jj('new', B);
        shop.ai('base.ts', 'base one\nbase two\nbase three\nagent four\n', 's3');
        shop.jj('commit', '-m', 'mine');
        if (worked) await shop.work();
        shop.jj('rebase', '-s', A, '-d', 'subject(exact:"other")');
        expect(await told('subject(exact:"mine")', 'base.ts')).toBe('hhhha');
        expect(await standing()).toEqual(LETTERS);
      });

      test('squash the work tree into an ancestor', async () => {
        shop.ai('h.ts', 'person gamma\nagent zeta\n', 's3');
        shop.jj('squash', '--into', H);
        expect(await standing()).toEqual({ ...LETTERS, h: 'ha' });
      });

      test('squash a change into its parent', async () => {
        shop.jj('squash', '-r', B, '-m', 'h');
        expect(await told(H, 'b.ts')).toBe('aa');
        expect(await told(H, 'h.ts')).toBe('h');
      });

      test('squash a change into another that touches the same lines', async () => {
        shop.human('a.ts', 'agent alpha\nperson between\nperson instead\n');
        shop.jj('commit', '-m', 'c');
        if (worked) await shop.work();
        shop.jj('squash', '--from', 'subject(exact:"c")', '--into', A, '-m', 'a');
        expect(await standing()).toEqual({ ...LETTERS, a: 'ahh' });
      });

      test('split', async () => {
        shop.jj('squash', '--from', B, '--into', A, '-m', 'a');
        if (worked) await shop.work();
        shop.jj('split', '-r', A, '-m', 'first', 'a.ts');
        expect(await told('subject(exact:"first")', 'a.ts')).toBe('aha');
        expect(await told(A, 'b.ts')).toBe('aa');
      });

      test('absorb', async () => {
        shop.ai('a.ts', 'agent alpha\nperson between\nagent changed\n', 's3');
        shop.human('h.ts', 'person changed\n');
        shop.jj('absorb');
        expect(await standing()).toEqual(LETTERS);
        const lines = (await shop.json(shop.id(A), '--', 'a.ts')).lines;
        expect(lines.map(({ session }) => session)).toEqual(['s1', null, 's3']);
      });

      test('duplicate', async () => {
        shop.jj('duplicate', A, '-d', 'subject(exact:"start")');
        const copy = `${A} ~ ::@`;
        expect(await told(copy, 'a.ts')).toBe('aha');
        expect(await told(`${A} & ::@`, 'a.ts')).toBe('aha');
      });

      test('abandon a change in the middle', async () => {
        shop.jj('abandon', H);
        expect(await told(A, 'a.ts')).toBe('aha');
        expect(await told(B, 'b.ts')).toBe('aa');
      });

      test('undo, and redo', async () => {
        shop.jj('squash', '-r', B, '-m', 'h');
        if (worked) await shop.work();
        shop.jj('undo');
        expect(await standing()).toEqual(LETTERS);
        shop.jj('redo');
        expect(await told(H, 'b.ts')).toBe('aa');
      });

      test('edit an old change, and go on there', async () => {
        shop.jj('edit', A);
        expect(await shop.blame('a.ts')).toBe('aha');
        shop.ai('a.ts', 'agent alpha\nperson between\nagent beta\nagent late\n', 's3');
        shop.human('a.ts', 'person first\nagent alpha\nperson between\nagent beta\nagent late\n');
        expect(await shop.blame('a.ts')).toBe('hahaa');
        shop.jj('new', B);
        expect(await standing()).toEqual({ ...LETTERS, a: 'hahaa' });
      });

      test('divergence: one change, two commits', async () => {
        const before = shop.jj('op', 'log', '--no-graph', '-n1', '-T', 'id');
        shop.jj('describe', '-m', 'h\n\none', H);
        shop.jj('--at-operation', before, 'describe', '-m', 'h\n\nother', H);
        shop.jj('st');
        const ids = shop.jj('log', '--no-graph', '-r', H, '-T', 'commit_id ++ "\n"').split('\n');
        expect(ids).toHaveLength(2);
        for (const id of ids) expect(await told(id, 'h.ts')).toBe('h');
      });
    });
  });
});
