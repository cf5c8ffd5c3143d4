/** Shortens a title to a subject that still makes sense. SPEC.md § MG1. */
import { oneLine } from '../text/one-line.ts'

export const longestSubject = 72

const prepositions =
  'of|to|in|on|at|by|for|from|with|without|within|into|onto|as|than|via|per|about|after|before|between|through|under|over|' +
  'during|against|across|around|behind|beyond|despite|except|inside|outside|until|upon|like|unlike|towards?'
const conjunctions = 'and|or|nor|but|so|that|which|who|whose|where|when|while|if|because|unless|since'
const articles = 'an?|the|this|that|these|those|its|their|his|her|our|your|another'
const verbsOfBeing = 'is|are|be|was|were|not'
/** Adjectives and quantifiers that say nothing once the noun is cut off. */
const modifiers =
  'all|any|both|each|either|every|few|fewer|less|many|more|most|much|neither|no|only|several|some|such|various|multiple|' +
  'single|double|first|second|last|next|previous|new|newer|old|older|own|other|same|different|similar|given|' +
  'whole|entire|full|empty|additional|extra|further|existing|current|default|custom|optional|required|missing|certain|specific|' +
  'relative|absolute|public|private|internal|external|nested|invalid|valid|large|larger|long|longer|short|shorter|small|smaller'

/** Words that no subject ends with. */
const loose = new RegExp(`\\s+(?:${prepositions}|${conjunctions}|${articles}|${verbsOfBeing})$`, 'i')
/** Also those that no subject ends with where the noun behind them is cut off. */
const dangling = new RegExp(`${loose.source.slice(0, -2)}|${modifiers})$`, 'i')
/** A word that begins a phrase: what stands in front of it is whole. */
const opening = new RegExp(`^(?:${prepositions}|${conjunctions})$`, 'i')
const preposition = new RegExp(`^(?:${prepositions})$`, 'i')

const joining = 'so|which|that|who|where|when|while|if|because|unless|until|since|instead|without'
/** Where a sentence may end early. A comma in a list is no such place, nor is the `but` of `all but the last`. */
const ends = new RegExp(
  `\\s*(?:[;:.]\\s|\\s[–—-]\\s|\\s\\(|,\\s(?=(?:${joining}|but|and|or|as|with)\\s)|,\\s(?=(?:the|an?)\\s[^,]*$)|\\s(?=(?:${joining})\\s))`,
  'g',
)
/** What is added, by its name in code, in front of what it is for. */
const added = /^(?:add|introduce|provide|expose|export|implement|create|define)\s.*?[)`._]\S*(?=\s+to\s+[a-z]+\s)/i
/** A condition in front of what is done. */
const condition = /^(?:when|if|while|after|before|because|since|for|in|on|with|as|to)\b[^,;:]*,\s+(?=\S+\s)/i

/**
 * Never cut in the middle: leaves out a condition in front, and ends at a clause where there is one, else at a phrase or a
 * word that does not need the next one.
 */
export function shortSubject(title: string, longest = longestSubject): string {
  const whole = oneLine(title, 400).replace(/…$/, '')
  if (whole.length <= longest) return whole
  const isCapital = /^\p{Lu}/u.test(whole)
  const words = condition.test(whole) ? recased(whole.replace(condition, ''), isCapital) : whole
  if (words.length <= longest) return words
  const places = [...words.matchAll(ends)].map(({ index }) => index)
  const name = added.exec(words)?.[0].length
  const clauses = [...places, ...(name === undefined ? [] : [name])]
    .toSorted((a, b) => a - b)
    .map((end) => tidy(words.slice(0, end), loose))
  return clauses.findLast((one) => one.length <= longest && one.length >= longest / 3) ?? cutAtWord(words, longest)
}

/** Gives the text a capital or a small letter in front. Leaves a first word alone that is a name, such as `HTTP` or `parseRow`. */
export function recased(text: string, capitalised: boolean): string {
  const [first = ''] = text.split(/\s/, 1)
  if (/\p{L}.*\p{Lu}|[_`().]/u.test(first)) return text
  const letter = text.charAt(0)
  return (capitalised ? letter.toUpperCase() : letter.toLowerCase()) + text.slice(1)
}

function cutAtWord(words: string, longest: number): string {
  const kept = words.slice(0, longest + 1).replace(/\s+\S*$/, '')
  if (kept.length > longest) return words.slice(0, longest)
  const [next = ''] = words.slice(kept.length).trim().split(/\s/, 1)
  if (opening.test(next)) return tidy(kept, loose)
  const phrase = tidy(withoutLastPhrase(kept), loose)
  return phrase.length >= longest / 2 ? phrase : tidy(kept, dangling)
}

/** "relative URLs with a fragment" without "with a fragment": its noun may be cut off. Empty if the last phrase is another. */
function withoutLastPhrase(text: string): string {
  const words = text.split(' ')
  const last = words.findLastIndex((word) => opening.test(word))
  return preposition.test(words[last] ?? '') ? words.slice(0, last).join(' ') : ''
}

function tidy(text: string, dropped: RegExp): string {
  // Half a quotation says something else.
  let short = text.replace(/\s(?:`[^`]*|"[^"]*|'[^']*|“[^”]*|\([^)]*)$/, '')
  while (dropped.test(short)) short = short.replace(dropped, '')
  return short.replace(/[,;:.\s]+$/, '')
}
