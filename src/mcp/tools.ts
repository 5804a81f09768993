import type { Argument, ArgumentSchema, Arguments, Told, Tool } from './tool.ts';

/** Where the answers come from. */
export interface Sources {
  blame(said: Arguments): Promise<Told>;
  why(said: Arguments): Promise<Told>;
  searchConversations(said: Arguments): Promise<Told>;
  report(said: Arguments): Promise<Told>;
}

const FILE: Argument = {
  type: 'string',
  description:
    'Path of a tracked file: from the folder the server runs in, from the top of the repository, or absolute.',
};
const REVISION: Argument = {
  type: 'string',
  maxLength: 200,
  description: 'A commit, branch or tag instead of the work tree.',
};
const line = (description: string): Argument => ({ type: 'integer', minimum: 1, maximum: 100_000_000, description });

function takes(properties: ArgumentSchema['properties'], ...required: readonly string[]): ArgumentSchema {
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The tools, in the order of their list. */
export function toolsOf(sources: Sources): Tool[] {
  return [
    {
      name: 'blame',
      title: 'Who wrote each line',
      description:
        'Who wrote each line of a file: agent, model, session and evidence, or a person, or unknown. At most 100 lines at a time.',
      input: takes(
        { file: FILE, start_line: line('First line.'), end_line: line('Last line.'), revision: REVISION },
        'file',
      ),
      answers: 'git-agent-blame/blame@1',
      run: sources.blame,
    },
    {
      name: 'why',
      title: 'Why a line is as it is',
      description:
        'The prompt, the message of the agent and the edit that made a line. Ask before you change code you did not write.',
      input: takes({ file: FILE, line: line('The line.'), revision: REVISION }, 'file', 'line'),
      answers: 'git-agent-blame/line@1',
      run: sources.why,
    },
    {
      name: 'search_conversations',
      title: 'Search recorded conversations',
      description: 'Prompts, messages and commands of recorded agent sessions that have all the words, latest first.',
      input: takes(
        {
          query: {
            type: 'string',
            maxLength: 400,
            description: 'Words, with blanks between them; capitals do not count.',
          },
          limit: { type: 'integer', minimum: 1, maximum: 50, description: 'At most so many (10).' },
        },
        'query',
      ),
      answers: 'git-agent-blame/search@1',
      run: sources.searchConversations,
    },
    {
      name: 'report',
      title: 'AI share of lines',
      description:
        'How many lines agents, people or nobody known wrote, by model, tool, author, path, session and week.',
      input: takes({
        range: {
          type: 'string',
          maxLength: 400,
          description: 'Commits as git log takes them: main..HEAD. All that HEAD reaches.',
        },
        standing: { type: 'boolean', description: 'The lines that stand at HEAD instead of those that commits added.' },
      }),
      answers: 'git-agent-blame/report@1',
      run: sources.report,
    },
  ];
}
