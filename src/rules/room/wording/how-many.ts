/** Reads how many agents a message wants to hear: "two of you", "I'd like two views on this". SPEC.md § DP9. */
import { clauseStart, findPhrase, type Phrases, phrase } from './phrase.ts'

/** "Two of you" asks for two, "the two of you" for all. `words` are those that ask several. */
export function countIn(words: string, text: string): { count?: number } {
  // "If two of you agree", "no two of you agree", "one or two of you".
  if (/\b(?:if|no|or|and)\s$/.test(text.slice(0, text.indexOf(words)))) return {}
  const number = /^(\p{L}+) (?:of you|von euch|d'entre vous|de (?:vosotr[oa]s|ustedes))/u.exec(words)?.[1]
  return counted(number)
}

/** The words that ask for a number of views, and the number; each view is another agent's. */
export function asksForViews(text: string): { words: string; count?: number } | undefined {
  const words = findPhrase(text, numberOfViews)
  if (words === undefined) return undefined
  return { words, ...counted(words.match(anyNumber)?.at(-1)) }
}

function counted(number: string | undefined): { count?: number } {
  const at = counts.findIndex((forms) => forms.includes(number ?? ''))
  return at === -1 ? {} : { count: at + 2 }
}

const counts = [
  ['2', 'two', 'zwei', 'deux', 'dos', 'a couple of'],
  ['3', 'three', 'drei', 'trois', 'tres'],
  ['4', 'four', 'vier', 'quatre', 'cuatro'],
  ['5', 'five', 'fünf', 'cinq', 'cinco'],
]

const oneNumber = `(?:${counts.flat().join('|')})`
const anyNumber = new RegExp(`(?<![\\p{L}\\p{N}])${oneNumber}(?![\\p{L}\\p{N}])`, 'gu')

/** "Two", "two or three": the larger one counts. */
const number = `${oneNumber}(?: (?:or|to|oder|bis|ou|à|o|a) ${oneNumber})?`

/** "Two views on the orders table" are things of a database. */
const ofThings =
  '(?! (?:on|of|over|for|in) (?:the|our|my|this|that|these|both|all) (?:\\p{L}+ ){0,2}(?:tables?|database|schema|models?|data|dashboard|page|screen|collection)(?!\\p{L}))'
/** "Two answers each" is what one agent is to give. */
const afterEnglish =
  '(?=\\s*(?:[.,;:!?)–—-]|$)| (?:please|pls|but|on|about|regarding|before|here|now|first|for (?:this|that|it|the|my|our)|from (?:you|the room|two|three|different)|to (?:this|that|it|my)|of (?:this|that|it)|whether|as to)(?!\\p{L}))'
const english = `(?:(?:more |really )?\\p{L}+ )?(?:views?${ofThings}|opinions|takes|perspectives|viewpoints|points of view|voices|answers|replies|responses|estimates|guesses|assessments|judge?ments|verdicts)${afterEnglish}`
const german =
  '(?:\\p{L}+e )?(?:meinungen|ansichten|sichtweisen|perspektiven|blickwinkel|standpunkte|einschätzungen|schätzungen|antworten|stimmen|urteile)(?! (?:von )?(?:jedem|jeder|pro)(?!\\p{L}))'
const french =
  '(?:avis|opinions|points de vue|perspectives|réponses|estimations|regards|sons de cloche)(?! (?:chacune?|par)(?!\\p{L}))'
const spanish =
  '(?:opiniones|perspectivas|puntos de vista|visiones|respuestas|estimaciones|pareceres)(?! (?:cada|por)(?!\\p{L}))'

/** A wish, or the number where a clause begins: a report has neither ("the API gives two answers", "there are two opinions on that"). */
const numberOfViews: Phrases = {
  en: [
    phrase`(?:(?:i|we)(?:'d| would)? (?:really |also |just |rather |only )*(?:like|love|want|need|prefer|appreciate|am after)(?: to (?:have|hear|get|see|collect))?|(?:give|get|bring|send) (?:me|us)|let (?:me|us) (?:have|hear|get|see)|(?:can|could|may) (?:i|we) (?:please )?(?:have|get|hear)|(?:i'm|i am|we're|we are) (?:looking|asking) for|let's (?:hear|have|get|collect)|(?:please|pls),?)(?: please)?(?: at least| exactly| just| only)?(?: the| your)? ${number} ${english}`,
    phrase`${clauseStart}(?:just )?${number} ${english}(?:,? (?:please|pls)| on [^.?!:\n]{1,60}(?:(?=:)| please| pls)|(?= ?:))`,
  ],
  de: [
    phrase`(?:(?:ich|wir)? ?(?:hätten?|möchten?|will|wollen|würden?|brauchen?|bräuchten?|wünschen?|suchen?)(?: (?:ich|wir|gern|gerne|hier|dazu|dafür|bitte|mal|da|noch|erst|mindestens|genau|mir|uns))*|(?:gebt|gib|geben sie|sagt|nennt)(?: (?:mir|uns|bitte|mal|dazu|hier))*|bitte(?: um)?) (?:eure )?${number} ${german}`,
    phrase`${clauseStart}${number} ${german}(?: (?:dazu|hierzu))?(?:,? bitte| (?:wären|würden|reichen|hätte|möchte|brauche)(?!\p{L})|(?= ?:))`,
  ],
  fr: [
    phrase`(?:je (?:veux|voudrais|souhaite|souhaiterais|cherche|demande)|j'aimerais|j'ai besoin de|(?:nous|on) (?:voulons|voudrions|aimerions|veut|voudrait|aimerait)|il (?:me|nous) fau(?:t|drait)|donne[rz]?(?:-(?:moi|nous))?)(?: (?:avoir|entendre|bien|ici|lire))*(?: (?:au moins|vos))? ${number} ${french}`,
    phrase`${clauseStart}${number} ${french}(?:,? (?:svp|s'il (?:vous|te) plaît)| sur [^.?!:\n]{1,60}(?=:)|(?= ?:))`,
  ],
  es: [
    phrase`(?:quiero|queremos|quisiera|querría|necesito|necesitamos|busco|pido|me gustaría(?:n)?|(?:dad|den|da)(?:me|nos))(?: (?:tener|oír|escuchar|leer|aquí|por favor|al menos|vuestras|sus))* ${number} ${spanish}`,
    phrase`${clauseStart}¿?${number} ${spanish}(?:,? por favor| sobre [^.?!:\n]{1,60}(?=:)|(?= ?:))`,
  ],
}
