/** Opens a project's workspace: its repository, commands, worktrees and readers. Called once, when the first build needs it. */
import { existsSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { thisMachine } from '../agents/detect/machine.ts'
import { type Config, type LoadedConfig, secretVariables } from '../kernel/config/load.ts'
import { commandLimits } from '../rules/trust/command-limits.ts'
import { needsInstallScripts, type SetupMode, withoutInstallScripts } from '../rules/trust/setup-mode.ts'
import { Commands } from '../workspace/commands/command.ts'
import { programsIn } from '../workspace/commands/programs-in.ts'
import { Origin } from '../workspace/git/origin.ts'
import { Repository } from '../workspace/git/repository.ts'
import { SharedRepository } from '../workspace/git/shared-repository.ts'
import { SyntaxReader } from '../workspace/syntax/syntax.ts'
import { createTestRunner } from '../workspace/test-results/test-runner.ts'
import { Worktrees } from '../workspace/worktrees/worktrees.ts'
import { KeptTestResults } from './kept-test-results.ts'
import { KnownUnreliable } from './known-unreliable.ts'
import { projectCommands } from './project-commands.ts'
import { SeenTests } from './seen-tests.ts'
import { noTestCommand, type ProjectWorkspace } from './workspace.ts'

export async function openWorkspace(
  { config, folder: projectFolder }: LoadedConfig,
  stateFolder: string,
  env: NodeJS.ProcessEnv,
  {
    isUsersOwn = false,
    mayAct,
    signal,
  }: { isUsersOwn?: boolean; mayAct?: () => Promise<void>; signal?: AbortSignal | undefined } = {},
): Promise<ProjectWorkspace> {
  const { build } = config
  const { repository, folder } = await openRepository(config, projectFolder, stateFolder, mayAct)
  const { test, ...others } = projectCommands(build, folder, thisMachine(env))
  if (test === undefined) throw noTestCommand()
  const project = { test, ...others }
  const hide = [stateFolder, repository.root]
  const share = build.share.map((path) => resolve(folder, path))
  const commands = new Commands({
    sandbox: build.sandbox,
    env,
    allowEnv: build.env,
    hide,
    share,
    limits: commandLimits(build.limits),
  })
  const timeoutMs = build.command_seconds * 1000
  const { setup } = project
  // A project below the top is often set up from there: its packages are linked in a folder above it.
  const topOf = (place: string) => resolve(place, relative(repository.prefix, ''))
  const worktrees = new Worktrees(repository, {
    share: build.share,
    ...(build.worktrees === undefined ? {} : { folder: build.worktrees }),
    ...(setup === undefined
      ? {}
      : {
          setup: {
            command: setup,
            run: (place, mode) =>
              runSetup(commands, setup, { places: [place, topOf(place)], timeoutMs, isUsersOwn, mode, signal }),
          },
        }),
  })
  const tests = createTestRunner(commands, { ...project, timeoutMs })
  const programs = programsIn(project.setup, project.build, project.test, project.contract)
  const testResults = new KeptTestResults()
  return {
    repository,
    worktrees,
    commands,
    tests,
    testResults,
    seenTests: new SeenTests(new KnownUnreliable(stateFolder, test)),
    unread: new Set(),
    buildsUntouched: new Map(),
    syntax: await SyntaxReader.open(),
    project,
    commandSeconds: build.command_seconds,
    programs,
    secretNames: secretVariables(config),
  }
}

/** A machine that has the repository works in it; one that has not clones it. */
async function openRepository(
  config: Config,
  folder: string,
  stateFolder: string,
  mayAct?: () => Promise<void>,
): Promise<{ repository: Repository; folder: string }> {
  const { repository: url } = config
  if (url === undefined || config.engine.url === undefined) return { repository: await Repository.open(folder), folder }
  const settings = { url, ...(mayAct ? { mayAct } : {}) }
  try {
    return { repository: await SharedRepository.openShared(folder, settings), folder }
  } catch (error) {
    if ((error as { code?: unknown }).code !== 'not_a_repository') throw error
  }
  const clone = join(stateFolder, 'clone')
  if (!existsSync(join(clone, '.git'))) await Origin.clone(url, folder, clone)
  return { repository: await SharedRepository.openShared(clone, settings), folder: clone }
}

interface SetupRequest {
  places: [folder: string, ...writable: string[]]
  timeoutMs: number
  isUsersOwn: boolean
  mode: SetupMode
  signal: AbortSignal | undefined
}

/** TR3: what an agent changed is installed without install scripts first. */
async function runSetup(commands: Commands, command: string, request: SetupRequest) {
  const { places, mode } = request
  if (mode === 'plain') return install(commands, command, request)
  const careful = await install(commands, command, request, withoutInstallScripts)
  const isEnough =
    mode === 'scriptless' || (careful.exitCode === 0 && !places.map(installedFiles).some(needsInstallScripts))
  return isEnough ? careful : install(commands, command, request)
}

const otherLocks = ['yarn.lock', 'pnpm-lock.yaml', 'bun.lock', 'bun.lockb']

/** A package of a workspace is installed from the top, where the lock file is. */
function installedFiles(folder: string) {
  const text = (name: string) => {
    const file = join(folder, name)
    return existsSync(file) ? readFileSync(file, 'utf8') : undefined
  }
  return {
    manifest: text('package.json'),
    lock: text('package-lock.json'),
    hasOtherLock: otherLocks.some((name) => existsSync(join(folder, name))),
  }
}

/** The network is needed to fetch what a project depends on. */
async function install(
  commands: Commands,
  command: string,
  { places: [folder, ...writable], timeoutMs, isUsersOwn, signal }: SetupRequest,
  env: Readonly<Record<string, string>> = {},
) {
  const result = await commands.run({
    command,
    folder,
    writable,
    timeoutMs,
    isUsersOwn,
    ...(signal ? { signal } : {}),
    env: { ...env },
    network: true,
    readable: programsIn(command),
  })
  await result.output.remove()
  const { exitCode, ended, tail } = result
  return { exitCode, ended, tail }
}
