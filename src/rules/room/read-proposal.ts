/** Reads an agent's proposal. A malformed reply becomes a proposal that can only win a solo round. SPEC.md § RD4. */

import { readBySchema } from '../schema/reply.ts'
import { clampConfidence } from './confidence.ts'
import { type Proposal, proposalSchema } from './proposal.ts'

/** `problem` says why the reply is malformed. */
export type ProposalReading =
  | { malformed: false; proposal: Proposal; loose: boolean }
  | { malformed: true; proposal: Proposal; problem: string }

export function readProposal(text: string): ProposalReading {
  const reply = readBySchema(text, proposalSchema)
  if (!reply.ok) return malformed(text, reply.problem)
  const confidence = clampConfidence(reply.value.confidence)
  return { malformed: false, proposal: { ...reply.value, confidence }, loose: reply.loose }
}

/** A confidence of 0.5 is not above `high`, so a malformed reply never opens a shared round. */
function malformed(text: string, problem: string): ProposalReading {
  const angle = firstCharacters(text, 100)
  return { malformed: true, proposal: { angle, confidence: 0.5, covers: [], solo_sufficient: true }, problem }
}

/** Whole code points: half a surrogate pair cannot be stored as UTF-8. */
function firstCharacters(text: string, count: number): string {
  return [...text.slice(0, 2 * count)].slice(0, count).join('')
}
