/** The table of commands: their arguments, options and help. Each command's module is loaded when it runs. */
import { Command, CommanderError } from 'commander'
import { ConveneError } from '../kernel/errors.ts'
import { version } from '../kernel/version.ts'
import { createContext } from './commands/command.ts'
import { reportError } from './report-error.ts'
import { type AddCommand, addTeamCommands } from './team-commands.ts'

interface CommonOptions {
  json?: boolean
  folder: string
}

export async function runCommandLine(words: string[]): Promise<number> {
  let exitCode = 0
  const program = buildProgram((code) => {
    exitCode = code
  })
  try {
    await program.parseAsync(withCommand(words), { from: 'user' })
    return exitCode
  } catch (error) {
    return reportFailure(error, words)
  }
}

/** `convene` alone opens a room in the terminal; without a terminal it prints the help. */
function withCommand(given: string[]): string[] {
  if (given.length === 0 && !isTerminal()) return ['--help']
  const words = withCommonBehind(given)
  const [first = '-'] = words
  return first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first) ? ['talk', ...words] : words
}

/** Options that every command accepts may also precede its name: `convene -C shop status`. */
function withCommonBehind(words: string[]): string[] {
  let common = 0
  while (common < words.length) {
    const word = words[common]!
    if (word === '-C' || word === '--folder') common += 2
    else if (word === '--json' || /^(?:-C.|--folder=)/.test(word)) common += 1
    else break
  }
  const [name, ...rest] = words.slice(common)
  if (name === undefined || name.startsWith('-')) return words
  return [name, ...words.slice(0, common), ...rest]
}

/** Every command takes options: the overview shows only arguments. */
function termOf(command: Command): string {
  const named = command.registeredArguments.map((one) => (one.required ? `<${one.name()}>` : `[${one.name()}]`))
  return [command.name(), ...named].join(' ')
}

const isTerminal = () => Boolean(process.stdin.isTTY && process.stdout.isTTY)

export function buildProgram(done: (exitCode: number) => void): Command {
  const program = new Command('convene')
    .description('Bring several AI agents to one piece of work, and get them to agree, build and finish it.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print help')
    .addHelpCommand(
      new Command('help').argument('[command]').description('print the help of a command').helpGroup('Other tools:'),
    )
    .configureHelp({ subcommandTerm: termOf })
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError(true)
    .addHelpText(
      'after',
      `
First steps:
  convene doctor                        check what can be used here
  convene init                          write convene.yaml for this project
  convene                               talk to the agents in this terminal
  convene ask "Which queue?"            ask; a rule decides who answers
  convene ask "Which queue?" --to gpt   ask one agent
  convene serve --open                  do all of this in a browser
  echo '{"prompt":"drop table users"}' | convene decide risk --explain

Every command accepts --json. Exit codes: 0 done, 1 the work failed, 2 wrong
usage or configuration, 3 waiting for your answer, 124 out of time, 130 stopped.`,
    )

  const add: AddCommand = (usage, summary, load, shape) => {
    const command = program
      .command(usage)
      .description(summary)
      .exitOverride()
      .configureOutput({ writeErr: () => {} })
    shape?.(command)
    command
      .option('--json', 'print JSON instead of text')
      .option('-C, --folder <folder>', 'work in this folder', '.')
      .action(async (...received: unknown[]) => {
        const parsed = received.slice(0, -1)
        const options = parsed[parsed.length - 1] as CommonOptions
        const context = createContext({ json: Boolean(options.json), folder: options.folder })
        done(await (await load())(context, ...(parsed as never[])))
      })
  }

  program.commandsGroup('Set up:')
  add(
    'init',
    'write convene.yaml with the agents, set-up and test commands found here',
    async () => (await import('./commands/init.ts')).initCommand,
    (command) => command.option('--force', 'overwrite an existing file'),
  )
  add(
    'doctor',
    'check what can be used here, what cannot, and how to fix it',
    async () => (await import('./commands/doctor.ts')).doctorCommand,
    (command) =>
      command
        .option('--sandbox', 'test the sandbox: try what commands must not do; exit code 1 if anything succeeds')
        .option('--try', 'ask each agent one tiny question, after printing what it may cost'),
  )
  add(
    'trust',
    'show what convene.yaml reaches beyond this repository, and accept it',
    async () => (await import('./commands/trust.ts')).trustCommand,
    (command) => command.option('--show', 'show it without accepting it'),
  )
  add(
    'serve',
    'serve the web app and the API',
    async () => (await import('./commands/serve.ts')).serveCommand,
    (command) =>
      command
        .option('--port <port>', 'listen on this port', '4747')
        .option('--host <host>', 'listen on this address instead of 127.0.0.1')
        .option('--public-url <url>', 'the public address, if a proxy is in front of this server')
        .option('--open', 'open the page in a browser')
        .option('--no-work', 'leave all work to other processes that share the database'),
  )

  program.commandsGroup('Talk:')
  add(
    'ask <text>',
    'send a message to a room and print the replies as they stream',
    async () => (await import('./commands/ask.ts')).askCommand,
    (command) =>
      command
        .option('--to <agent>', 'ask this agent, or several in order for a collaboration: gpt,claude')
        .option('--mode <mode>', 'answer in this mode: single, coordinate, collaborate, autopilot')
        .option('--speaker <agent>', 'let this agent open a collaboration (default: the first participant)')
        .option('--max-rounds <rounds>', 'end a collaboration after this many turns, 1 to 50')
        .option('--room <room>', 'use this room, by id or name; created if it does not exist', 'terminal')
        .addHelpText(
          'after',
          `
Modes:
  coordinate   every agent proposes; a rule chooses who answers (the default
               without --to)
  single       one agent answers (the default with --to <agent>)
  collaborate  agents take turns and hand over, until one says the work is done
               or --max-rounds is reached
  autopilot    the same, but a turn without a hand-off goes to the next agent

Examples:
  convene ask "Which queue should we use?"
  convene ask "Where would you put the retry?" --to claude
  convene ask "Draft the release notes, then edit them" \\
    --mode collaborate --to gpt,claude --max-rounds 4
  convene ask "@gpt @claude name one risk each" --room review --json
  convene ask "Why does @src/retry.ts:10-40 give up early?"
  git diff | convene ask "Review this"
  convene ask - < question.md

@path and @path:10-40 attach a file of the project. Piped text is attached too;
with -, the piped text is the message itself.

With --json, prints each event of the run as a line, then
{items, reason?, session_id?}. Exit codes: 0 an agent answered or the
collaboration ended (the event session.ended says how), 1 no agent could answer
or an agent failed its turn, 2 wrong usage or a rehearsal script with no line
left, 124 budget.minutes used up, 130 stopped.`,
        ),
  )
  add(
    'talk',
    'open a room in this terminal (the default without a command)',
    async () => (await import('./commands/talk.ts')).talkCommand,
    (command) =>
      command.option('--room <room>', 'use this room, by id or name; created if it does not exist', 'terminal'),
  )

  program.commandsGroup('Plan and build:')
  add(
    'ship <goal>',
    'plan, build and merge a goal, and keep the tracker in sync',
    async () => (await import('./commands/ship.ts')).shipCommand,
    (command) =>
      command
        .option('--mode <mode>', 'plan this thoroughly: auto, rapid, standard, advanced, complete')
        .option('--preset <preset>', 'plan with this team: balanced, rapid_prototype, or one of your own')
        .option('--answers <file>', 'answer questions from this file, a list of {match, answer}')
        .option('--smart', 'let a coordinator analyse failures and choose the order')
        .option('--merge', 'merge the result into the branch that is checked out, if the checkout is clean')
        .option('--yes', 'ask nothing: make assumptions, list them in the plan, and build its issues'),
  )
  add(
    'plan [goal]',
    'plan a goal: research, questions, design, review, tests and issues, written to .convene/plans/',
    async () => (await import('./commands/plan.ts')).planCommand,
    (command) =>
      command
        .option('--mode <mode>', 'plan this thoroughly: auto, rapid, standard, advanced, complete')
        .option('--preset <preset>', 'plan with this team: balanced, rapid_prototype, or one of your own')
        .option('--answers <file>', 'answer questions from this file, a list of {match, answer}')
        .option('--yes', 'ask nothing: make assumptions, and list them in the plan')
        .option('--show <plan>', 'print the artefacts of this plan')
        .addHelpText(
          'after',
          `
Prints the risks of the goal and an estimate for each mode first. Exit codes:
0 done, 1 failed, 2 wrong usage, 3 waiting for your answer (convene questions),
124 budget.minutes used up, 130 stopped.

Examples:
  convene plan "Let people sign in with a link sent by email"
  convene plan "Export the report as CSV" --mode rapid --yes
  convene plan --show export-report-csv-1a2b3c`,
        ),
  )
  add(
    'build <spec>',
    'build one spec, tests first, in parallel worktrees; verify it and merge it into its own branch',
    async () => (await import('./commands/build.ts')).buildCommand,
    (command) =>
      command
        .option(
          '--strategy <strategy>',
          'build with graph (scaffold, tests, code, review) or solo (one agent); auto chooses',
          'auto',
        )
        .option('--merge', 'merge the result into the branch that is checked out, if the checkout is clean')
        .addHelpText(
          'after',
          `
Write the spec as a YAML or JSON file:
  id: slugify
  description: Turn a title into a slug
  acceptanceCriteria:
    - {id: lower, text: Letters become lower case}
    - {id: dashes, text: Blanks become single dashes}
  targetPath: src/slugify.ts
  testPath: test/slugify.test.ts

Convene never edits your checkout: the result is the branch convene/<id>/main.
Exit codes: 0 done, 1 failed or --merge refused, 2 wrong usage, 3 waiting for
your answer (convene questions), 124 budget.minutes used up, 130 stopped.`,
        ),
  )
  add(
    'compare <spec-or-goal>',
    'build one spec, or plan one goal, by one agent alone and by Convene, and show both side by side',
    async () => (await import('./commands/compare.ts')).compareCommand,
    (command) =>
      command
        .option('--build', 'build the goal instead of planning it: by one agent alone and by the graph')
        .option(
          '--mode <mode>',
          'plan the full side this thoroughly: rapid, standard, advanced, complete (default: standard)',
        )
        .option('--yes', 'plan with stated assumptions instead of asking')
        .addHelpText(
          'after',
          `
A goal is planned twice: in one reply of the coordinator, which reads the
source, and in all phases. Convene prints both lists of issues.

A spec, the same file as for convene build, is built on the branches
convene/<id>-solo/main and convene/<id>-graph/main; Convene merges neither, and
prints cost, tokens, calls, time, tests, evidence and size of both changes.

Examples:
  convene compare specs/slugify.yaml
  convene compare "Refund an order once"
  convene compare "Refund an order once" --build

Exit codes: 0 both done, 1 one of them failed, 2 wrong usage, 3 waiting for your
answer (convene questions), 124 budget.minutes used up, 130 stopped (convene
resume continues it).`,
        ),
  )

  program.commandsGroup('Issues of a feature:')
  add(
    'greenlight <feature>',
    'admit issues of a feature for work; issues that git shows as done stay done',
    async () => (await import('./commands/features.ts')).greenlightCommand,
    (command) =>
      command
        .option('--issues <file>', 'admit the issues in this file (issues.json, from a plan or your own)')
        .option('--from-github <query>', 'admit the issues of forge.github.repo that match, such as label:next'),
  )
  add(
    'run <feature>',
    'build, verify and merge eligible issues until none is left',
    async () => (await import('./commands/features.ts')).runCommand,
    (command) =>
      command
        .option('--issue <n>', 'work on this issue only')
        .option('--smart', 'let a coordinator analyse failures and choose the order')
        .option('--merge', 'merge the result into the branch that is checked out, if the checkout is clean')
        .option('--pull-request', 'push the finished feature and open a pull request')
        .option('--answers <file>', 'answer questions from this file, a list of {match, answer}')
        .option('--yes', 'ask nothing: build an issue even if a file suggests that it is done'),
  )
  add(
    'status [feature]',
    'sync with git, then show the features, or the issues of one',
    async () => (await import('./commands/features.ts')).statusCommand,
    (command) =>
      command.option('--reviewed <which>', 'first mark these finished issues as reviewed: numbers (1,3), or all'),
  )
  add(
    'unblock <feature>',
    'allow new attempts at a blocked issue',
    async () => (await import('./commands/features.ts')).unblockCommand,
    (command) => command.requiredOption('--issue <n>', 'unblock this issue (required)'),
  )

  program.commandsGroup('Runs and their questions:')
  add('runs', 'list runs and their status', async () => (await import('./commands/runs.ts')).runsCommand)
  add(
    'stop <run>',
    'stop a run; a build, plan or ship is parked and can be resumed',
    async () => (await import('./commands/runs.ts')).stopCommand,
  )
  add(
    'resume <run>',
    'resume an interrupted or parked run and wait until it ends',
    async () => (await import('./commands/runs.ts')).resumeCommand,
    (command) =>
      command.option(
        '--spec <which>',
        'if the spec of a build was edited: old continues with the old spec, new starts again',
      ),
  )
  add(
    'fork <run>',
    'start a new run from the recorded steps of another',
    async () => (await import('./commands/runs.ts')).forkCommand,
    (command) => command.option('--from <step>', 'repeat from this step, by number or name'),
  )
  add(
    'questions',
    'list the questions that wait for your answer',
    async () => (await import('./commands/questions.ts')).questionsCommand,
  )
  add(
    'answer <question> <answer>',
    'answer a question with one of its choices or your own words',
    async () => (await import('./commands/questions.ts')).answerCommand,
  )

  program.commandsGroup('Explain:')
  add(
    'why <what>',
    'show where an event, a commit or a line (src/app.ts:12) comes from',
    async () => (await import('./commands/why.ts')).whyCommand,
  )
  add(
    'replay <run>',
    're-run the decisions of a run with the current rules, and show the differences',
    async () => (await import('./commands/why.ts')).replayCommand,
  )
  add(
    'events',
    'print the log of events, oldest first',
    async () => (await import('./commands/events.ts')).eventsCommand,
    (command) =>
      command
        .option('--run <run>', 'print only events of this run')
        .option('--room <room>', 'print only events of this room')
        .option('--feature <feature>', 'print only events of this feature')
        .option('--after <seq>', 'print only events after this sequence number')
        .option('--follow', 'keep printing new events'),
  )
  add(
    'decide <rule>',
    'evaluate a rule: JSON on stdin, JSON on stdout',
    async () => (await import('./commands/decide.ts')).decideCommand,
    (command) =>
      command
        .option('--lines', 'read one JSON input per line, and print one result per line')
        .option('--explain', 'explain the decision: the figures, and which rule applied')
        .addHelpText(
          'after',
          `
Rules: dispatch turn convergence strategy risk specify review graph issue
duplicate

Example:
  echo '{"proposals":{
    "gpt":{"angle":"schema","confidence":0.9,"covers":["tables"]},
    "claude":{"angle":"cost","confidence":0.8,"covers":["price"]}}}' |
    convene decide dispatch --explain`,
        ),
  )

  program.commandsGroup('Shared projects:')
  addTeamCommands(add)

  program.commandsGroup('Other tools:')
  add(
    'mcp',
    'serve the Model Context Protocol on stdin and stdout, for other AI tools',
    async () => (await import('./commands/mcp.ts')).mcpCommand,
    (command) =>
      command.addHelpText(
        'after',
        `
Tools: convene_ask convene_plan convene_build convene_ship convene_status
convene_questions convene_answer convene_stop convene_decide. convene serve
offers the same server at /mcp. docs/mcp.md lists the install lines.

Example:
  claude mcp add convene -- convene mcp`,
      ),
  )
  add(
    'completion <shell>',
    'print the completion script for bash, zsh or fish',
    async () => (await import('./commands/completion.ts')).completionCommand(program),
    (command) =>
      command.addHelpText(
        'after',
        `
Examples:
  convene completion bash > /etc/bash_completion.d/convene
  convene completion zsh > "\${fpath[1]}/_convene"
  convene completion fish > ~/.config/fish/completions/convene.fish`,
      ),
  )
  return program
}

function reportFailure(error: unknown, words: string[]): number {
  if (!(error instanceof CommanderError)) return reportError(error, words)
  if (error.exitCode === 0) return 0
  const message =
    error.code === 'commander.help'
      ? 'no command given; `convene --help` lists them'
      : `${error.message.replace(/^error: /, '').replace(/\n+/g, ' ')}. Run \`convene --help\` for the commands and options.`
  return reportError(new ConveneError('usage', message), words)
}
