// A clone with the hands that work in it: two agents and a person. What is written says by whom it is.
import fs from 'node:fs';
import path from 'node:path';
import { openClaude } from '../claude.mjs';
import { makePlace } from '../place.mjs';

/** So long do files become: then each new line takes the place of another, so that only what is recorded grows. */
const LONGEST = 20;
/** So many calls has a session; then the agent begins another. */
const CALLS = 40;

const MODEL = { version: '2.1.197', model: 'claude-opus-4-5-20251101' };

/** Node lets what is strewn about pile up to some 50 MB before it is swept: with little room for it a peak tells what is held. */
const SWEPT = { NODE_OPTIONS: '--max-semi-space-size=1 --max-old-space-size=64' };

export function openClone(name, bare, chance) {
  const place = makePlace(`soak-${name}`);
  Object.assign(place.env, SWEPT);
  place.git('remote', 'add', 'origin', bare);
  place.init();
  const agents = ['one', 'two'].map((agent) => openAgent(place, `${name}-${agent}`));
  const read = (file) => (fs.existsSync(path.join(place.dir, file)) ? place.read(file) : '');
  const files = Array.from({ length: 4 }, (_, i) => `${name}-${i}.txt`);
  let lines = 0;
  const fresh = (hand) => `${hand} wrote line ${++lines} ${chance.word()}`;
  /** A line of this hand somewhere in a text. */
  const added = (text, hand) => {
    const all = text.split('\n').slice(0, -1);
    all.splice(chance.below(all.length + 1), 0, fresh(hand));
    if (all.length > LONGEST) all.splice(chance.below(all.length), 1);
    return `${all.join('\n')}\n`;
  };
  return {
    name,
    place,
    files,
    lines: () => lines,
    person() {
      const file = chance.pick(files);
      place.write(file, added(read(file), 'person'));
    },
    agent() {
      const file = chance.pick(files);
      chance.pick(agents).call((claude, id, session) => claude.write(id, file, added(read(file), session)));
    },
    shell() {
      const file = chance.pick(files);
      chance.pick(agents).call((claude, id, session) => claude.shell(id, `echo '${fresh(session)}' >>${file}`));
    },
    /** Their turns are over: what they did is worked in, whether it is committed or not. */
    rest() {
      for (const agent of agents) agent.rest();
    },
    commit(...more) {
      place.git('add', '-A');
      place.git('commit', '-q', '--allow-empty', '-m', `by ${name} ${lines}`, ...more);
    },
    clean: () => place.git('status', '--porcelain') === '',
  };
}

/** An agent that begins a new session now and then. */
function openAgent(place, name) {
  let [count, calls] = [0, 0];
  const next = () => {
    const session = `${name}-${++count}`;
    return { session, claude: openClaude(place, { session, ...MODEL }) };
  };
  let now = next();
  return {
    call(tool) {
      if (++calls % CALLS === 0) {
        now.claude.end();
        now = next();
      }
      tool(now.claude, `toolu_${name}_${calls}`, now.session);
    },
    rest: () => now.claude.hook({ hook_event_name: 'Stop' }),
  };
}
