/** Runs a species of the zoo and checks what Convene reads of it. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { findTests, type TestFacts } from '../../src/rules/build/test-facts.ts'
import { Commands } from '../../src/workspace/commands/command.ts'
import type { TestRun } from '../../src/workspace/test-results/test-run.ts'
import { createTestRunner } from '../../src/workspace/test-results/test-runner.ts'
import type { Species } from './species.ts'

export class Enclosure {
  readonly folder = mkdtempSync(join(tmpdir(), 'zoo-'))
  readonly #species: Species
  readonly #modules: string | undefined
  readonly #commands: Commands

  /** `modules` has the packages of the zoo. */
  constructor(species: Species, modules?: string) {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true }))
    this.#species = species
    this.#modules = modules
    const path = [...(modules ? [join(modules, '.bin')] : []), process.env.PATH].join(delimiter)
    this.#commands = new Commands({ sandbox: 'auto', env: { ...process.env, PATH: path }, allowEnv: ['CARGO_HOME'] })
    this.write(species.files)
    this.write({ [species.source.file]: species.source.without })
    for (const name of species.packages ?? []) this.#link(name)
    if (modules && species.packages) symlinkSync(join(modules, '.bin'), join(this.folder, 'node_modules', '.bin'))
  }

  write(files: Record<string, string>): void {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(this.folder, path)), { recursive: true })
      writeFileSync(join(this.folder, path), text)
    }
  }

  /** All tests, or those in some files. */
  async run(command = this.#species.command, paths: string[] = []): Promise<TestRun> {
    const runner = createTestRunner(this.#commands, { test: command, timeoutMs: 280_000 })
    const result = await runner.run({
      folder: this.folder,
      paths,
      readable: [...(this.#modules ? [dirname(this.#modules)] : []), ...(this.#species.readable ?? [])],
    })
    await result.output.remove()
    return result
  }

  /** A real folder with links: some runners write a cache next to the packages. */
  #link(name: string): void {
    const target = join(this.folder, 'node_modules', name)
    mkdirSync(dirname(target), { recursive: true })
    if (!existsSync(target)) symlinkSync(join(this.#modules!, name), target)
  }
}

/** `group / group / title: state` */
export function statesOf({ tests }: TestRun): string[] {
  return tests.map(({ suite = [], name, fullName, outcome, todo }) => {
    const title = suite.length > 0 || fullName === undefined ? [...suite, name].join(' / ') : fullNameOf(name, fullName)
    return `${title}: ${todo ? 'todo' : outcome}`
  })
}

/** Rust has paths instead of groups. */
function fullNameOf(name: string, fullName: string): string {
  return fullName.includes('::') && !fullName.includes('.py') ? fullName : name
}

const isRed = ({ outcome }: TestFacts) => outcome !== 'passed' && outcome !== 'skipped'

/** The untouched tree, then red for each reason that missing code can have, then green. */
export async function checkSpecies(species: Species, modules?: string): Promise<void> {
  const { source, added, expected, planned = 'subtracts' } = species
  const project = new Enclosure(species, modules)
  const untouched = await project.run()
  expect(statesOf(untouched).sort()).toEqual([...expected].sort())
  expect(untouched).toMatchObject({ exitCode: 0, names: 'reported', loadErrors: [] })

  project.write(added)
  for (const state of ['without', 'stub', 'throwing'] as const) {
    project.write({ [source.file]: source[state] })
    const red = await project.run()
    expect(red.exitCode, state).not.toBe(0)
    expect(red.failedPart, state).toBeUndefined()
    const found = findTests(red.tests, planned)
    expect(found.length, `${state}: ${statesOf(red).join('\n')}`).toBeGreaterThan(0)
    expect(found.every(isRed), `${state}: ${statesOf(red).join('\n')}`).toBe(true)
  }

  project.write({ [source.file]: source.done })
  const green = await project.run()
  expect(findTests(green.tests, planned).map(({ outcome }) => outcome)).toEqual(['passed'])
  expect(statesOf(green).sort()).toEqual(expect.arrayContaining([...expected].sort()))
  expect(green).toMatchObject({ exitCode: 0, names: 'reported', loadErrors: [] })
}

/** Why a program cannot be used here. */
export function missing(program: string, ...args: string[]): string | undefined {
  const { status } = spawnSync(program, args)
  return status === 0 ? undefined : `${program} ${args.join(' ')} does not work here`
}
