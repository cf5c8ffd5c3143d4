/**
 * Redacts a text while it is still arriving. Holds back what may be the beginning of a secret until that is certain: a
 * secret split over two pieces must not be shown in two halves.
 */
import { partialPattern } from './partial-pattern.ts'
import { createRedactor, type RedactorOptions } from './redact.ts'
import { secretShapes } from './secret-shapes.ts'
import { looksSecret, spellings } from './secret-spellings.ts'

export interface TextStream {
  /** Returns what may be shown now. */
  push(piece: string): string
  /** Returns the rest, but at most a few letters of a known secret's beginning: the text may have been cut off in it. */
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
    /** Stands for the character shown before the held text: some shapes check it, and no secret begins with it. */
    let before = ''
    let held = ''
    const redacted = (text: string, previous: string) => redactText(previous + text).slice(previous.length)
    /** Whether no match spans this position. */
    const isClean = (cut: number) => {
      const parts = redacted(held.slice(0, cut), before) + redacted(held.slice(cut), standIn(held[cut - 1]!))
      return parts === redacted(held, before)
    }
    return {
      push(piece) {
        const tooMuch = held.length > maxHeld
        held += piece
        if (tooMuch) return ''
        let cut = Math.max(0, firstOpenSecret(before + held, literals) - before.length)
        for (let step = 1; cut > 0 && cut < held.length && !isClean(cut); step *= 2) cut = Math.max(0, cut - step)
        const shown = redacted(held.slice(0, cut), before)
        if (cut > 0) before = standIn(held[cut - 1]!)
        held = held.slice(cut)
        return shown
      },
      end() {
        const open = openLiteral(held, literals)
        const whole = held.length - open < revealingLength ? held : held.slice(0, open)
        held = ''
        return redacted(whole, before)
      },
    }
  }
}

/** No secret is longer. Text held beyond this waits for the end: scanning it again for each piece would be slow. */
const maxHeld = 8192

/** This many letters of a secret's beginning would reveal something about it. */
const revealingLength = 6

/** Where an incomplete secret may begin, or the length of the text. The first character is context. */
function firstOpenSecret(text: string, literals: Map<string, string[]>): number {
  const start = Math.max(0, text.length - maxHeld)
  const end = text.slice(start)
  return start + Math.min(openLiteral(end, literals), openShape(end))
}

/** Where an incomplete known secret may begin, or the length of the text. */
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

/** Every spelling of every secret that a redactor with these options knows, by first character. */
function literalsByFirst({ env, secretNames = [], values = {} }: RedactorOptions): Map<string, string[]> {
  const named = [...Object.values(values), ...secretNames.map((name) => env[name])]
  const found = Object.entries(env).flatMap(([name, value]) => (looksSecret(name, value) ? [value] : []))
  const all = new Set([...named, ...found].flatMap((value) => spellings(value?.trim() ?? '')))
  return Map.groupBy(all, (literal) => literal[0]!)
}
