/** A person's answer as a decision of the plan, in a sentence. SPEC.md § CX2. */

export interface PersonsAnswer {
  question: string
  /** What was asked, without who asks it. */
  about?: string
  answer: string
  /** The chosen option as a decision, as the agents worded it. */
  sentence?: string
}

/** The words that an agent gave the chosen option; otherwise the question and the answer. A long answer keeps its lines. */
export function personsSentence({ question, about = question, answer, sentence }: PersonsAnswer): string {
  const said = sentence?.replace(/\s+/g, ' ').trim()
  if (said) return said
  const asked = about.replace(/\s+/g, ' ').trim().slice(0, 400)
  return `On “${asked}” the person decided:${answer.includes('\n') ? '\n' : ' '}${answer.trim()}`
}
