/** Reads numbers as people write them: "1,000", "1k", "one thousand", "nine-tenths", "7 days". */

/** A number with its unit. `base` is the value in the base unit (seconds, bytes, percent), if the unit is known. */
export interface Quantity {
  value: number
  base?: { unit: string; value: number }
}

/** Reads the quantity at `start` and how many words it takes. `words` are lower case; numerals may end in `k`, `%` or a unit. */
export function readQuantity(
  words: readonly string[],
  start: number,
): { quantity: Quantity; length: number } | undefined {
  const part = readPart(words, start)
  if (part) return part
  const number = readNumeral(words[start]) ?? readSpelled(words, start)
  if (!number) return undefined
  const { value, length, suffix } = number
  if (suffix) return { quantity: withUnit(value, suffix), length }
  const fraction = fractions.get(words[start + length] ?? '')
  if (fraction) return { quantity: withUnit((value / fraction) * 100, '%'), length: length + 1 }
  const next = words[start + length]
  if (next !== undefined && unitOf(next)) return { quantity: withUnit(value, next), length: length + 1 }
  return { quantity: { value }, length }
}

/** All quantities in a list of words, except "one" alone, which is mostly a pronoun. */
export function quantitiesIn(words: readonly string[]): Quantity[] {
  return placedQuantities(words).map(({ quantity }) => quantity)
}

/** The same with the place of each and how many words it takes. */
export function placedQuantities(words: readonly string[]): { quantity: Quantity; at: number; length: number }[] {
  const found: { quantity: Quantity; at: number; length: number }[] = []
  for (let at = 0; at < words.length; ) {
    const read = readQuantity(words, at)
    if (read && !(read.length === 1 && words[at] === 'one')) found.push({ ...read, at })
    at += read?.length ?? 1
  }
  return found
}

/** Equal as numbers; a missing unit matches any: "52 WPM" is 52, and 7 days are a week. */
export function sameQuantity(a: Quantity, b: Quantity): boolean {
  if (a.base && b.base && a.base.unit === b.base.unit) return close(a.base.value, b.base.value)
  return close(a.value, b.value)
}

function close(a: number, b: number): boolean {
  return a === b || Math.abs(a - b) <= 1e-9 * Math.max(Math.abs(a), Math.abs(b))
}

function withUnit(value: number, name: string): Quantity {
  const unit = unitOf(name)
  if (!unit) return { value }
  if (unit.unit === '') return { value: value * unit.factor }
  return { value, base: { unit: unit.unit, value: value * unit.factor } }
}

/** "Half a minute", "quarter of an hour". */
function readPart(words: readonly string[], start: number): { quantity: Quantity; length: number } | undefined {
  const divisor = words[start] === 'half' || words[start] === 'quarter' ? fractions.get(words[start]) : undefined
  if (divisor === undefined) return undefined
  const article = words[start + 1] === 'of' ? start + 2 : start + 1
  const unit = words[article + 1]
  if (!/^an?$/.test(words[article] ?? '') || unit === undefined || !unitOf(unit)) return undefined
  return { quantity: withUnit(1 / divisor, unit), length: article + 2 - start }
}

interface NumberRead {
  value: number
  length: number
  suffix?: string
}

function readNumeral(word: string | undefined): NumberRead | undefined {
  if (word === undefined || word.length > 40) return undefined
  const clock = /^(\d{1,2}):(\d{2})$/.exec(word)
  if (clock) return { value: Number(clock[1]) + Number(clock[2]) / 60, length: 1 }
  const match = /^([-+]?)(\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)(%|[a-z]{1,4})?$/.exec(word)
  if (!match) return undefined
  const suffix = match[3]
  if (suffix && !unitOf(suffix)) return undefined
  const value = Number((match[1] ?? '') + match[2]!.replaceAll(',', ''))
  return { value, length: 1, ...(suffix ? { suffix } : {}) }
}

/** "twenty five", "one thousand two hundred", "a hundred"; "one" alone counts as a number too, and the caller decides whether it is one. */
function readSpelled(words: readonly string[], start: number): NumberRead | undefined {
  let total = 0
  let current = 0
  let length = 0
  const article = words[start] === 'a' && multiples.has(words[start + 1] ?? '')
  if (article) {
    current = 1
    length = 1
  }
  while (length < 12) {
    const word = words[start + length] ?? ''
    const small = smallNumbers.get(word)
    const multiple = multiples.get(word)
    if (small !== undefined) {
      if (length > 0 && !article && current % 10 !== 0) break
      current += small
    } else if (multiple !== undefined && length > 0) {
      if (multiple === 100) current *= 100
      else {
        total += current * multiple
        current = 0
      }
    } else if (
      word === 'and' &&
      length > 0 &&
      current % 100 === 0 &&
      smallNumbers.has(words[start + length + 1] ?? '') &&
      current > 0
    ) {
      length += 1
      continue
    } else break
    length += 1
  }
  return length === 0 ? undefined : { value: total + current, length }
}

function unitOf(name: string): { unit: string; factor: number } | undefined {
  return units.get(name)
}

const smallNumbers = new Map(
  [
    'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'
      .split(' ')
      .map((word, value): [string, number] => [word, value]),
    'twenty thirty forty fifty sixty seventy eighty ninety'
      .split(' ')
      .map((word, index): [string, number] => [word, (index + 2) * 10]),
  ].flat(),
)

const multiples = new Map([
  ['hundred', 100],
  ['thousand', 1000],
  ['million', 1e6],
  ['billion', 1e9],
])

const fractions = new Map([
  ['half', 2],
  ['halves', 2],
  ['third', 3],
  ['thirds', 3],
  ['quarter', 4],
  ['quarters', 4],
  ['fifth', 5],
  ['fifths', 5],
  ['tenth', 10],
  ['tenths', 10],
])

const minute = 60
const hour = 60 * minute
const day = 24 * hour

const units = new Map<string, { unit: string; factor: number }>(
  (
    [
      ['', 1000, 'k'],
      ['', 1e6, 'm mio'],
      ['', 1e9, 'bn'],
      ['percent', 1, '% percent pct'],
      ['second', 0.001, 'ms millisecond milliseconds'],
      ['second', 1, 's sec secs second seconds'],
      ['second', minute, 'min mins minute minutes'],
      ['second', hour, 'h hr hrs hour hours'],
      ['second', day, 'd day days'],
      ['second', 7 * day, 'week weeks'],
      ['second', 30 * day, 'month months'],
      ['second', 365 * day, 'year years yr yrs'],
      ['byte', 1e3, 'kb'],
      ['byte', 1e6, 'mb'],
      ['byte', 1e9, 'gb'],
      ['byte', 1e12, 'tb'],
    ] as const
  ).flatMap(([unit, factor, names]) => names.split(' ').map((name) => [name, { unit, factor }] as const)),
)
