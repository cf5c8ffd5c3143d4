/** Decides where the build graph goes after an exit, from names and counts, never from payloads. SPEC.md § GR. */
import { z } from 'zod'
import type { Rule } from '../schema/rule.ts'
import { nearest } from '../text/nearest.ts'
import {
  type Counter,
  type ExitName,
  edgeAt,
  exitsAt,
  type GraphAction,
  type GraphNode,
  type GraphPlace,
  graphNodes,
  graphPlace,
  graphPlaces,
  placeName,
  type Target,
  type TddMode,
  tddModes,
} from './graph-table.ts'

export type Counts = Record<Counter, number>
export type Cap = Counter | 'attempts'
export type GraphLimits = Record<Cap, number>

export const defaultGraphLimits: GraphLimits = { attempts: 5, reviews: 3, scaffolds: 3, merges: 3, rebases: 5 }
export const noCounts: Counts = { reviews: 0, scaffolds: 0, merges: 0, rebases: 0 }

export interface GraphStep {
  node: GraphNode
  mode?: TddMode
  exit: ExitName
  /** The attempt at this node, from 1; restarts when the graph enters the node again. */
  attempt?: number
  /** Whether the scaffold has children. */
  children?: boolean
  /** Counts include this exit; a missing count is 1. */
  counts?: Partial<Counts>
}

export interface GraphDecision {
  /** The exit as it counts: on the last attempt, RequestRetry counts as Stuck. */
  exit: ExitName
  next: Target[]
  action: GraphAction
  /** The cap that ended a loop. */
  capped?: Cap
}

/** The exit must be one of the node's own, which the input schema checks. */
export function nextStep(step: GraphStep, limits: GraphLimits = defaultGraphLimits): GraphDecision {
  const place = graphPlace(step.node, step.mode)
  const edge = place && edgeAt(place, step.exit)
  if (!edge) throw new RangeError(`${step.exit} is not an exit of ${step.mode ?? step.node}`)

  if (step.exit === 'RequestRetry' && isLastAttempt(step.attempt ?? 1, limits)) return capped('Stuck', 'attempts')
  if (edge.counter && (step.counts?.[edge.counter] ?? 1) >= limits[edge.counter]) return capped(step.exit, edge.counter)

  const next = edge.next.filter((target) => target.node !== 'children' || step.children === true)
  return { exit: step.exit, next: next.map((target) => ({ ...target })), action: edge.action }
}

/** The counts after an exit, to pass to `nextStep` (GR4). */
export function countExit(counts: Counts, place: GraphPlace, exit: ExitName): Counts {
  const counter = edgeAt(place, exit)?.counter
  return counter ? { ...counts, [counter]: counts[counter] + 1 } : counts
}

/** The last attempt is announced as the last (GR4). */
export function isLastAttempt(attempt: number, limits: Pick<GraphLimits, 'attempts'> = defaultGraphLimits): boolean {
  return attempt >= limits.attempts
}

/** Where a rebased node continues: at new tests if a criterion lost its test, else where it was paused (GR1). */
export function afterRebase(paused: Target, uncoveredCriteria: readonly string[]): Target {
  return uncoveredCriteria.length > 0 ? { node: 'tdd', mode: 'write-tests' } : paused
}

function capped(exit: ExitName, cap: Cap): GraphDecision {
  return { exit, next: [], action: 'escalate', capped: cap }
}

const count = z.int().min(0).optional()
const limit = z.int().min(1).optional()

const graphInput = z
  .object({
    node: z.enum(graphNodes),
    mode: z.enum(tddModes).optional(),
    /** A name, or the payload form `{ExitName: {…}}`. */
    exit: z.unknown().optional(),
    attempt: z.int().min(1).optional(),
    /** A number, a list or a boolean. */
    children: z.unknown().optional(),
    counts: z.object({ reviews: count, scaffolds: count, merges: count, rebases: count }).optional(),
    limits: z
      .strictObject({ attempts: limit, reviews: limit, scaffolds: limit, merges: limit, rebases: limit })
      .optional(),
  })
  .transform((given, context): GraphStep & { limits: GraphLimits } => {
    const refuse = (path: string, message: string, values: string[]) => {
      context.addIssue({ code: 'invalid_value', path: [path], message, values, input: undefined })
      return z.NEVER
    }
    const { node, mode } = given
    const place = graphPlace(node, mode)
    if (!place) {
      if (node === 'tdd')
        return refuse('mode', 'tdd ends differently in each mode, so its mode is needed', [...tddModes])
      return refuse('mode', `${node} has no modes`, ['no mode'])
    }
    const named = namedExit(given.exit)
    const exit = exitsAt(place).find((own) => own === named?.name)
    if (!named || !exit) return refuse('exit', notAnExit(place, named?.name), exitsAt(place))

    const children = hasChildren(given.children ?? childSpecsOf(named.payload))
    if (children === undefined)
      return refuse('children', 'not a number, boolean or list', ['number', 'boolean', 'list'])
    const { attempt, counts } = given
    return { node, mode, exit, attempt, children, counts, limits: withDefaults(given.limits) }
  })

export const rule: Rule<GraphStep & { limits: GraphLimits }, GraphDecision> = {
  name: 'graph',
  input: graphInput,
  decide: (input) => nextStep(input, input.limits),
  explain(input, output) {
    const place = graphPlace(input.node, input.mode)!
    const said = `${placeName(place)} ended with ${input.exit}`
    return [`${said}${standing(place, input)} [GR1]`, ...outcome(input, output)].join('\n')
  },
}

function withDefaults(given: Partial<GraphLimits> = {}): GraphLimits {
  const set = Object.entries(given).filter(([, value]) => value !== undefined)
  return { ...defaultGraphLimits, ...Object.fromEntries(set) }
}

function namedExit(exit: unknown): { name: string; payload?: unknown } | undefined {
  if (typeof exit === 'string') return { name: exit }
  if (typeof exit !== 'object' || exit === null || Array.isArray(exit)) return undefined
  const entries = Object.entries(exit)
  const [only] = entries
  return entries.length === 1 && only ? { name: only[0], payload: only[1] } : undefined
}

function notAnExit(place: GraphPlace, name: string | undefined): string {
  if (name === undefined) return 'one exit is needed: its name, or {ExitName: {…}} with nothing beside it'
  const owners = graphPlaces.filter((other) => edgeAt(other, name)).map(placeName)
  if (owners.length > 0) return `${name} is an exit of ${owners.join(' and ')}, not of ${placeName(place)}`
  const meant = nearest(name, exitsAt(place))
  return meant ? `there is no such exit; did you mean ${meant}?` : 'there is no such exit'
}

function childSpecsOf(payload: unknown): unknown {
  const specs =
    typeof payload === 'object' && payload !== null && 'childSpecs' in payload ? payload.childSpecs : undefined
  return Array.isArray(specs) ? specs : undefined
}

/** 0, false and an empty list all mean no children. */
function hasChildren(children: unknown): boolean | undefined {
  if (children === undefined) return false
  if (typeof children === 'boolean') return children
  if (Array.isArray(children)) return children.length > 0
  if (typeof children === 'number' && Number.isInteger(children) && children >= 0) return children > 0
  return undefined
}

function standing(
  place: GraphPlace,
  { exit, attempt = 1, counts, limits }: GraphStep & { limits: GraphLimits },
): string {
  if (exit === 'RequestRetry') return ` on attempt ${attempt} of ${limits.attempts}`
  const counter = edgeAt(place, exit)?.counter
  return counter ? `, number ${counts?.[counter] ?? 1} of at most ${limits[counter]} ${counter}` : ''
}

function outcome(input: GraphStep, output: GraphDecision): string[] {
  if (output.capped === 'attempts') return ['No attempt is left, so the retry becomes Stuck. A person decides. [GR4]']
  if (output.capped) return [`The cap on ${output.capped} is reached. Nothing runs next; a person decides. [GR4]`]
  if (output.action === 'escalate') return ['Nothing runs next; a person decides.']
  const names = output.next.map((target) => (target.mode ? `${target.node} (${target.mode})` : target.node)).join(', ')
  if (output.action === 'spawn') {
    const barrier = input.children ? 'the tests are ready and every child has merged' : 'the tests are ready'
    return [`Starts together: ${names}.`, `impl waits until ${barrier}. [GR2]`]
  }
  if (output.action === 'broadcast') return [`Told: ${names}. Siblings still at work adapt to what was merged. [RB1]`]
  return [`Next: ${names}.`]
}
