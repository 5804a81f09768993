// node clone.mjs URL FILE: no git, no work tree; only what is needed is fetched
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { blame } from 'git-agent-blame/web';
import git from 'isomorphic-git';
import http from 'isomorphic-git/http/node';

const [url, file] = process.argv.slice(2);
const place = { fs, gitdir: fs.mkdtempSync(path.join(os.tmpdir(), 'clone-')), cache: {} };
const notes = '+refs/notes/agent/*:refs/notes/origin/agent/*';
await git.init({ ...place, bare: true });
await git.addRemote({ ...place, remote: 'origin', url });
await git.setConfig({ ...place, path: 'remote.origin.fetch', value: notes, append: true });
// isomorphic-git fetches refs outside of branches and tags only by name, one at a time
for (const ref of ['HEAD', 'refs/notes/agent/trace'])
  await git.fetch({ ...place, http, remote: 'origin', ref, singleBranch: true });
const { summary } = await blame({ ...place, file, ref: 'origin/HEAD', anchor: true });
console.log(JSON.stringify(summary));
fs.rmSync(place.gitdir, { recursive: true });
