/** Spans of runs, their steps and their commands, from the log and from the engine's moments. */
import { evidenceRecorded } from '../build/events.ts'
import { toolUsed } from '../kernel/ask/ask-events.ts'
import type { RunMoment } from '../kernel/engines/run-deps.ts'
import type { StoredEvent } from '../kernel/events.ts'
import { runFinished, runParked, runRecovered, runStarted } from '../kernel/run-events.ts'
import { type AttributeValue, type SpanSink, spanIdOf, traceIdOf } from './span.ts'

interface OpenRun {
  spanId: string
  start: number
  kind?: string
  parent?: string
  steps: Map<number, OpenStep>
}

interface OpenStep {
  spanId: string
  name: string
  start: number
  /** When its function returned; the record follows. */
  done?: number
}

export interface SpanParent {
  traceId: string
  parentId?: string
}

/** What the log calls a command of a model, and one of a coding agent. */
const commandTools: ReadonlySet<string> = new Set(['run', 'execute'])

export class RunSpans {
  readonly #sink: SpanSink
  readonly #salt: string
  /** Whether the text of commands that agents wrote is exported. */
  readonly #content: boolean
  readonly #open = new Map<string, OpenRun>()
  readonly #roots = new Map<string, string>()
  #count = 0

  constructor(sink: SpanSink, options: { salt: string; content: boolean }) {
    this.#sink = sink
    this.#salt = options.salt
    this.#content = options.content
  }

  see(event: StoredEvent): void {
    const { run } = event
    if (run === undefined) return
    const at = Date.parse(event.ts)
    if (runStarted.is(event)) {
      const { workflow, parent } = event.data
      const open = this.#run(run, at)
      Object.assign(open, {
        start: Math.min(open.start, at),
        kind: workflow,
        ...(parent === undefined ? {} : { parent }),
      })
      this.#roots.set(run, parent === undefined ? run : this.#rootOf(parent))
    } else if (runRecovered.is(event)) this.#run(run, at)
    else if (runFinished.is(event)) this.#close(run, at, event.data.status)
    else if (runParked.is(event)) this.#close(run, at, 'parked', event.data.code)
    else if (evidenceRecorded.is(event)) {
      const { purpose, command, exit_code, milliseconds, sandboxed } = event.data
      this.#command(run, at, milliseconds, {
        'convene.command.purpose': purpose,
        'convene.command.line': command,
        'convene.command.sandboxed': sandboxed,
        'process.exit.code': exit_code,
      })
    } else if (toolUsed.is(event) && commandTools.has(event.data.tool)) {
      const { summary, milliseconds, ok, agent } = event.data
      this.#command(run, at, milliseconds, {
        'convene.command.purpose': 'agent',
        'convene.command.ok': ok,
        ...(agent === undefined ? {} : { 'gen_ai.agent.name': agent }),
        ...(this.#content ? { 'convene.command.line': summary } : {}),
      })
    }
  }

  observe({ at, run, position, name }: RunMoment, now: number): void {
    if (at === 'before-step' || at === 'wait-begun') {
      const spanId = this.#newId(`${run}/${position}`)
      this.#run(run, now).steps.set(position, { spanId, name, start: now })
      return
    }
    const open = this.#open.get(run)
    const step = open?.steps.get(position)
    if (!open || !step) return
    if (at === 'step-done') step.done = now
    else {
      open.steps.delete(position)
      this.#step(run, open, position, step, step.done ?? now)
    }
  }

  /** Where a span of this step belongs. */
  parentOf(run: string, step?: string): SpanParent {
    const open = this.#open.get(run)
    const parentId = (step === undefined ? undefined : open?.steps.get(Number(step))?.spanId) ?? open?.spanId
    return { traceId: traceIdOf(this.#rootOf(run)), ...(parentId === undefined ? {} : { parentId }) }
  }

  newId(): string {
    return this.#newId('call')
  }

  /** Ends the spans of everything that is still open: the process ends. */
  end(now: number): void {
    for (const run of [...this.#open.keys()].reverse()) this.#close(run, now, 'interrupted')
  }

  #close(run: string, at: number, status: string, code?: string): void {
    const open = this.#open.get(run)
    if (!open) return
    for (const [position, step] of open.steps) this.#step(run, open, position, step, step.done ?? at, true)
    this.#open.delete(run)
    const traceId = traceIdOf(this.#rootOf(run))
    for (const [below, root] of this.#roots) if (root === run) this.#roots.delete(below)
    const parent = open.parent === undefined ? undefined : this.#open.get(open.parent)?.spanId
    this.#sink({
      name: 'convene.run',
      kind: 'internal',
      traceId,
      spanId: open.spanId,
      ...(parent === undefined ? {} : { parentId: parent }),
      start: open.start,
      end: Math.max(at, open.start),
      attributes: {
        'convene.run.id': run,
        'convene.run.status': status,
        ...(open.kind === undefined ? {} : { 'convene.run.kind': open.kind }),
        ...(open.parent === undefined ? {} : { 'convene.run.parent': open.parent }),
        ...(code === undefined ? {} : { 'convene.run.code': code }),
      },
      ...(status === 'failed' ? { error: code ?? 'failed' } : {}),
    })
  }

  #step(run: string, open: OpenRun, position: number, step: OpenStep, end: number, interrupted = false): void {
    this.#sink({
      name: 'convene.step',
      kind: 'internal',
      traceId: traceIdOf(this.#rootOf(run)),
      spanId: step.spanId,
      parentId: open.spanId,
      start: step.start,
      end: Math.max(end, step.start),
      attributes: {
        'convene.run.id': run,
        'convene.step.name': step.name,
        'convene.step.position': position,
        ...(interrupted ? { 'convene.step.interrupted': true } : {}),
      },
    })
  }

  #command(run: string, end: number, milliseconds: number, attributes: Record<string, AttributeValue>): void {
    const steps = [...(this.#open.get(run)?.steps.keys() ?? [])]
    const { traceId, parentId } = this.parentOf(run, steps.length > 0 ? String(steps.at(-1)) : undefined)
    this.#sink({
      name: 'convene.command',
      kind: 'internal',
      traceId,
      spanId: this.#newId('command'),
      ...(parentId === undefined ? {} : { parentId }),
      start: end - milliseconds,
      end,
      attributes: { 'convene.run.id': run, ...attributes },
    })
  }

  #run(run: string, start: number): OpenRun {
    const open = this.#open.get(run) ?? { spanId: this.#newId(run), start, steps: new Map() }
    this.#open.set(run, open)
    return open
  }

  /** A child that was started in an earlier process is known by its id alone, which begins with its parent's. */
  #rootOf(run: string): string {
    return this.#roots.get(run) ?? run.split('/')[0]!.replace(/(?:\.\d+)+$/, '')
  }

  #newId(name: string): string {
    this.#count += 1
    return spanIdOf(this.#salt, `${this.#count} ${name}`)
  }
}
