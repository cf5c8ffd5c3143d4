/**
 * Shows a room on a terminal: text streams in, one agent at a time, in the order asked. Replies of other agents are
 * buffered and printed whole. A finished reply does not wait for an agent that has not started.
 */
import type { Delta } from '../../kernel/ask/deltas.ts'
import type { Output } from './output.ts'
import { printable } from './printable.ts'
import type { RoomDisplay, Speaker } from './room-display.ts'
import { type WordWrap, wordWrap } from './word-wrap.ts'

export interface Screen {
  write(text: string): void
  /** Shows a spinner until it is replaced or, with null, removed. Called only at the start of a line. */
  spin(text: string | null): void
  style: Output['style']
  colourOf(agent: string): Parameters<Output['style']>[0]
  /** The width of a line now; without one, text is written as it comes. */
  columns?(): number | undefined
}

interface Speech {
  speaker: Speaker | null
  text: string
  attempt: number
  /** The part that is on the screen. */
  printed: string
  ended: boolean
}

interface Line {
  line: string
  /** Separated from the previous text by an empty line. */
  apart: boolean
}

/** `names`: begin each reply with a line that names the agent. */
export function liveDisplay(screen: Screen, { names }: { names: boolean }): RoomDisplay {
  const { style } = screen
  const speeches = new Map<string, Speech>()
  const queue: (Speech | Line)[] = []
  let floor: Speech | null = null
  let waiting: string | null = null
  let empty = true
  let wrap: WordWrap | undefined

  const newWrap = () => {
    const columns = screen.columns?.()
    return columns === undefined ? undefined : wordWrap(columns)
  }
  const wrapped = (text: string) => {
    const own = newWrap()
    return own === undefined ? text : own.add(text) + own.end()
  }

  const speechOf = (ask: string): Speech => {
    const known = speeches.get(ask)
    if (known) return known
    const speech = { speaker: null, text: '', attempt: 0, printed: '', ended: false }
    speeches.set(ask, speech)
    return speech
  }
  const enqueue = (speaker: Speaker): Speech => {
    const speech = speechOf(speaker.ask)
    if (!speech.speaker) queue.push(speech)
    speech.speaker = speaker
    return speech
  }
  const line = (text: string, apart = false) => {
    queue.push({ line: text, apart })
    flush()
  }

  const open = (apart: boolean) => {
    screen.spin(null)
    if (apart && !empty) screen.write('\n')
    empty = false
  }
  const take = (speech: Speech) => {
    floor = speech
    open(true)
    if (names) screen.write(`${heading(speech.speaker!, screen)}\n`)
    wrap = newWrap()
  }
  /** A new attempt may begin with the text on the screen; it starts over only where it differs. */
  const say = (speech: Speech) => {
    const whole = printable(speech.text).trim()
    const follows = whole.startsWith(speech.printed)
    if (!follows && !speech.ended && speech.printed.startsWith(whole)) return
    if (!follows) screen.write(`${wrap?.end() ?? ''}\n${style('dim', '(once more, from the start)')}\n`)
    const more = follows ? whole.slice(speech.printed.length) : whole
    screen.write(wrap === undefined ? more : wrap.add(more))
    speech.printed = whole
  }
  const finish = (speech: Speech) => {
    floor = null
    screen.write(wrap?.end() ?? '')
    screen.write(speech.printed === '' ? `${style('dim', '(nothing)')}\n` : '\n')
  }

  const breakOff = (speech: Speech) => {
    if (speech.ended) return
    speech.ended = true
    if (floor === speech) {
      speech.text = speech.printed
      screen.write(`${wrap?.end() ?? ''}${style('dim', ' (broken off)')}`)
    } else if (queue.includes(speech)) queue.splice(queue.indexOf(speech), 1)
  }

  const flush = () => {
    for (;;) {
      if (floor) {
        say(floor)
        if (!floor.ended) return
        finish(floor)
      }
      const next = nextToShow(queue)
      if (!next) break
      queue.splice(queue.indexOf(next), 1)
      if ('line' in next) {
        open(next.apart)
        screen.write(`${next.line}\n`)
      } else take(next)
    }
    screen.spin(waiting)
  }

  return {
    said: (text) => line(`${style('bold', 'you')}\n${printable(text).trim()}`, true),
    aside: (text) => line(style('dim', wrapped(printable(text)))),
    hint: (text) => {
      if (!floor) line(style('dim', wrapped(printable(text))))
    },
    notice: (text) => line(style('yellow', wrapped(printable(text))), true),
    warning: (text) => line(style('yellow', wrapped(`warning: ${printable(text)}`))),
    expect: (speaker) => {
      enqueue(speaker)
      flush()
    },
    words: ({ ask, attempt, offset, text }: Delta) => {
      const speech = speechOf(ask)
      if (attempt < speech.attempt || speech.ended) return
      if (attempt > speech.attempt) Object.assign(speech, { attempt, text: '' })
      // After a gap, wait for the whole text; ignore text repeated after a reconnect.
      if (offset > speech.text.length || offset + text.length <= speech.text.length) return
      speech.text = speech.text.slice(0, offset) + text
      flush()
    },
    reply: (speaker, text) => {
      Object.assign(enqueue(speaker), { text, ended: true })
      flush()
    },
    silence: (ask) => {
      breakOff(speechOf(ask))
      flush()
    },
    waitingFor: (what) => {
      waiting = what
      flush()
    },
    over: () => {
      waiting = null
      for (const speech of speeches.values()) breakOff(speech)
      flush()
    },
  }
}

/** The first in line if it has text, else the first complete reply. */
function nextToShow(queue: (Speech | Line)[]): Speech | Line | undefined {
  const [first] = queue
  if (first && 'text' in first && first.text.trim() !== '') return first
  return queue.find((entry) => 'line' in entry || entry.ended)
}

function heading({ agent, rehearsal, place }: Speaker, { style, colourOf }: Screen): string {
  const details = [place, rehearsal ? 'rehearsal' : undefined].filter(Boolean).join(' · ')
  const name = style(['bold', colourOf(agent)].flat() as Parameters<typeof style>[0], printable(agent))
  return details === '' ? name : `${name} ${style('dim', `· ${details}`)}`
}
