/** The commands that set up, build and test a project: those in the configuration, else what the project's files tell. */
import { detectProject } from '../agents/detect/detect-project.ts'
import type { Machine } from '../agents/detect/machine.ts'
import type { Config } from '../kernel/config/load.ts'
import type { ProjectCommands } from './workspace.ts'

export function projectCommands(build: Config['build'], folder: string, machine: Machine): Partial<ProjectCommands> {
  const found = detectProject(machine, folder)
  // A configured test command goes with the configured set-up and build; detected ones belong to a detected test command.
  const detected: Partial<ProjectCommands> = build.test === undefined ? found : {}
  const setup = build.setup ?? detected.setup
  const buildCommand = build.build ?? detected.build
  const test = build.test ?? detected.test
  return {
    ...(setup === undefined ? {} : { setup }),
    ...(buildCommand === undefined ? {} : { build: buildCommand }),
    ...(test === undefined ? {} : { test }),
    ...(build.contract === undefined ? {} : { contract: build.contract }),
  }
}
