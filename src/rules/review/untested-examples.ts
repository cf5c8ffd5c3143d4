/** Examples that a criterion gives and no test holds: the reviewer is told. SPEC.md § VF13. */

export interface UntestedExample {
  criterionId: string
  example: string
}

/** What a criterion writes as code or in quotes. */
const written =
  /`([^`\n]+)`|"([^"\n]+)"|(?<![\p{L}\p{N}])'([^'\n]+)'(?![\p{L}\p{N}])|“([^”\n]+)”|„([^“”\n]+)[“”]|«\s?([^»\n]+?)\s?»/gu

const mostShown = 6

export function untestedExamples(
  criteria: readonly { id: string; text: string }[],
  /** The tests of the work. */
  texts: readonly string[],
): UntestedExample[] {
  const tests = texts.map(plain).join('\n')
  const found = criteria.flatMap(({ id, text }) =>
    examplesIn(text).flatMap((example) => (holds(tests, example) ? [] : [{ criterionId: id, example }])),
  )
  return found.slice(0, mostShown)
}

/** "such as a Set or a generator": what is named there, by its last word. */
const named =
  /\b(?:such as|for example|e\. ?g\.|for instance|zum Beispiel|z\. ?B\.|par exemple|por ejemplo)[,:]?\s+([^.;:()`"“„«]+)/giu

function namedIn(text: string): string[] {
  const parts = [...text.matchAll(named)].flatMap(([, list]) => list!.split(/,|\b(?:or|and|oder|und|ou|et|o|y)\b/u))
  const words = parts.map((part) => part.trim().split(/\s+/)).filter(({ length }) => length <= 3)
  return words.flatMap((all) => (/^\p{L}{3,}$/u.test(all.at(-1)!) ? [all.at(-1)!] : []))
}

function examplesIn(text: string): string[] {
  const all = [...text.matchAll(written)].map(([whole, ...groups]) =>
    // Code may hold quotes of its own; of a text in quotes, they tell it from a number.
    whole.startsWith('`') ? groups[0]! : whole,
  )
  return [...new Set([...all, ...namedIn(text)])]
}

/** A text in quotes stands in quotes in a test too, also within another text; code may be laid out in another way. */
function holds(tests: string, example: string): boolean {
  const inner = /^(["'“„«])\s?(.*?)\s?(["'”“»])$/su.exec(example)?.[2]
  if (inner === undefined) return tests.includes(plain(example))
  const word = plain(inner)
  return /^[\d.+-]+$/.test(word) ? tests.includes(`'${word}'`) : tests.includes(word)
}

/** Without layout and escapes, and with one kind of quotes. */
function plain(text: string): string {
  return text
    .replaceAll(/\\(["'`])/g, '$1')
    .replaceAll(/["`]/g, "'")
    .replaceAll(/\s+/g, '')
    .toLowerCase()
}
