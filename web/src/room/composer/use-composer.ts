/** The composer's behaviour: typing, suggestions, commands and sending. */
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { postMessage } from '../../data/calls/rooms.ts'
import { newId } from '../../data/new-id.ts'
import { ApiError } from '../../data/request.ts'
import { type Command, type Known, parseCommand } from './commands.ts'
import { registerComposer } from './composer-handle.ts'
import { type Composition, messageBody } from './composition.ts'
import { type Suggestion, suggestionsFor, typedPath } from './suggestions.ts'
import { useAttachments } from './use-attachments.ts'
import { recallText, rememberText } from './use-composition.ts'
import { useFoundFiles } from './use-found-files.ts'

/** A command that the page handles, not the composer. */
export type RoomCommand = Exclude<Command, { do: 'mode' | 'rounds' | 'wrong' }>

export interface ComposerOptions {
  room: string
  known: Known
  composition: Composition
  area: RefObject<HTMLTextAreaElement | null>
  change(part: Partial<Composition>): void
  onCommand(command: RoomCommand): void
  onSent(): void
}

export function useComposer({ room, known, composition, area, change, onCommand, onSent }: ComposerOptions) {
  const [text, setText] = useState(() => recallText(room))
  const [caret, setCaret] = useState(0)
  const [active, setActive] = useState(0)
  const [dismissed, setDismissed] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const [sending, setSending] = useState(false)
  const placeCaret = useRef<number | null>(null)
  const unsent = useRef<{ what: string; id: string } | null>(null)
  const at = Math.min(caret, text.length)
  const files = useFoundFiles(dismissed ? null : typedPath(text, at))
  const suggestions = dismissed ? [] : suggestionsFor(text, at, known, files)
  const attached = useAttachments(setProblem)

  const write = (next: string, at = next.length, place = true) => {
    setText(next)
    setCaret(at)
    setActive(0)
    setDismissed(false)
    setProblem(null)
    if (place) placeCaret.current = at
    rememberText(room, next)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: height and caret follow the text
  useLayoutEffect(() => {
    const element = area.current
    if (!element) return
    element.style.height = 'auto'
    // Measuring an empty field would force a layout of the whole page.
    if (text !== '') element.style.height = `${element.scrollHeight}px`
    if (placeCaret.current !== null) element.setSelectionRange(placeCaret.current, placeCaret.current)
    placeCaret.current = null
  }, [text])

  useEffect(() => registerComposer({ write, focus: () => area.current?.focus() }))

  const send = async () => {
    const command = parseCommand(text, known)
    if (command) return run(command)
    if (text.trim() === '' || sending) return
    // A retry keeps the message's id, so the server recognises it if the first attempt arrived.
    const what = JSON.stringify([text, composition, attached.list])
    if (unsent.current?.what !== what) unsent.current = { what, id: newId() }
    setSending(true)
    try {
      await postMessage(room, messageBody(composition, text, unsent.current.id, attached.list))
      unsent.current = null
      write('')
      attached.clear()
      onSent()
      if (composition.override !== null) change({ override: null })
    } catch (error) {
      setProblem(error instanceof ApiError ? notSent(error) : String(error))
    } finally {
      setSending(false)
    }
  }

  const run = (command: Command) => {
    if (command.do === 'wrong') return setProblem(command.message)
    write(command.do === 'mode' ? command.text : '')
    if (command.do === 'mode') change(modeChange(command, composition))
    else if (command.do === 'rounds') change({ mode: 'collaborate', autopilot: false, maxRounds: command.count })
    else onCommand(command)
  }

  const choose = (suggestion: Suggestion) => {
    if (!suggestion.runs) return write(suggestion.text, suggestion.caret)
    const command = parseCommand(suggestion.text, known)
    if (command) run(command)
  }

  /** Whether the key was meant for the composer. */
  const key = (event: KeyboardEvent): boolean => {
    const isEnter = event.key === 'Enter' && !event.shiftKey
    if (isEnter && (event.metaKey || event.ctrlKey)) void send()
    else if (suggestions.length > 0 && ['ArrowDown', 'ArrowUp'].includes(event.key)) {
      const step = event.key === 'ArrowDown' ? 1 : -1
      setActive((active + step + suggestions.length) % suggestions.length)
    } else if (suggestions.length > 0 && (isEnter || (event.key === 'Tab' && !event.shiftKey)))
      choose(suggestions[active] ?? suggestions[0]!)
    else if (suggestions.length > 0 && event.key === 'Escape') setDismissed(true)
    else if (isEnter && parseCommand(text, known)) void send()
    else return false
    return true
  }

  return { text, problem, sending, suggestions, active, attached, write, setCaret, send, choose, key }
}

function modeChange(command: Extract<Command, { do: 'mode' }>, now: Composition): Partial<Composition> {
  const { mode, agents } = command
  if (mode === 'single') return { mode, target: agents[0] ?? now.target }
  if (mode === 'coordinate') return { mode }
  const participants = agents.length > 0 ? agents : now.participants
  const speaker = participants.includes(now.speaker) && agents.length === 0 ? now.speaker : participants[0]!
  return { mode: 'collaborate', autopilot: mode === 'autopilot', participants, speaker }
}

function notSent(error: ApiError): string {
  return `Not sent. ${error.message}${error.expected ? ` Expected: ${error.expected}.` : ''}`
}
