/** Parks runs whose step was in flight at two crashes in a row, with a question, instead of a third attempt. TR5. */
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  afterCrash,
  type CrashedRun,
  type CrashRecord,
  crashedCode,
  crashQuestion,
  type InFlight,
} from '../../rules/trust/crashes.ts'
import type { Engine } from '../engine.ts'
import type { StoredEvent } from '../events.ts'
import { privateFile, privateFolder } from '../private-files.ts'
import { isWithin, runStream } from '../run-events.ts'
import { topOf } from '../run-tree.ts'
import type { Store } from '../store.ts'
import { questionAnswered, questionAsked } from './question-events.ts'
import type { Questions } from './questions.ts'

interface Parts {
  store: Store
  engine: Engine
  questions: Questions
  /**
   * Exists while a process works; a process that finds it knows that the last one crashed. Null where several processes
   * share the runs: the database counts their crashes then, and `screen` is asked.
   */
  file: string | null
}

const idOf = ({ run, steps }: InFlight) => `crash:${steps}:${run}`

export class Quarantine {
  readonly #parts: Parts
  readonly #unsubscribe: () => void

  constructor(parts: Parts) {
    this.#parts = parts
    this.#unsubscribe = parts.store.subscribe((event) => this.#answered(event))
  }

  /** Call it before unfinished runs are taken up. */
  async check(): Promise<void> {
    const { file } = this.#parts
    if (file === null) return
    const before = readRecord(file)
    const { record, quarantined } = afterCrash(before ?? {}, before === null ? [] : await this.#inFlight())
    mkdirSync(dirname(file), privateFolder)
    writeFileSync(file, JSON.stringify(record), privateFile)
    for (const one of quarantined) await this.#park(one, Date.now())
  }

  /** Parks runs that crashed processes again and again, unless they wait for a person; returns those that wait. */
  async screen(crashing: readonly CrashedRun[]): Promise<CrashedRun[]> {
    const asksPerson = await this.#asksPerson()
    const waiting = crashing.filter(({ run }) => asksPerson(run))
    for (const { crashes, ...one } of crashing) if (!asksPerson(one.run)) await this.#park(one, crashes)
    return waiting
  }

  /** The process ends in order: whatever is in flight did not crash it. */
  close(): void {
    this.#unsubscribe()
    if (this.#parts.file !== null) rmSync(this.#parts.file, { force: true })
  }

  /** Runs at work that wait for no run below them, in trees that wait for no person. */
  async #inFlight(): Promise<InFlight[]> {
    const { engine } = this.#parts
    const running = await engine.list({ status: 'running' })
    const parents = new Set(running.map(({ parent }) => parent))
    const asksPerson = await this.#asksPerson()
    return running.filter(({ id }) => !parents.has(id) && !asksPerson(id)).map(({ id, steps }) => ({ run: id, steps }))
  }

  async #asksPerson(): Promise<(id: string) => boolean> {
    const waiting = (await this.#parts.questions.open()).map(({ run }) => run)
    return (id) => waiting.some((run) => isWithin(run, id) || isWithin(id, run))
  }

  /** `time` tells one crash from another: for the same one the question is asked once. */
  async #park(one: InFlight, time: number): Promise<void> {
    const { engine, store } = this.#parts
    const top = (await topOf(engine, one.run))?.id ?? one.run
    const text = crashQuestion(one)
    await engine.pause(top, text, crashedCode)
    const id = idOf(one)
    const asked = {
      id,
      run: top,
      text,
      choices: ['retry', 'give up'],
      only_choices: true,
      context: { rule: 'TR5', ...one },
    }
    const event = questionAsked.create({ stream: runStream(top), run: top }, asked)
    await store.append([{ ...event, key: { run: top, step: id, n: time } }])
  }

  #answered(event: StoredEvent): void {
    if (!questionAnswered.is(event) || !event.data.id.startsWith('crash:') || event.run === undefined) return
    const { engine } = this.#parts
    const act = event.data.choice === 'retry' ? engine.resume(event.run) : engine.cancel(event.run)
    act.catch(() => {
      // The run stays parked; `convene resume` says why it cannot continue.
    })
  }
}

/** Null if the last process ended in order, or there was none. */
function readRecord(file: string): CrashRecord | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'))
    return typeof value === 'object' && value !== null ? (value as CrashRecord) : {}
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? null : {}
  }
}
