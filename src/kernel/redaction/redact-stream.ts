/**
 * Takes secrets out of a text while it is still coming in. What may be the beginning of one waits until it is clear what
 * it is: a secret that is split over two pieces must not be shown in two halves.
 */
import { partialPattern } from './partial-pattern.ts'
import { createRedactor, type RedactorOptions } from './redact.ts'
import { secretShapes } from './secret-shapes.ts'
import { looksSecret, spellings } from './secret-spellings.ts'

export interface TextStream {
  /** What may be shown now. */
  push(piece: string): string
  /** The rest. More than a few letters of a known secret stay unsaid, should the text have been cut off within it. */
  end(): string
}

export function redactedStreams(options: RedactorOptions): () => TextStream {
  const { redactText } = createRedactor(options)
  const literals = literalsByFirst(options)
  const [letter, joint, space] = ['0123456789ZYXWVU', '_', ' '].map(
    (all) => [...all].find((one) => !literals.has(one)) ?? '',
  )
  const standIn = (character: string) =>
    /[A-Za-z0-9]/.test(character) ? letter! : /[_-]/.test(character) ? joint! : space!
  return () => {
    /** Stands for the character that was shown before what waits: some shapes look at it, and nothing begins with it. */
    let before = ''
    let waiting = ''
    const redacted = (text: string, previous: string) => redactText(previous + text).slice(previous.length)
    /** Whether nothing that is taken out as a whole lies over this place. */
    const isClean = (cut: number) => {
      const parts = redacted(waiting.slice(0, cut), before) + redacted(waiting.slice(cut), standIn(waiting[cut - 1]!))
      return parts === redacted(waiting, before)
    }
    return {
      push(piece) {
        const tooMuch = waiting.length > mostWaiting
        waiting += piece
        if (tooMuch) return ''
        let cut = Math.max(0, openSince(before + waiting, literals) - before.length)
        for (let step = 1; cut > 0 && cut < waiting.length && !isClean(cut); step *= 2) cut = Math.max(0, cut - step)
        const shown = redacted(waiting.slice(0, cut), before)
        if (cut > 0) before = standIn(waiting[cut - 1]!)
        waiting = waiting.slice(cut)
        return shown
      },
      end() {
        const open = openLiteral(waiting, literals)
        const whole = waiting.length - open < tellingLength ? waiting : waiting.slice(0, open)
        waiting = ''
        return redacted(whole, before)
      },
    }
  }
}

/** No secret is longer. What waits beyond this waits for the end: looking through it again and again would be slow. */
const mostWaiting = 8192

/** So many letters of a secret's beginning tell something about it. */
const tellingLength = 6

/** Where a secret may have begun that is not whole yet; the length of the text where none has. Its first letter is context. */
function openSince(text: string, literals: Map<string, string[]>): number {
  const start = Math.max(0, text.length - mostWaiting)
  const end = text.slice(start)
  return start + Math.min(openLiteral(end, literals), openShape(end))
}

/** Where a known secret may have begun that is not whole yet; the length of the text where none has. */
function openLiteral(text: string, literals: Map<string, string[]>): number {
  for (let start = 0; start < text.length; start += 1) {
    const found = literals.get(text[start]!)
    const rest = found && text.slice(start)
    if (rest && found.some((literal) => literal.length > rest.length && literal.startsWith(rest))) return start
  }
  return text.length
}

function openShape(text: string): number {
  const found = anyShapeOpen.exec(text)
  return found ? found.index : text.length
}

const anyShapeOpen = new RegExp(
  `(?:${secretShapes.map((shape) => partialPattern(`(?:${shape.before ?? ''}(?:${shape.pattern}))`)).join('|')})$`,
)

/** Every spelling of every secret that a redactor with these options knows, by its first character. */
function literalsByFirst({ env, secretNames = [], values = {} }: RedactorOptions): Map<string, string[]> {
  const named = [...Object.values(values), ...secretNames.map((name) => env[name])]
  const found = Object.entries(env).flatMap(([name, value]) => (looksSecret(name, value) ? [value] : []))
  const all = new Set([...named, ...found].flatMap((value) => spellings(value?.trim() ?? '')))
  return Map.groupBy(all, (literal) => literal[0]!)
}
