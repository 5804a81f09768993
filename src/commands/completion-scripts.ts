/** What a shell offers for one verb. */
export interface VerbWords {
  readonly name: string;
  readonly summary: string;
  /** Files may follow it. */
  readonly files: boolean;
  readonly options: readonly { readonly name: string; readonly help: string }[];
}

const names = (words: readonly { readonly name: string }[]) => words.map(({ name }) => name).join(' ');

/** Git's own completion calls `_git_agent` for `git agent` and `_git_agent_blame` for `git agent-blame`, and offers its helpers. */
export function printBash(verbs: readonly VerbWords[]): string {
  const blame = verbs.find(({ name }) => name === 'blame');
  const cases = verbs
    .filter((verb) => verb !== blame)
    .map((verb) => `    ${verb.name}) offered="${names(verb.options)}" ;;`);
  return `# bash completion for git agent and git agent-blame, on top of git's own
_git_agent_blame() {
  case "$cur" in
    --*) __gitcomp "${names(blame?.options.filter(({ name }) => name.startsWith('--')) ?? [])}" ;;
    *) __git_complete_revlist_file ;;
  esac
}

_git_agent() {
  local verb="" offered="" i
  for ((i = \${__git_cmd_idx:-1} + 1; i < cword; i++)); do
    case "\${words[i]}" in
      -*) ;;
      *) verb="\${words[i]}"; break ;;
    esac
  done
  case "$verb" in
    "") __gitcomp "${names(verbs)}"; return ;;
    blame) _git_agent_blame; return ;;
${cases.join('\n')}
  esac
  case "$cur" in
    -*) __gitcomp "$offered" ;;
  esac
}
`;
}

/** Git's zsh completion calls `_git-agent` for `git agent`, with `agent` as the first word. */
export function printZsh(verbs: readonly VerbWords[]): string {
  const described = verbs.map(({ name, summary }) => `    ${zshQuote(`${name}:${summary}`)}`);
  const cases = verbs.map((verb) => {
    const options = verb.options.map(({ name, help }) => zshQuote(`${name}[${help.replace(/[[\]:]/g, ' ')}]`));
    return `    ${verb.name}) _arguments -S ${[...options, ...(verb.files ? ["'*:file:_files'"] : [])].join(' ')} ;;`;
  });
  return `#compdef git-agent git-agent-blame
# zsh completion for git agent and git agent-blame
_git-agent() {
  local -a verbs
  verbs=(
${described.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe -t commands verb verbs
    return
  fi
  local verb=$words[2]
  shift words
  (( CURRENT-- ))
  case $verb in
${cases.join('\n')}
  esac
}

_git-agent-blame() {
  words=(agent blame "\${(@)words[2,-1]}")
  (( CURRENT++ ))
  _git-agent
}

case $service in
  git-agent-blame) _git-agent-blame "$@" ;;
  git-agent) _git-agent "$@" ;;
esac
`;
}

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function printFish(verbs: readonly VerbWords[]): string {
  const none = `not __fish_seen_subcommand_from ${names(verbs)}`;
  const lines = verbs.flatMap((verb) => [
    `complete -c git -n '__fish_seen_subcommand_from agent; and ${none}' -f -a ${verb.name} -d ${fishQuote(verb.summary)}`,
    `complete -c git-agent -n '${none}' -f -a ${verb.name} -d ${fishQuote(verb.summary)}`,
    ...verb.options.flatMap((option) => {
      const flag = `${fishFlag(option.name)} -d ${fishQuote(option.help)}`;
      const within = `__fish_seen_subcommand_from ${verb.name}`;
      const both = [
        `complete -c git -n '__fish_seen_subcommand_from agent; and ${within}' ${flag}`,
        `complete -c git-agent -n '${within}' ${flag}`,
      ];
      if (verb.name !== 'blame') return both;
      return [
        ...both,
        `complete -c git -n '__fish_seen_subcommand_from agent-blame' ${flag}`,
        `complete -c git-agent-blame ${flag}`,
      ];
    }),
  ]);
  return `# fish completion for git agent and git agent-blame\n${lines.join('\n')}\n`;
}

function fishFlag(name: string): string {
  return name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
