/** The message box: the text, the mode and its options, and errors from sending. */
import { useId, useRef } from 'react'
import { pathReferences, wasMeantAsPath } from '../../../../src/rules/room/path-references.ts'
import { overrideText, type Room } from '../../data/calls/rooms.ts'
import { live } from '../../data/feed/live.ts'
import { useWatched } from '../../data/watched.ts'
import { Button } from '../../ui/button.tsx'
import { narrowScreen, useMedia } from '../../ui/use-media.ts'
import { AttachButton, AttachmentChips, withoutReference } from './attachments.tsx'
import type { Composition } from './composition.ts'
import { ModeSwitch } from './mode-switch.tsx'
import { Options } from './options.tsx'
import { SuggestionList } from './suggestion-list.tsx'
import { type RoomCommand, useComposer } from './use-composer.ts'

interface ComposerProps {
  room: Pick<Room, 'id' | 'agents' | 'override'>
  composition: Composition
  change(part: Partial<Composition>): void
  onCommand(command: RoomCommand): void
  onSent(): void
}

export function Composer({ room, composition, change, onCommand, onSent }: ComposerProps) {
  const rooms = useWatched(live.rooms) ?? []
  const area = useRef<HTMLTextAreaElement>(null)
  const known = { agents: room.agents, rooms }
  const composer = useComposer({ room: room.id, known, composition, area, change, onCommand, onSent })
  const { text, problem, sending, suggestions, active, attached } = composer
  const agents = room.agents
  const references = pathReferences(text, agents).filter((reference) => wasMeantAsPath(reference, true))
  const listId = useId()
  const narrow = useMedia(narrowScreen)
  const open = suggestions.length > 0
  return (
    <form
      aria-label="Message"
      className="border-t border-line px-2.5 pt-2 pb-2.5 md:px-5 md:py-3"
      onSubmit={(event) => {
        event.preventDefault()
        void composer.send()
      }}
    >
      <div className="relative mx-auto max-w-[860px]">
        {open ? (
          <SuggestionList id={listId} suggestions={suggestions} active={active} choose={composer.choose} />
        ) : null}
        {problem ? <Problem text={problem} /> : null}
        {/* biome-ignore lint/a11y/noStaticElementInteractions: the button beside it does the same without a pointer */}
        <div
          data-testid="drop-zone"
          onDragOver={(event) => {
            if (event.dataTransfer.types.includes('Files')) event.preventDefault()
          }}
          onDrop={(event) => {
            if (event.dataTransfer.files.length === 0) return
            event.preventDefault()
            void attached.add(event.dataTransfer.files)
          }}
          className="rounded-xl border border-line-strong bg-panel px-3 pt-2.5 pb-2 transition-colors focus-within:border-accent"
        >
          <AttachmentChips
            chips={[
              ...references.map(({ written, path, lines }) => ({
                key: written,
                name: lines ? written.slice(1) : path,
                remove: () => composer.write(withoutReference(text, written)),
              })),
              ...attached.list.map(({ name }, index) => ({
                key: `${index} ${name}`,
                name,
                remove: () => attached.remove(index),
              })),
            ]}
          />
          <div className="flex items-start gap-1.5">
            <textarea
              ref={area}
              data-testid="composer"
              aria-label="Message the room"
              aria-autocomplete="list"
              aria-controls={open ? listId : undefined}
              aria-activedescendant={open ? `${listId}-${active}` : undefined}
              rows={1}
              value={text}
              placeholder={narrow ? 'Message the room' : 'Message the room, @ for agents and files, / for commands'}
              onChange={({ target }) => composer.write(target.value, target.selectionStart, false)}
              onPaste={(event) => {
                if (event.clipboardData.files.length === 0) return
                event.preventDefault()
                void attached.add(event.clipboardData.files)
              }}
              onSelect={({ currentTarget }) => composer.setCaret(currentTarget.selectionStart)}
              onKeyDown={(event) => {
                if (event.nativeEvent.isComposing || !composer.key(event)) return
                event.preventDefault()
                event.stopPropagation()
              }}
              className="block max-h-[40dvh] min-h-11 w-full resize-none bg-transparent outline-none placeholder:text-ink-3 focus-visible:outline-none max-[759px]:text-[16px]"
            />
            <AttachButton add={attached.add} />
          </div>
          <div className="flex flex-wrap items-center gap-2 pt-1">
            <ModeSwitch composition={composition} change={change} />
            <Options
              composition={composition}
              agents={room.agents}
              inRoom={room.override ? overrideText(room.override) : null}
              change={change}
            />
            <Button
              type="submit"
              weight="primary"
              data-testid="send"
              disabled={sending || text.trim() === ''}
              title="Send (⌘ or Ctrl and Enter)"
              className="ml-auto"
            >
              {sending ? 'Sending…' : 'Send'}
            </Button>
          </div>
        </div>
      </div>
    </form>
  )
}

function Problem({ text }: { text: string }) {
  return (
    <p
      role="alert"
      data-testid="problem"
      className="mb-2 rounded-lg bg-bad-soft px-3 py-1.5 text-small wrap-anywhere text-bad"
    >
      {text}
    </p>
  )
}
