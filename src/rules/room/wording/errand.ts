/** Reads an errand: one agent is sent to ask another ("gemini, ask gpt whether it is safe and report back"). SPEC.md § DP9. */
import { clauseOpens } from './addressed.ts'
import { listOnly, type NameAt } from './names.ts'

export interface Errand {
  /** Those to be asked come first; the agent that asks them answers on what they said. */
  named: string[]
  words: string
}

/** `names` are those in `text`, in its order. */
export function readErrand(text: string, names: readonly NameAt[]): Errand | undefined {
  for (const [index, sent] of names.entries()) {
    const asked = askedFrom(text, names, index + 1)
    if (asked.length === 0 || asked.some(({ agent }) => agent === sent.agent)) continue
    const between = text.slice(sent.end, asked[0]!.at)
    const after = text.slice(asked.at(-1)!.end)
    if (clauseOpens.test(text.slice(0, sent.at).replace(/@$/, '')) && isSent(between, after))
      return { named: [...asked.map(({ agent }) => agent), sent.agent], words: text.slice(sent.at, asked.at(-1)!.end) }
    // "Could you ask gpt for an example, gemini, and explain it?": the one who is sent comes second.
    const [later] = asked
    const isCalledLater = /[^,]*,\s*@?$/.test(between) && !listOnly.test(between) && /^\s*(?:[,.?!]|$)/.test(after)
    if (isCalledLater && sentFirst.test(text.slice(0, sent.at)))
      return { named: [sent.agent, later!.agent], words: `${sent.agent} … ${later!.agent}` }
  }
  return undefined
}

function isSent(between: string, after: string): boolean {
  if (sentToAsk.test(between)) return true
  if (sentFor.test(between) && theirOpinion.test(after)) return true
  if (sentToHave.test(between)) return andTellMe.test(after)
  return germanVerbs.some(([opens, follows]) => opens.test(between) && follows.test(after))
}

/** The names listed together from there on: "ask gpt and claude". */
function askedFrom(text: string, names: readonly NameAt[], index: number): NameAt[] {
  const asked = names.slice(index, index + 1)
  for (let next = index + 1; next < names.length; next++) {
    if (!listOnly.test(text.slice(names[next - 1]!.end, names[next]!.at))) break
    asked.push(names[next]!)
  }
  return asked
}

const politely =
  "(?:(?:please|pls|(?:can|could|would|will) you|first|then|now|quickly|briefly|go|and|(?:kannst|könntest|würdest) du|bitte|mal|kurz|doch|erst|zuerst|dann|peux-tu|pourrais-tu|tu (?:peux|pourrais)|s'il te plaît|d'abord|puis|puedes|podrías|por favor|primero|luego)[ ,]+)*"

const asks =
  "(?:ask|check with|consult(?: with)?|find out from|verify with|confirm with|talk to|speak (?:to|with)|frage?(?: (?:bitte|mal|doch|kurz|zuerst|erst))*|(?:kläre?|besprich)(?: \\p{L}+)? mit|(?:sprich|rede) mit|erkundige dich bei|demande[rz]?(?: (?:donc|d'abord|stp))? à|vois avec|voir avec|vérifier? (?:avec|auprès de)|consulter?|(?:demande|recueille|prends) l'(?:avis|opinion) d[e']|(?:pregunta[r]?|pregúntale|preguntarle)(?: primero)? a|(?:consulta|verifica|confirma|habla)r?(?:lo)? con|pide (?:la opinión de|su opinión a))"

const sentToAsk = new RegExp(`^\\s?[,:]? ?${politely}${asks} ?@?$`, 'u')

const sentFirst = new RegExp(`(?:^|[.!?:;\\n]\\s*)${politely}${asks} ?@?$`, 'u')

/** "gemini, have gpt estimate it and tell me whether you believe it". */
const sentToHave = new RegExp(`^\\s?[,:]? ?${politely}(?:have|let|get|lass|laisse|fais|haz que|deja que) @?$`, 'u')
const andTellMe =
  /^[^.?!\n]* (?:and|und|et|y)(?: then| dann| danach| ensuite| luego)? (?:tell me|let me know|report|give me|show me|summari[sz]e|sag mir|berichte|fass|dis-moi|résume|dime|resume|cuéntame)(?!\p{L})/u

/** "gemini, get gpt's view and add yours". */
const sentFor = new RegExp(`^\\s?[,:]? ?${politely}(?:get|hear|collect|hol(?:e)?(?: dir)?) @?$`, 'u')
const theirOpinion =
  /^'s (?:opinion|view|take|thoughts|advice|estimate|answer|input|meinung|einschätzung|schätzung|antwort|rat)(?!\p{L})/u

/** "Gemini, kannst du Claude fragen, ob …", "Gemini, bitte Claude um eine Schätzung": the verb surrounds the name, or is "bitten". */
const germanVerbs: [opens: RegExp, follows: RegExp][] = [
  [
    /^\s?[,:]? ?(?:kannst|könntest|würdest|magst|willst) du(?: bitte| mal| kurz)* @?$/u,
    /^ (?:bitte |mal |kurz )*(?:fragen|konsultieren)(?!\p{L})/u,
  ],
  [/^\s?[,:]? ?bitte @?$/u, /^ um /u],
]
