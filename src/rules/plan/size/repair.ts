/** Tells a repair from a change with behaviour to settle, by the words of a sentence. SPEC.md § RK4. */
import { repairWords } from './size-words.ts'

/**
 * Something is wrong, or a text is. `words` are the sentence's, in lower case. Some words say so only beside code that is named:
 * users write messages too.
 */
export function isRepair(whole: string, words: readonly string[], namesCode: boolean): boolean {
  const sentence = whole.slice(0, 2000)
  if (words.some((word) => repairWords.has(word)) || faulty.test(sentence) || inDocuments.test(sentence)) return true
  if (!namesCode) return false
  return besideCode.test(sentence) || stopping.has(words[0] ?? '') || statesFault(sentence)
}

/** Asks for something more behind a comma or an “and”, other than a test or a word about the change. */
export function bringsMore(sentence: string): boolean {
  return [...sentence.matchAll(furtherDemand)].some(([, object = '']) => !belongsToChange.test(object))
}

/** Begins with functions and says what they do, such as “`first` and `last` return -0”, unless it is what they shall do from now on. */
function statesFault(sentence: string): boolean {
  const [, verb] = codeFirst.exec(sentence) ?? []
  return verb !== undefined && !wished.has(verb.toLowerCase())
}

const name = String.raw`(?:\x60[^\x60]+\x60|[\w$.]+\([^)]*\)|[a-z]\w*[_A-Z]\w*)`
const codeFirst = new RegExp(String.raw`^${name}(?:(?:, *| and | or |, and |, or )${name})* +([\p{L}]+)`, 'u')
const wished = new Set(
  `take takes accept accepts support supports allow allows get gets have has can could learn offer offers expose exposes share
  shares become becomes need needs should shall must may might will would work works in for with without as on to from and or
  also et y und soll sollen sollte sollten kann können`.split(/\s+/),
)

const faulty =
  /\b(?:the wrong|(?:is|are|was|were) wrong(?= *(?:$|[.,;]| (?:if|when|for|in|on|after|since)\b))|wrongly|incorrect(?:ly)?|misleading|regression)\b|\bfalsch(?:e[nrs]?)?\b|\bincorrect(?:e|o|a)s?\b/i

const inDocuments = /\b(?:docs|documentation|docstrings?|jsdoc|readme|changelog)\b|^document\b/i

const besideCode =
  /\b(?:(?:should|must|may|do|does|shall)(?: not\b|n['’]t\b)|(?:should|must|shall) (?:never|only|always|return|throw|keep|give|ignore|reject|say|name|show|raise|report|treat|leave|preserve|close)\b|no longer\b|instead of \w+ing\b|throw(?:ing)?\b|wrong\b|broken\b|fail(?:s|ed|ing)?\b|leak(?:s|ed|ing)?\b|lost\b|lose[sn]?\b|hang(?:s|ing)?\b|mutate[sd]?\b|messages?\b|(?:in|of) (?:the|its|their) errors?\b|note\b|hint\b|comments?\b)|\b(?:soll|sollen|sollte|sollten|darf|dürfen|muss|müssen) (?:[\p{L}()]+ )*(?:nicht|keine?n?)\b|\bmeldung(?:en)?\b|\bdoi(?:t|vent)(?: \p{L}+)? pas\b|\bmessages? d['’]erreur\b|\bno deben?\b/iu

/** Verbs that begin a goal which ends a fault of the code that it names. */
const stopping = new Set(['stop', 'avoid', 'prevent'])

const demandVerbs =
  'add|support|introduce|build|create|write|implement|provide|offer|allow|let|make|deprecate|drop|migrate|replace|ergänze|baue|erlaube|unterstütze|ajoute|permets|añade|permite'
const furtherDemand = new RegExp(
  String.raw`(?:[,;]|\b(?:and|plus|then|also|und|et|y)\b) *(?:(?:also|then|auch) )?(?:${demandVerbs})\b((?: +[^\s,;]+){0,7})`,
  'giu',
)
const belongsToChange =
  /\b(?:tests?|docs|documentation|readme|changelog|note|comment|message|hint|typo|hinweis|kommentar|meldung)\b/i
