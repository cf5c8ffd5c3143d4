/** Reads which terms a clause chooses and which it rejects. "Rent it, not build it": +rent, −build. */
import type { Clause, Word } from './clause.ts'
import { actionVerbs, condemnations, isNegative, negations, opposites, rejectingVerbs } from './english.ts'
import { isName, type Vocabulary } from './vocabulary.ts'

export interface Mention {
  term: string
  /** Chosen or rejected. */
  sign: 1 | -1
  name: boolean
  /** What it is for, after what it is: "a table for the ledger". */
  purpose: boolean
  /** Its place in the clause. */
  at: number
}

/** `reversed`: a later clause denies it ("Open the port? I would not."). */
export function mentionsIn(clause: Clause, vocabulary: Vocabulary, reversed = false): Mention[] {
  const words = clause.words.map((word) => word.text)
  const mentions: Mention[] = []
  let sign: 1 | -1 = reversed !== isPutOff(clause) ? -1 : 1
  let objectFrom = -1
  let inAdjunct = false
  /** "No split of the model" says nothing against the model. */
  let inComplement = false
  /** What is rejected now is only the other side of a contrast: "X instead of Y". */
  let contrasted = false
  let isPurpose = false
  const turn = () => {
    sign = sign === 1 ? -1 : 1
  }

  for (let at = 0; at < words.length; at += 1) {
    const word = words[at]!
    isPurpose ||= word === 'for' && mentions.length > 0
    const pair = `${word} ${words[at + 1] ?? ''}`
    if (pair === 'not only' || pair === 'not just') at += 1
    else if (approvesOf.test(`${pair} ${words[at + 2] ?? ''}`))
      at += word === 'nothing' && words[at + 1] === 'against' ? 1 : 2
    else if (contrastPairs.has(pair)) {
      turn()
      contrasted = sign < 0
      at += 1
    } else if (pair === 'worse than') {
      turnBack(mentions)
      at += 1
    } else if (comparesAgainst(words, at) || leaves(words, at)) turn()
    else if (word === 'object' && words[at + 1] === 'to') turn()
    else if (weakens.test(pair)) {
      turn()
      at += 1
    } else if (isDeniedSubject(words, at) && mentions.length > 0) {
      turnBack(mentions)
      turn()
    } else if (sign < 0 && (resumes(words, at) || arrives(words, at))) sign = 1
    else if (objectFrom >= 0 && mentions.length > objectFrom && afterObject.test(word)) {
      sign = 1
      objectFrom = -1
    } else if (sign < 0 && mentions.some((mention) => mention.sign < 0) && adjunct.test(word)) {
      inAdjunct = true
      inComplement ||= word === 'of'
    } else if (isCondemned(words, at) || isPassive(words, at)) {
      // "X is not a mistake": the two cancel out.
      if (sign < 0 && !contrasted && mentions.some((mention) => mention.sign > 0)) sign = 1
      else if (mentions.length === 0 && words[at + 1] === 'to') turn()
      else turnBack(mentions)
    } else if (at === words.length - 1 && /^(?:never|not)$/.test(word) && mentions.length > 0) turnBack(mentions)
    else if (word === 'not' && mentions.length > 0 && isAbsence(words, at)) turnBack(mentions)
    else if (rejectsPronoun(words, at)) at += 1
    else if (isNegative(word)) {
      turn()
      if (rejectingVerbs.has(word)) objectFrom = mentions.length
    } else add(clause.words[at]!, at)
  }
  return mentions

  function add(word: Word, at: number): void {
    const term = vocabulary.term(word)
    // A negation does not cover its place and time, unless the place is what the choice is about.
    if (term === undefined || inComplement || (inAdjunct && !vocabulary.isOption(term))) return
    mentions.push({ term, sign, name: isName(word), purpose: isPurpose, at })
  }
}

/** The side that a clause takes among the general opposites: for or against `keep`. */
export function leaningsIn(clause: Clause, reversed = false): { name: string; sign: 1 | -1 }[] {
  const found: { name: string; sign: 1 | -1 }[] = []
  let sign: 1 | -1 = reversed ? -1 : 1
  if (/^(?:a \w+ )?yes$/.test(clause.text)) found.push({ name: 'yes', sign: 1 })
  if (leavesAsIs.test(clause.text)) found.push({ name: 'keep', sign })
  if (clause.text === 'no') found.push({ name: 'yes', sign: -1 })
  for (const { text } of clause.words) {
    for (const { name, one, other } of opposites) {
      if (one.has(text)) found.push({ name, sign })
      if (other.has(text)) found.push({ name, sign: sign === 1 ? -1 : 1 })
    }
    if (negations.has(text) || /^(?:than|avoid|stop|against)$/.test(text)) sign = sign === 1 ? -1 : 1
  }
  return found
}

const leavesAsIs = /\b(?:leave|leaving|left)\b.*\b(?:alone|as (?:it|they|is)|unchanged|untouched|in place|where)\b/

/** Whether the clause as a whole is negative: "I would not do it", "ship without it", "wait until next year with it". */
export function isDenial(clause: Clause): boolean {
  const words = clause.words.map((word) => word.text)
  const turns = words.filter((word, at) => isNegative(word) || (putsAway.test(word) && isCondemned(words, at))).length
  return (turns % 2 === 1) !== isPutOff(clause)
}

const putsAway = /^(?:out|off|down|away)$/

/** "Leave it for next year" is a no for now. */
export function isPutOff(clause: Clause): boolean {
  return /\b(?:leave|leaving|save|wait|waiting)\b.*\b(?:for|until|till) (?:next|later|after|there|the next|another)\b/.test(
    clause.text,
  )
}

function turnBack(mentions: Mention[]): void {
  for (const mention of mentions) mention.sign = mention.sign === 1 ? -1 : 1
}

/** Two negatives that approve of what follows: "no reason against", "nothing wrong with". */
const approvesOf =
  /^(?:no (?:reason against|objections? to|harm in|problem with|way around)|nothing (?:wrong with|against|\w+ against)\b)/

const contrastPairs = new Set([
  'rather than',
  'instead of',
  'give up',
  'rule out',
  'rules out',
  'leave out',
  'leaving out',
  'rid of',
  'clear of',
  'hands off',
  'not convinced',
  'not persuaded',
])

/** Ends the object of "drop", "avoid", "stop": "… with the next version". */
const afterObject = /^(?:in|with|at|on|for|by|from|until|during|after|before|as|to|into)$/
const adjunct = /^(?:of|in|at|on|into|onto|from|by|until|during|after|before|inside|within)$/
const weakens = /^little (?:value|point|use|sense|reason|need|benefit)$/
const moving = /^(?:switch|move|migrate|change|go)/

/** "Prefer X over Y", "better than Y". */
function comparesAgainst(words: readonly string[], at: number): boolean {
  if (words[at] === 'over') return words.some((word) => /^(?:prefer|favou?r|choose|pick|take)$/.test(word))
  if (words[at] !== 'than') return false
  const comparative = words.slice(0, at).findLast((word) => /(?:er|more|better|worse|less)$/.test(word))
  return comparative !== undefined && comparative !== 'worse'
}

/** "Switch from X …", "separate from X". */
function leaves(words: readonly string[], at: number): boolean {
  if (words[at] !== 'from') return false
  // "Ich rate von X ab."
  if (words.at(-1) === 'ab' && words.includes('recommend')) return true
  if (/^(?:separated?|away|apart|independent)$/.test(words[at - 1] ?? '')) return true
  return words.includes('to') && words.slice(0, at).some((word) => moving.test(word))
}

/** "… to Y" after "switch from X". */
function arrives(words: readonly string[], at: number): boolean {
  const before = words.slice(0, at)
  return words[at] === 'to' && before.includes('from') && before.some((word) => moving.test(word))
}

/** "Avoid X and use Y", "retiring X and writing Y". */
function resumes(words: readonly string[], at: number): boolean {
  const next = words[at + 1] ?? ''
  return at > 0 && words[at] === 'and' && (actionVerbs.has(next) || next.endsWith('ing'))
}

/** "X must go", "X can go", "X is out", "leave X out", "let X go", "X would be a mistake". */
function isCondemned(words: readonly string[], at: number): boolean {
  const [word, before] = [words[at]!, words.slice(0, at)]
  if (condemnations.has(word)) return true
  if (word === 'go' && /^(?:has|have)$/.test(before.at(-2) ?? '') && before.at(-1) === 'to') return true
  if (word === 'go') return before[0] === 'let' ? at > 1 : /^(?:must|can|may|should)$/.test(before.at(-1) ?? '')
  if (word === 'down' || word === 'away') return before.some((one) => /^(?:tear|shut|tak|wind|throw|clos)/.test(one))
  if (word !== 'out' && word !== 'off') return false
  if (/^(?:into|to|there)$/.test(words[at + 1] ?? '')) return false
  if (/^(?:is|are|stay|stays)$/.test(before.at(-1) ?? '')) return true
  if (words[at + 1] === 'of' && !before.some((one) => /^(?:leav|keep)/.test(one))) return false
  return before.some((one) => /^(?:leav|left|keep|put|hold|turn|switch|phas|cut|call|tak|throw|shut)/.test(one))
}

/** "X must not exist", "X is not needed": the subject is rejected. */
function isAbsence(words: readonly string[], at: number): boolean {
  return /^(?:(?:something|anything|what|where|how) (?:i|we)|exist|happen|stay|remain|needed|worth|necessary|required|acceptable|allowed|ready|mature|enough|worthwhile|viable|sensible|useful|helpful|safe|suitable|for (?:us|me)|be (?:needed|used|allowed|accepted|kept|done))(?: |$)/.test(
    words.slice(at + 1, at + 3).join(' '),
  )
}

/** "GraphQL should not be part of this", "blobs do not belong in rows": the subject is rejected as well. */
function isDeniedSubject(words: readonly string[], at: number): boolean {
  if (words[at] !== 'not' || !/^(?:should|must|can|may|will|do|does|need|shall)$/.test(words[at - 1] ?? ''))
    return false
  return /^(?:be|go|become|get|stay|come|belong|live|count|happen|have)$/.test(words[at + 1] ?? '')
}

/** "Retire them with the next release": the pronoun is all that is rejected. */
function rejectsPronoun(words: readonly string[], at: number): boolean {
  return (
    rejectingVerbs.has(words[at]!) && /^(?:it|them)$/.test(words[at + 1] ?? '') && afterObject.test(words[at + 2] ?? '')
  )
}

/** "X should be dropped", "X can be closed". */
function isPassive(words: readonly string[], at: number): boolean {
  const word = words[at]!
  if (!/^(?:be|is|are|been|get|was|were)$/.test(words[at - 1] ?? '')) return false
  return (rejectingVerbs.has(word) && /(?:ed|en)$/.test(word)) || (word === 'closed' && words[at - 1] === 'be')
}
