/** Reads an agent's proposal. A malformed reply becomes a proposal that can only win a solo round. SPEC.md § RD4. */

import { inputError } from '../schema/rule.ts'
import { readReplyJson } from '../text/reply-json.ts'
import { clampConfidence } from './confidence.ts'
import { type Proposal, proposalSchema } from './proposal.ts'

/** `problem` says why the reply is malformed. */
export type ProposalReading =
  | { malformed: false; proposal: Proposal }
  | { malformed: true; proposal: Proposal; problem: string }

export function readProposal(text: string): ProposalReading {
  const reply = readReplyJson(text)
  if (!reply.ok) return malformed(text, reply.problem)
  const parsed = proposalSchema.safeParse(reply.value)
  if (!parsed.success) return malformed(text, inputError(parsed.error).message)
  const confidence = clampConfidence(parsed.data.confidence)
  return { malformed: false, proposal: { ...parsed.data, confidence } }
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
