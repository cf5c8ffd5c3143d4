/** A person's answer as a decision of the plan, in a sentence. SPEC.md § CX2. */

export interface PersonsAnswer {
  question: string
  /** What was asked, without who asks it. */
  about?: string
  answer: string
  /** The chosen option as a decision, as the agents worded it. */
  sentence?: string
}

/**
 * The words that an agent gave the chosen option; else the answer, if it says by itself what holds; else the answer behind the
 * shortened question. A long answer keeps its lines.
 */
export function personsSentence({ question, about = question, answer, sentence }: PersonsAnswer): string {
  const told = sentence?.replace(/\s+/g, ' ').trim()
  if (told) return told
  const said = answer.trim()
  if (isSentence(said)) return said
  return `${shortened(about)}:${said.includes('\n') ? '\n' : ' '}${said}`
}

const fewestWords = 5

/** Has words enough and a verb, and does not lean on the question: “yes, if …”, “it stays”. */
function isSentence(answer: string): boolean {
  const [first = ''] = answer.split(/[.!?:;](?:\s|$)|\n/, 1)
  return first.split(/\s+/).length >= fewestWords && finite.test(first) && !leaning.test(first)
}

const finite =
  /\b(?:is|are|was|were|must|should|shall|may|might|can|cannot|will|would|has|have|does|do|stays?|remains?|keeps?|gives?|gets?|returns?|throws?|counts?|becomes?|takes?|makes?|means?|shows?|goes|go|needs?|fails?|ist|sind|muss|müssen|soll|sollen|darf|dürfen|kann|können|wird|werden|hat|haben|bleibt|bleiben|gibt|gilt|gelten|est|sont|doit|doivent|peut|es|son|debe|deben|puede)\b/i

const leaning =
  /^(?:yes|no|both|only|just|if|when|because|since|so|and|but|or|that|this|these|those|it|its|they|he|she|which|an? (?!\S+ (?:is|must|should|may|can))|the (?:first|second|third|last|latter|former|same|other)\b|ja|nein|nur|wenn|weil|und|aber|das|es|sie|beide|oui|non|si|sí)\b/i

const longestQuestion = 90

/** The question without what it offers to choose from, cut where a word ends. */
function shortened(question: string): string {
  const asked = question
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[?.:]+$/, '')
  const [head = asked] = asked.split(/(?::|,| –| —) (?=\S)/, 1)
  const short = asked.length > longestQuestion && head.length > longestQuestion / 3 ? head : asked
  return short.length <= longestQuestion ? short : `${short.slice(0, longestQuestion).replace(/\s+\S*$/, '')} …`
}
