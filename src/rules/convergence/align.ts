/** Counts positions that an agent has aligned by meaning. SPEC.md § CV7. */
import { z } from 'zod'
import type { Position } from './positions/position.ts'

/** One way to answer a question, and the positions that mean it: `p1`, `p2` … */
const optionSchema = z.object({
  choice: z.string().min(1),
  positions: z.array(z.string()),
  /** What follows from it. */
  follows: z.string().optional(),
  /** The option as a decision of the plan, in one sentence. */
  decision: z.string().optional(),
})

/** Options of one question exclude each other; positions that mean the same are one option. */
export const alignmentSchema = z.object({
  questions: z.array(
    z.object({
      question: z.string().min(1),
      options: z.array(optionSchema).min(1),
      /** What was settled before and answers it: `s1`, `s2` … */
      settled_by: z.string().optional(),
      /** Nobody who uses the product would notice which option is taken. */
      internal: z.boolean().optional(),
    }),
  ),
  /** Positions that nobody else speaks to. */
  alone: z.array(z.string()),
})

export type Alignment = z.infer<typeof alignmentSchema>

export interface AlignedOption {
  choice: string
  agents: string[]
  follows?: string
  decision?: string
}

export interface AlignedQuestion {
  question: string
  options: AlignedOption[]
  /** The number of the settled matter that answers it. */
  settledBy?: string
  /** A matter of the code alone. */
  internal?: true
}

export interface AlignedPositions {
  /** The share of questions without a conflict; null if no two agents spoke to one question. */
  agreement: number | null
  agreed: AlignedQuestion[]
  conflicts: AlignedQuestion[]
  /** Held by one agent: neither agreement nor conflict. */
  alone: Position[]
}

export function positionId(index: number): string {
  return `p${index + 1}`
}

/**
 * CV7: what is wrong with an alignment; empty if every position is placed exactly once, and only matters are named that were
 * settled before (`settled`: their numbers).
 */
export function alignmentFaults(
  { questions, alone }: Alignment,
  positions: readonly Position[],
  settled: readonly string[] = [],
): string[] {
  const known = new Set(positions.map((_, index) => positionId(index)))
  const placed = [...questions.flatMap(({ options }) => options.flatMap((option) => option.positions)), ...alone]
  const twice = new Set(placed.filter((id, index) => placed.indexOf(id) !== index))
  return [
    ...[...known].filter((id) => !placed.includes(id)).map((id) => `${id} is not placed`),
    ...[...twice].map((id) => `${id} is placed twice`),
    ...placed.filter((id) => !known.has(id)).map((id) => `there is no ${id}`),
    ...questions
      .flatMap(({ settled_by }) => settled_by || [])
      .filter((id) => !settled.includes(id))
      .map((id) => `there is no ${id}`),
  ]
}

/** For an alignment without faults. A conflict needs two options held by different agents. */
export function countAlignment({ questions, alone }: Alignment, positions: readonly Position[]): AlignedPositions {
  const byId = new Map(positions.map((position, index) => [positionId(index), position]))
  const agreed: AlignedQuestion[] = []
  const conflicts: AlignedQuestion[] = []
  const single = alone.flatMap((id) => byId.get(id) ?? [])
  for (const { question, options, settled_by, internal } of questions) {
    const held = options.filter((option) => option.positions.length > 0)
    const asked = {
      question,
      options: held.map(({ choice, positions: ids, follows, decision }) => ({
        choice,
        agents: [...new Set(ids.flatMap((id) => byId.get(id)?.agent ?? []))],
        ...(follows ? { follows } : {}),
        ...(decision ? { decision } : {}),
      })),
      ...(settled_by ? { settledBy: settled_by } : {}),
      ...(internal ? { internal } : {}),
    }
    const agents = new Set(asked.options.flatMap((option) => option.agents))
    if (agents.size < 2) single.push(...held.flatMap((option) => option.positions.flatMap((id) => byId.get(id) ?? [])))
    else if (held.length > 1) conflicts.push(asked)
    else agreed.push(asked)
  }
  const all = agreed.length + conflicts.length
  return { agreement: all === 0 ? null : agreed.length / all, agreed, conflicts, alone: single }
}

/**
 * CV7: the option that settles a conflict without the person: the matter is internal, and more agents hold it than all other
 * options together. What people who use the product would notice is theirs to decide, whatever the majority.
 */
export function settledByMajority({ internal, options }: AlignedQuestion): AlignedOption | null {
  if (!internal) return null
  const votes = options.reduce((sum, { agents }) => sum + agents.length, 0)
  return options.find(({ agents }) => agents.length * 2 > votes) ?? null
}
