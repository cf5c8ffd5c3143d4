/** The command line: what can be said, and what each of it loads. */
import { statSync } from 'node:fs'
import { Command, CommanderError } from 'commander'
import { ConveneError } from '../kernel/errors.ts'
import { version } from './client/version.ts'
import type { CommandAction } from './commands/command.ts'
import { createOutput } from './display/output.ts'

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
    return reportError(error, words)
  }
}

/** `convene` alone opens a room in the terminal; where there is no terminal it says what there is. */
function withCommand(given: string[]): string[] {
  if (given.length === 0 && !isTerminal()) return ['--help']
  const words = withCommonBehind(given)
  const [first = '-'] = words
  return first.startsWith('-') && !['-h', '--help', '-V', '--version'].includes(first) ? ['talk', ...words] : words
}

/** What every command takes may stand before its name as well: `convene -C shop status`. */
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

const isFolder = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false

const isTerminal = () => Boolean(process.stdin.isTTY && process.stdout.isTTY)

function buildProgram(done: (exitCode: number) => void): Command {
  const program = new Command('convene')
    .description('Brings several AI agents to one piece of work and gets them to agree, build and finish it.')
    .version(version(), '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show this, or help for a command')
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
    .showSuggestionAfterError(true)
    .addHelpText(
      'after',
      `
First steps:
  convene doctor                        what is usable here, and the one line that fixes the rest
  convene init                          write a convene.yaml with the agents that were found
  convene                               talk with the agents, here in the terminal
  convene ask "Which queue?"            one question; a rule decides who answers, and the answers stream in
  convene ask "Which queue?" --to gpt   the same to one agent
  convene serve --open                  the same in a browser, for the whole day
  echo '{"prompt":"drop table users"}' | convene decide risk --explain

Every command takes --json and says what it would print as JSON. Exit codes: 0 done, 1 the work failed,
2 wrong use or configuration, 3 waits for an answer of yours, 124 out of time, 130 stopped.`,
    )

  const add = (
    usage: string,
    summary: string,
    load: () => Promise<CommandAction>,
    shape?: (command: Command) => void,
  ): void => {
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
        if (!isFolder(options.folder))
          throw new ConveneError('usage', `-C: there is no folder ${options.folder}`, {
            path: 'folder',
            expected: 'a folder that exists',
          })
        const context = { output: createOutput(Boolean(options.json)), folder: options.folder, env: process.env }
        done(await (await load())(context, ...(parsed as never[])))
      })
  }

  add(
    'init',
    'write convene.yaml: agents, set-up and test commands that were found',
    async () => (await import('./commands/init.ts')).initCommand,
    (command) => command.option('--force', 'write over an existing file'),
  )
  add(
    'doctor',
    'say what is usable here, what is not, and the line that fixes it',
    async () => (await import('./commands/doctor.ts')).doctorCommand,
  )
  add(
    'serve',
    'serve the web app and the API',
    async () => (await import('./commands/serve.ts')).serveCommand,
    (command) =>
      command
        .option('--port <port>', 'the port to listen on', '4747')
        .option('--host <host>', 'listen on another address than 127.0.0.1')
        .option('--open', 'open the page in a browser'),
  )
  add(
    'ask <text>',
    'put a message into a room and print the replies as they stream',
    async () => (await import('./commands/ask.ts')).askCommand,
    (command) =>
      command
        .option('--to <agent>', 'who is asked; for a collaboration several, in their order: gpt,claude')
        .option('--mode <mode>', 'how it is answered: single, coordinate, collaborate, autopilot')
        .option('--speaker <agent>', 'who begins a collaboration; without it the first that takes part')
        .option('--max-rounds <rounds>', 'how many turns a collaboration may have, 1 to 50')
        .option('--room <room>', 'the room, by id or name; made where it is new', 'terminal')
        .addHelpText(
          'after',
          `
Modes:
  coordinate   the agents say what they would answer; a rule chooses who does (without --to)
  single       one agent answers (with --to <agent>)
  collaborate  the agents take turns and hand over, until one says it is done or the rounds are used
  autopilot    the same, but a missing hand-off passes the word on; for long work

Examples:
  convene ask "Which queue should we use?"
  convene ask "Where would you put the retry?" --to claude
  convene ask "Draft the release notes, then edit them" --mode collaborate --to gpt,claude --max-rounds 4
  convene ask "@gpt @claude name one risk each" --room review --json

With --json each event of the run is a line, and the last line is {items, reason?, session_id?}. Exit codes: 0 somebody
answered, or the collaboration came to an end (also at its limit; the event session.ended says how), 1 nobody could
answer or an agent failed its turn, 2 wrong use or a rehearsal script without a line left, 124 out of the budget's
minutes, 130 stopped.`,
        ),
  )
  add(
    'ship <goal>',
    'one goal in: plan, issues, builds, merges; a true tracker out',
    async () => (await import('./commands/ship.ts')).shipCommand,
    (command) =>
      command
        .option('--mode <mode>', 'how thorough the plan is: rapid, standard, advanced, complete')
        .option('--preset <preset>', 'which team plans it')
        .option('--answers <file>', 'answers to questions, as a list of {match, answer}')
        .option('--smart', 'a coordinator looks at failures and at the order')
        .option('--merge', 'merge the result into the branch that is checked out, if it is clean')
        .option('--yes', 'ask nothing while planning: go on with assumptions, which the plan lists'),
  )
  add(
    'plan [goal]',
    'plan a goal: research, questions, design, review, tests, issues; in .convene/plans/',
    async () => (await import('./commands/plan.ts')).planCommand,
    (command) =>
      command
        .option('--mode <mode>', 'how thorough: rapid, standard, advanced, complete')
        .option('--preset <preset>', 'which team: balanced, rapid_prototype, or one of your own')
        .option('--answers <file>', 'answers to questions, as a list of {match, answer}')
        .option('--yes', 'ask nothing: go on with assumptions, which the plan lists')
        .option('--show <plan>', 'print what a plan wrote')
        .addHelpText(
          'after',
          `
Before anything starts it says which risks the goal shows and what each mode would take. Exit codes: 0 done, 1 failed,
2 wrong use, 3 waits for your answer (convene questions), 124 out of the budget's minutes, 130 stopped.

Examples:
  convene plan "Let people sign in with a link in a mail"
  convene plan "Export the report as CSV" --mode rapid --yes
  convene plan --show export-report-csv-1a2b3c`,
        ),
  )
  add(
    'build <spec>',
    'build one spec: tests first, in parallel worktrees, verified and merged into a branch',
    async () => (await import('./commands/build.ts')).buildCommand,
    (command) =>
      command
        .option('--strategy <strategy>', 'auto, graph (scaffold, tests, code, review) or solo (one agent)', 'auto')
        .option('--merge', 'merge the result into the branch that is checked out, if it is clean')
        .addHelpText(
          'after',
          `
A spec is a YAML or JSON file:
  id: slugify
  description: Turn a title into a slug
  acceptanceCriteria:
    - {id: lower, text: Letters become lower case}
    - {id: dashes, text: Blanks become single dashes}
  targetPath: src/slugify.ts
  testPath: test/slugify.test.ts

Your checkout is never touched: the result is the branch convene/<id>/main. Exit codes: 0 done, 1 failed or --merge
refused, 2 wrong use, 3 waits for your answer (convene questions), 124 out of the budget's minutes, 130 stopped.`,
        ),
  )
  add(
    'greenlight <feature>',
    'admit the issues of a feature to be worked on; looks at git first, and what is done stays done',
    async () => (await import('./commands/features.ts')).greenlightCommand,
    (command) =>
      command
        .option('--issues <file>', 'issues.json, as a plan writes it or you do')
        .option('--from-github <query>', 'issues of forge.github.repo, such as label:next'),
  )
  add(
    'run <feature>',
    'work on what is eligible: build, verify, merge, until nothing is',
    async () => (await import('./commands/features.ts')).runCommand,
    (command) =>
      command
        .option('--issue <n>', 'this issue alone')
        .option('--smart', 'a coordinator looks at failures and at the order')
        .option('--merge', 'merge the result into the branch that is checked out, if it is clean')
        .option('--pull-request', 'push the branch of the finished feature, and open a pull request for it'),
  )
  add(
    'status [feature]',
    'say where the issues of a feature stand, as git tells',
    async () => (await import('./commands/features.ts')).statusCommand,
    (command) =>
      command.option('--reviewed <which>', 'first mark finished issues as looked at: their numbers (1,3), or all'),
  )
  add(
    'unblock <feature>',
    'let a blocked issue be tried again',
    async () => (await import('./commands/features.ts')).unblockCommand,
    (command) => command.requiredOption('--issue <n>', 'which one'),
  )
  add(
    'questions',
    'list what waits for your answer',
    async () => (await import('./commands/questions.ts')).questionsCommand,
  )
  add(
    'answer <question> <answer>',
    'answer a question: one of its choices, or your own words',
    async () => (await import('./commands/questions.ts')).answerCommand,
  )
  add(
    'talk',
    'open a room in this terminal (also: convene alone)',
    async () => (await import('./commands/talk.ts')).talkCommand,
    (command) => command.option('--room <room>', 'the room, by id or name; made where it is new', 'terminal'),
  )
  add(
    'decide <rule>',
    'run one of the rules by hand: JSON in, JSON out',
    async () => (await import('./commands/decide.ts')).decideCommand,
    (command) =>
      command
        .option('--lines', 'one JSON a line in, one a line out')
        .option('--explain', 'say it for a person: the figures, and which rule fired')
        .addHelpText(
          'after',
          `
Rules: dispatch turn convergence strategy risk specify review graph issue duplicate

Example:
  echo '{"proposals":{"gpt":{"angle":"schema","confidence":0.9,"covers":["tables"]},
    "claude":{"angle":"cost","confidence":0.8,"covers":["price"]}}}' | convene decide dispatch --explain`,
        ),
  )
  add(
    'events',
    'print the log: everything that happened, in order',
    async () => (await import('./commands/events.ts')).eventsCommand,
    (command) =>
      command
        .option('--run <run>', 'only this run')
        .option('--room <room>', 'only this room')
        .option('--feature <feature>', 'only this feature')
        .option('--after <seq>', 'only what came after this number')
        .option('--follow', 'go on printing as things happen'),
  )
  add(
    'runs',
    'list runs: what is under way, what ended, what needs you',
    async () => (await import('./commands/runs.ts')).runsCommand,
  )
  add(
    'stop <run>',
    'stop a run: talk ends, a build is parked and can be resumed',
    async () => (await import('./commands/runs.ts')).stopCommand,
  )
  add(
    'resume <run>',
    'go on with a run that was left or parked, and wait for its end',
    async () => (await import('./commands/runs.ts')).resumeCommand,
  )
  add(
    'fork <run>',
    'start a new run from the first steps of another',
    async () => (await import('./commands/runs.ts')).forkCommand,
    (command) => command.option('--from <step>', 'the first step that is done anew: its number or its name'),
  )
  add(
    'replay <run>',
    'take every decision of a run again from the log, and say where one would differ today',
    async () => (await import('./commands/why.ts')).replayCommand,
  )
  add(
    'why <what>',
    'say where an event, a commit or a line (src/app.ts:12) came from',
    async () => (await import('./commands/why.ts')).whyCommand,
  )
  add(
    'completion <shell>',
    'print completions for bash, zsh or fish',
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

function reportError(error: unknown, words: string[]): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0
  const known = asConveneError(error)
  // `decide` speaks JSON whatever is asked for.
  if (words.includes('--json') || words[0] === 'decide')
    process.stdout.write(`${JSON.stringify({ error: known.body() })}\n`)
  else process.stderr.write(`convene: ${known.message}\n`)
  return known.exitCode
}

function asConveneError(error: unknown): ConveneError {
  if (error instanceof ConveneError) return error
  if (error instanceof CommanderError) {
    if (error.code === 'commander.help') return new ConveneError('usage', 'say what to do; `convene --help` lists it')
    const message = error.message.replace(/^error: /, '').replace(/\n+/g, ' ')
    return new ConveneError('usage', `${message}. \`convene --help\` lists what there is.`)
  }
  if (process.env.CONVENE_DEBUG) console.error(error)
  return new ConveneError(
    'internal',
    `something went wrong inside Convene: ${error instanceof Error ? error.message : String(error)} (CONVENE_DEBUG=1 shows where)`,
    { exitCode: 1 },
  )
}
