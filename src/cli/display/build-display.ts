/** Shows a build: in a terminal as a tree redrawn in place, elsewhere as one line per important event, unless it repeats the last line. */
import {
  buildStarted,
  childFailed,
  commandStarted,
  conflictForecast,
  mergeCompleted,
  mutationsTried,
  nodeFinished,
  nodeStarted,
  rebaseFinished,
  replyRefused,
  reviewReturned,
  taskPut,
  warningGiven,
} from '../../build/events.ts'
import type { BuildView } from '../../build/view.ts'
import { askFinished } from '../../kernel/ask/ask-events.ts'
import type { StoredEvent } from '../../kernel/events.ts'
import { runRecovered } from '../../kernel/run-events.ts'
import { questionAsked } from '../../kernel/runs/question-events.ts'
import { refusalLine } from '../../rules/evidence/refusal-line.ts'
import { oneLine } from '../../rules/text/one-line.ts'
import { drawBuild } from './draw-build.ts'
import type { Output } from './output.ts'
import { printable } from './printable.ts'
import { withoutRepeats } from './without-repeats.ts'

export interface BuildDisplay {
  /** The number of the last event shown: following again continues after it. */
  view?: BuildView
  show(view: BuildView, event: StoredEvent): void
  over(): void
}

export function buildDisplay(output: Output): BuildDisplay {
  if (output.json || !process.stderr.isTTY) return lines(output)
  return tree(output)
}

function lines(output: Output): BuildDisplay {
  const print = withoutRepeats((line) => output.note(printable(line)))
  // Each of the two is told of the other, again after every commit.
  const forecasts = new Set<string>()
  const display: BuildDisplay = {
    show(view, event) {
      display.view = view
      if (conflictForecast.is(event)) {
        const about = [...[event.data.node, event.data.with].sort(), ...event.data.files].join('\n')
        if (forecasts.has(about)) return
        forecasts.add(about)
      }
      const line = describeBuildEvent(event)
      if (line) print(line)
    },
    over() {},
  }
  return display
}

function tree(output: Output): BuildDisplay {
  let drawn = 0
  let frame = 0
  let timer: NodeJS.Timeout | undefined
  const clear = () => {
    if (drawn > 0) process.stderr.write(`\x1b[${drawn}A\x1b[0J`)
    drawn = 0
  }
  const draw = () => {
    if (!display.view) return
    clear()
    const { columns = 80, rows = 24 } = process.stderr
    const all = drawBuild(display.view, { style: output.style, columns: columns - 1, frame: frame++, now: Date.now() })
    // Lines that have scrolled off the screen cannot be erased.
    const shown = all.slice(0, rows - 1)
    process.stderr.write(shown.map((line) => `${line}\n`).join(''))
    drawn = shown.length
  }
  const display: BuildDisplay = {
    show(view, event) {
      display.view = view
      if (warningGiven.is(event)) {
        clear()
        output.note(printable(`warning: ${event.data.text}`))
      }
      if (reviewReturned.is(event)) {
        clear()
        output.note(printable(returnedLine(event.data)))
      }
      timer ??= setInterval(draw, 100)
    },
    over() {
      clearInterval(timer)
      timer = undefined
      draw()
      drawn = 0
    },
  }
  return display
}

/** What a merge means for those who use the code. */
const impacts: Readonly<Record<string, string>> = {
  Trivial: 'no export changed',
  Additive: 'compatible',
  Breaking: 'breaking',
}

/** Why a command runs, in words. */
const purposes: Readonly<Record<string, string>> = {
  setup: 'set-up',
  before: 'on the commit that the work starts from',
  red: 'the new tests without the code',
  claim: 'checking the work',
  'old-tests': 'the tests as they were, with the new code',
  mutations: 'the new tests, on small changes of the code',
  review: 'the tests that the review asked for',
  rebase: 'after the rebase',
  target: 'on your branch',
  merge: 'checking the merge',
  contract: 'all parts together',
}

export function describeBuildEvent(event: StoredEvent): string | null {
  if (buildStarted.is(event)) {
    const { spec, strategy, because, rehearsal } = event.data
    return `build ${spec}: ${strategy} (${because})${rehearsal ? ' · rehearsal: agents play a script, no model is asked' : ''}`
  }
  if (nodeStarted.is(event)) return `${event.data.path.join('/')}: started`
  if (askFinished.is(event) && event.data.path) {
    const { path, kind, agent, attempt, exit, failure } = event.data
    const end = exit ?? failure?.reason ?? 'no exit'
    return `${path.join('/')}: ${kind} by ${agent}${attempt > 1 ? `, attempt ${attempt}` : ''}: ${end}`
  }
  if (commandStarted.is(event)) {
    const { path, purpose, command } = event.data
    return `${path.join('/')}: running \`${command}\` (${purposes[purpose] ?? purpose})`
  }
  if (taskPut.is(event)) {
    const { path, kind, agent, attempt } = event.data
    return `${path.join('/')}: ${kind}: asking ${agent}${attempt > 1 ? `, attempt ${attempt}` : ''}`
  }
  if (replyRefused.is(event)) {
    const { path, kind, attempt, problems } = event.data
    const why = problems.map(({ message, path }) => refusalLine(message, path)).join('; ')
    return `${path.join('/')}: ${kind}, attempt ${attempt}, refused: ${why}`
  }
  if (reviewReturned.is(event)) return returnedLine(event.data)
  if (mergeCompleted.is(event)) {
    const { path, into, mergeCommit, impactLevel } = event.data
    return `${path.join('/')}: merged into ${into} as ${mergeCommit.slice(0, 10)} (${impacts[impactLevel] ?? impactLevel})`
  }
  if (mutationsTried.is(event)) return triedLine(event.data)
  if (rebaseFinished.is(event)) {
    const { path, onto, adapted } = event.data
    return `${path.join('/')}: rebased onto ${onto.slice(0, 10)}${adapted ? ' (adapted)' : ''}`
  }
  if (conflictForecast.is(event))
    return `${event.data.node} and ${event.data.with} would conflict in ${event.data.files.join(', ')}`
  if (childFailed.is(event)) return `${event.data.child} failed (${event.data.reason}): ${event.data.action}`
  if (nodeFinished.is(event) && event.data.status === 'failed')
    return `${event.data.path.join('/')}: failed: ${event.data.reason}`
  if (questionAsked.is(event)) return `question ${event.data.id}: ${event.data.text}`
  if (runRecovered.is(event)) return recoveredLine(event.data.steps)
  if (warningGiven.is(event)) return `warning: ${event.data.text}`
  return null
}

interface Tried {
  path: string[]
  tried: readonly { outcome: string }[]
  because?: string | undefined
}

function triedLine({ path, tried, because }: Tried): string | null {
  const clear = tried.filter(({ outcome }) => outcome !== 'unclear')
  const where = path.join('/')
  if (clear.length === 0) return because === undefined ? null : `${where}: the new tests were not tried out: ${because}`
  const noticed = clear.filter(({ outcome }) => outcome === 'noticed').length
  return `${where}: the new tests notice ${noticed} of ${clear.length} small changes of the code`
}

function recoveredLine(steps: number): string {
  const kept = steps === 1 ? '1 finished step is kept' : `${steps} finished steps are kept`
  return `continuing after an interruption: ${kept}; preparing a clean worktree for the next one`
}

function returnedLine({ path, exit, reasons }: { path: string[]; exit: string; reasons: string[] }): string {
  const what = exit === 'Reject' ? 'the review rejects it' : 'the review asks for more'
  return `${path.join('/')}: ${what}${reasons.length === 0 ? '' : `: ${reasons.map((one) => oneLine(one, 240)).join('; ')}`}`
}
