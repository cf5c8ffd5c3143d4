/** `convene completion`: prints shell completions generated from the command table. */
import type { Command } from 'commander'
import { ConveneError } from '../../kernel/errors.ts'
import { ruleNames } from '../../rules/catalogue.ts'
import type { CommandContext } from './command.ts'

interface Completion {
  name: string
  summary: string
  flags: string[]
  words: readonly string[]
}

const shells = { bash, zsh, fish }

export const completionCommand = (program: Command) => async (context: CommandContext, shell: string) => {
  if (!Object.hasOwn(shells, shell))
    throw new ConveneError('usage', `no completions for '${shell}'`, {
      path: 'shell',
      expected: Object.keys(shells).join(' | '),
    })
  const script = shells[shell as keyof typeof shells](completions(program))
  context.output.print(script)
  context.output.data({ shell, script })
  return 0
}

function completions(program: Command): Completion[] {
  return program.commands.map((command) => ({
    name: command.name(),
    summary: command.description(),
    flags: command.options.flatMap((option) => (option.long ? [option.long] : [])),
    words: command.name() === 'decide' ? ruleNames : command.name() === 'completion' ? Object.keys(shells) : [],
  }))
}

function bash(commands: Completion[]): string {
  const cases = commands.map(({ name, flags, words }) => `    ${name}) words="${[...words, ...flags].join(' ')}" ;;`)
  return `_convene() {
  local current=\${COMP_WORDS[COMP_CWORD]} words
  case \${COMP_WORDS[1]} in
${cases.join('\n')}
    *) words="" ;;
  esac
  [ "$COMP_CWORD" -eq 1 ] && words="${commands.map((command) => command.name).join(' ')} --help --version"
  COMPREPLY=($(compgen -W "$words" -- "$current"))
}
complete -o default -F _convene convene`
}

function zsh(commands: Completion[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`)
  const cases = commands.map(({ name, flags, words }) => `    ${name}) compadd -- ${[...words, ...flags].join(' ')} ;;`)
  return `#compdef convene
local -a commands=(
${names.join('\n')}
)
if (( CURRENT == 2 )); then
  _describe command commands
else
  case $words[2] in
${cases.join('\n')}
  esac
fi`
}

function fish(commands: Completion[]): string {
  const lines = commands.flatMap(({ name, summary, flags, words }) => [
    `complete -c convene -n __fish_use_subcommand -f -a ${name} -d '${quoted(summary)}'`,
    ...flags.map((flag) => `complete -c convene -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`),
    ...(words.length > 0
      ? [`complete -c convene -n '__fish_seen_subcommand_from ${name}' -f -a '${words.join(' ')}'`]
      : []),
  ])
  return lines.join('\n')
}

const quoted = (text: string) => text.replaceAll("'", '’')
