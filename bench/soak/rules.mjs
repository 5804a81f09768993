// What may grow while one works for hours, and by how much.

/** What each program takes; a process lives for a moment only, so that what it takes can depend only on what it reads. */
export const VERBS = ['work', 'sync', 'blame', 'push-notes'];

/** One more note to be read, united and looked up. */
const notes = { along: ({ notes }) => notes, unit: 'notes' };
/** One more edit to be kept, with the text after it, and now and then a session. */
const lines = { along: ({ lines }) => lines, unit: 'lines' };

/**
 * Among 100,000 notes nothing takes 200 MB (docs/performance.md): 1.5 MB for each 1,000. Half as much again is allowed. A reader that finds nothing
 * pending takes some 10 MB less than one that does: so peaks waver.
 */
const memoryOf = (verb) => ({
  ...{ ...notes, name: `memory of ${verb}`, in: 'MB', per: 2.3, slack: 12 },
  of: ({ peaks }) => peaks[verb]?.memory,
});

/** They do not depend on what is read. A git that is asked holds three, and chance decides how many are asked while somebody looks. */
const handlesOf = (verb) => ({
  ...{ ...notes, name: `handles of ${verb}`, in: '', per: 0, slack: 12 },
  of: ({ peaks }) => peaks[verb]?.handles,
});

export const RULES = [
  ...VERBS.flatMap((verb) => [memoryOf(verb), handlesOf(verb)]),
  // a session has a document, a file a timeline; each clone's index comes in pieces, which are merged from time to time
  { ...lines, name: 'files under agent/', in: '', of: ({ files }) => files, per: 60, slack: 90 },
  // the text after each edit, deflated, and what the session's document says of it
  { ...lines, name: 'size of agent/', in: 'MB', of: ({ kilobytes }) => kilobytes / 1024, per: 10, slack: 1 },
];

/** Files fill with lines, and their lines come from more and more commits, until each new line takes the place of another: a third of the time. */
export const settledOf = (marks) => marks.slice(Math.floor(marks.length / 3));
