/** Selects the part of a room's talk that an agent sees, and when the rest is to be summarised. SPEC.md § RD16, RD17. */
import { transcriptWindow, type WindowLimits } from '../turns/transcript-window.ts'

export interface TalkLine {
  text: string
  /** The text together with the content of its attachments. */
  whole?: string
}

/** Tokens are what a prompt costs; the number of messages only bounds what is read from the log. */
export const defaultTalkLimits: WindowLimits = { items: 100, tokens: 16_000 }

/** [RD16] The last lines that fit, oldest first. Attachments may take half of what is left; larger ones stay named only. */
export function talkWindow<Line extends TalkLine>(
  lines: readonly Line[],
  countTokens: (text: string) => number,
  limits: WindowLimits = defaultTalkLimits,
): Line[] {
  let left = limits.tokens
  const chosen = lines
    .slice(Math.max(0, lines.length - limits.items))
    .reverse()
    .map((line) => {
      const text = line.whole !== undefined && countTokens(line.whole) <= left / 2 ? line.whole : line.text
      left = Math.max(0, left - countTokens(text))
      return { ...line, text }
    })
    .reverse()
  return transcriptWindow(chosen, countTokens, limits)
}

/**
 * [RD17] The last line to summarise, or null while everything since the last summary fits the window. Half of the window
 * stays as it is, so that a summary is due only after many messages, and the prompts in between begin alike.
 */
export function summariseThrough(
  lines: readonly { seq: number; tokens: number }[],
  limits: WindowLimits = defaultTalkLimits,
): number | null {
  const total = lines.reduce((sum, { tokens }) => sum + tokens, 0)
  if (lines.length <= limits.items && total <= limits.tokens) return null
  let kept = 0
  let tokens = 0
  for (const line of lines.toReversed()) {
    tokens += line.tokens
    if (kept > 0 && (kept >= limits.items / 2 || tokens > limits.tokens / 2)) return line.seq
    kept += 1
  }
  return null
}

/** [RD16] The note in front of what an agent sees: the summary, how many earlier messages are missing, and how to get at them. */
export function talkNote(
  summary: { text: string; messages: number } | undefined,
  omitted: number,
  canRead = false,
): string | undefined {
  const parts = [
    ...(summary ? [`Summary of the first ${count(summary.messages)} in this room:\n${summary.text.trim()}`] : []),
    ...(omitted > 0
      ? [
          `${count(omitted)} ${summary ? 'after that' : 'earlier in this room'} ${omitted === 1 ? 'is' : 'are'} not shown.${canRead ? '' : ' If you need one of them, ask for it.'}`,
        ]
      : []),
    ...(canRead && (summary || omitted > 0) ? ['The tool "earlier" reads any of them.'] : []),
  ]
  return parts.length > 0 ? parts.join('\n\n') : undefined
}

/** [RD4] The last lines of the talk in short, for proposals: one line a message. */
export function lastLines(lines: readonly { from: string; text: string }[], most = 6, characters = 300): string {
  return lines
    .slice(-most)
    .map(({ from, text }) => {
      const flat = text.replace(/\s+/g, ' ').trim()
      return `${from}: ${flat.length > characters ? `${flat.slice(0, characters).toWellFormed()} […]` : flat}`
    })
    .join('\n')
}

const count = (messages: number) => `${messages} message${messages === 1 ? '' : 's'}`
