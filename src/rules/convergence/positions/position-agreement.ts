/** How far stated positions agree, over all questions that at least two agents answered. SPEC.md § CV5. */
import { blocScore, dissentCeiling } from './bloc.ts'
import { type Position, type Tally, tally } from './position.ts'

/** 0 to 1, or undefined if no two agents answered the same question. */
export function positionAgreement(positions: readonly Position[], weighConfidence = false): number | undefined {
  const scores = tally(positions)
    .filter(({ votes }) => votes.length > 1 || votes[0]!.agents.length > 1)
    .map((question) => questionScore(question, weighConfidence))
  if (scores.length === 0) return undefined
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  return scores.every((score) => score === 1) ? 1 : Math.min(mean, dissentCeiling)
}

/** Counts agents; with weights, each counts by its confidence. */
function questionScore({ votes, unanimous }: Tally, weighConfidence: boolean): number {
  if (unanimous) return 1
  if (!weighConfidence) return scoreOf(votes.map(({ agents }) => agents.length))
  const sure = votes.filter(({ confidence }) => confidence > 0)
  if (sure.length === 1) return dissentCeiling
  const heads = votes.reduce((sum, { agents }) => sum + agents.length, 0)
  const total = sure.reduce((sum, { confidence }) => sum + confidence, 0)
  return scoreOf(sure.map(({ confidence }) => (confidence / total) * heads))
}

function scoreOf(sizes: readonly number[]): number {
  const all = sizes.reduce((sum, size) => sum + size, 0)
  return Math.min(dissentCeiling, blocScore(Math.max(0, ...sizes), all))
}
