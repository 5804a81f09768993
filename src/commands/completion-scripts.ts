/** Words that are always the same, or what the repository has. */
export type Values = readonly string[] | 'remotes' | 'sessions';

export interface OptionWords {
  readonly name: string;
  readonly help: string;
  readonly values?: Values;
}

/** What may follow a word that follows a verb. */
export type Next = readonly { readonly name: string; readonly values: readonly string[] }[];

/** What a shell offers for one verb. */
export interface VerbWords {
  readonly name: string;
  readonly summary: string;
  /** Files may follow it. */
  readonly files: boolean;
  readonly options: readonly OptionWords[];
  /** What may follow it. */
  readonly values?: Values;
  readonly next?: Next;
}

/** For any shell; the id of a session is the first word of its line. */
const COMMANDS = {
  remotes: 'git remote 2>/dev/null',
  sessions: 'git agent sessions 2>/dev/null | cut -d " " -f 1',
} as const;

const names = (words: readonly { readonly name: string }[]) => words.map(({ name }) => name).join(' ');

/** Git's own completion calls `_git_agent` for `git agent` and `_git_agent_blame` for `git agent-blame`, and offers its helpers. */
export function printBash(verbs: readonly VerbWords[]): string {
  const blame = verbs.find(({ name }) => name === 'blame');
  const cases = verbs
    .filter((verb) => verb !== blame)
    .map((verb) => `    ${verb.name}) offered="${names(verb.options)}" ;;`);
  return `# bash completion for git agent and git agent-blame, on top of git's own
__git_agent_values() {
  case "$1" in
${verbs.flatMap(bashValues).join('\n')}
  esac
}

# what may follow an option, attached or not, or a word; false where nothing is known
__git_agent_option() {
  local option="$prev" typed="$cur" values
  case "$cur" in
    --*=*) option="\${cur%%=*}"; typed="\${cur#*=}" ;;
  esac
  values=$(__git_agent_values "$1 $option")
  [ -n "$values" ] && __gitcomp "$values" "" "$typed"
}

_git_agent_blame() {
  __git_agent_option blame && return
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
  __git_agent_option "$verb" && return
  case "$cur" in
    -*) __gitcomp "$offered" ;;
    *) __gitcomp "$(__git_agent_values "$verb")" ;;
  esac
}

# the commands by their own names; git's completion may be loaded only when it is needed
__git_agent_plain() {
  declare -F __git_func_wrap >/dev/null || _completion_loader git 2>/dev/null
  declare -F __git_func_wrap >/dev/null && __git_func_wrap "$1"
}
__git_agent_command() { __git_agent_plain _git_agent; }
__git_agent_blame_command() { __git_agent_plain _git_agent_blame; }
complete -o bashdefault -o default -o nospace -F __git_agent_command git-agent
complete -o bashdefault -o default -o nospace -F __git_agent_blame_command git-agent-blame
`;
}

function bashValues({ name, options, values, next = [] }: VerbWords): string[] {
  const rows: readonly { readonly name: string; readonly values?: Values }[] = [
    ...(values ? [{ name, values }] : []),
    ...[...options, ...next].map((word) => ({ ...word, name: `${name} ${word.name}` })),
  ];
  return rows.flatMap((row) => {
    if (!row.values) return [];
    const said = typeof row.values === 'string' ? COMMANDS[row.values] : `echo "${row.values.join(' ')}"`;
    return [`    "${row.name}") ${said} ;;`];
  });
}

/**
 * Git's zsh completion calls `_git-agent` for `git agent`, with `agent` as the first word, and `_git-agent-blame` likewise. Zsh finds a function only in a file
 * of its name, so there have to be two.
 */
export function printZsh(verbs: readonly VerbWords[]): string {
  const described = verbs.map(({ name, summary }) => `    ${zshQuote(`${name}:${summary}`)}`);
  const cases = verbs.map((verb) => {
    const options = verb.options.map(({ name, help, values }) => {
      const glue = values && name.startsWith('--') ? '=' : '';
      return zshQuote(`${name}${glue}[${help.replace(/[[\]:]/g, ' ')}]${values ? `:value:${zshValues(values)}` : ''}`);
    });
    const rest = [
      ...(verb.values ? [zshQuote(`${verb.next ? '1' : '*'}:value:${zshValues(verb.values)}`)] : []),
      ...(verb.next ? [zshQuote(`2:value:${zshNext(verb.next)}`)] : []),
      ...(verb.files && !verb.values ? ["'*:file:_files'"] : []),
    ];
    return `    ${verb.name}) _arguments -S ${[...options, ...rest].join(' ')} ;;`;
  });
  return `#compdef git-agent git-agent-blame
# zsh completion for git agent and git agent-blame: save it by two names, _git-agent and _git-agent-blame
__git_agent_words() {
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
  __git_agent_words
}

# compinit gives both programs to the file that it finds first
_git-agent() {
  if [[ $service == git-agent-blame ]]; then
    _git-agent-blame
  else
    __git_agent_words
  fi
}

# the first call has only loaded this file
case $funcstack[1] in
  _git-agent|_git-agent-blame) $funcstack[1] ;;
esac
`;
}

function zshValues(values: Values): string {
  return typeof values === 'string' ? `{compadd -- $(${COMMANDS[values]}); _files}` : `(${values.join(' ')})`;
}

function zshNext(next: Next): string {
  const cases = next.map(({ name, values }) => `(${name}) compadd -- ${values.join(' ')} ;;`);
  return `{case $words[CURRENT-1] in ${cases.join(' ')} esac}`;
}

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

export function printFish(verbs: readonly VerbWords[]): string {
  const none = `not __fish_seen_subcommand_from ${names(verbs)}`;
  const lines = verbs.flatMap((verb) => [
    `complete -c git -n '__fish_seen_subcommand_from agent; and ${none}' -f -a ${verb.name} -d ${fishQuote(verb.summary)}`,
    `complete -c git-agent -n '${none}' -f -a ${verb.name} -d ${fishQuote(verb.summary)}`,
    ...fishArguments(verb),
    ...verb.options.flatMap((option) => {
      const values = option.values ? ` -x -a ${fishQuote(fishValues(option.values))}` : '';
      const flag = `${fishFlag(option.name)} -d ${fishQuote(option.help)}${values}`;
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

function fishArguments({ name, values, next = [] }: VerbWords): string[] {
  const within = `__fish_seen_subcommand_from ${name}`;
  const first = next.length === 0 ? within : `${within}; and not __fish_seen_subcommand_from ${names(next)}`;
  const rows = [
    ...(values ? [[first, `-a ${fishQuote(fishValues(values))}`] as const] : []),
    ...next.map((word) => {
      const offered = `-f -a ${fishQuote(fishValues(word.values))}`;
      return [`${within}; and __fish_seen_subcommand_from ${word.name}`, offered] as const;
    }),
  ];
  return rows.flatMap(([when, offered]) => [
    `complete -c git -n '__fish_seen_subcommand_from agent; and ${when}' ${offered}`,
    `complete -c git-agent -n '${when}' ${offered}`,
  ]);
}

function fishValues(values: Values): string {
  return typeof values === 'string' ? `(${COMMANDS[values]})` : values.join(' ');
}

function fishFlag(name: string): string {
  return name.startsWith('--') ? `-l ${name.slice(2)}` : `-s ${name.slice(1)}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
