/** The commands and options that people and scripts rely on: more may come, none may go. */
import { describe, expect, it } from 'vitest'
import { buildProgram } from './program.ts'

const promised: Record<string, string> = {
  init: '',
  doctor: '--try',
  trust: '--show',
  serve: '--port --host --open',
  'ask <text>': '--to --mode --speaker --max-rounds --room',
  'plan [goal]': '--mode --preset --answers --yes --show',
  'build <spec>': '--strategy --merge',
  'compare <spec-or-goal>': '--build --mode --yes',
  'ship <goal>': '--mode --merge --yes',
  'greenlight <feature>': '--issues --from-github',
  'run <feature>': '--issue --smart --merge',
  'status [feature]': '',
  'unblock <feature>': '--issue',
  questions: '',
  'answer <id> <choice>': '',
  runs: '',
  'stop <run>': '',
  'resume <run>': '',
  'fork <run>': '--from',
  'replay <run>': '',
  events: '--feature --run --follow',
  'why <what>': '',
  'decide <rule>': '--lines --explain',
  mcp: '',
}

const commands = buildProgram(() => {}).commands
const find = (name: string) => commands.find((command) => command.name() === name)

describe('the command line', () => {
  it.each(Object.entries(promised))('has %s %s', (usage, options) => {
    const [name = '', ...expected] = usage.split(' ')
    const command = find(name)!
    const given = command.registeredArguments.map(({ required }) => required)
    expect(given).toEqual(expected.map((argument) => argument.startsWith('<')))
    const names = command.options.map(({ long }) => long)
    expect(names).toEqual(expect.arrayContaining([...options.split(' ').filter(Boolean), '--json', '--folder']))
  })

  it('serves on port 4747 unless told otherwise', () => {
    expect(find('serve')!.opts()).toMatchObject({ port: '4747' })
  })

  it('describes every command in one line, and the exit codes', () => {
    for (const command of commands)
      expect([command.name(), command.description()]).toEqual([command.name(), expect.stringMatching(/^\S.{10,}$/)])
  })
})

describe('the help', () => {
  const program = buildProgram(() => {})
  const helpOf = (command: typeof program) => {
    let text = ''
    command.configureOutput({ writeOut: (piece) => (text += piece), getOutHelpWidth: () => 80 }).outputHelp()
    return text
  }

  it.each([program, ...program.commands].map((command) => [command.name(), command] as const))(
    'of %s fits a terminal of 80 columns',
    (_name, command) => {
      expect(
        helpOf(command)
          .split('\n')
          .filter((line) => line.length > 80),
      ).toEqual([])
    },
  )

  it('lists every command in a group', () => {
    expect(program.commands.filter((command) => !command.helpGroup()).map((command) => command.name())).toEqual([])
  })
})
