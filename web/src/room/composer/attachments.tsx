/** What the next message attaches, and the button that adds files. */
import { useRef } from 'react'
import { Icon } from '../../ui/icons.tsx'

interface AttachmentChip {
  key: string
  name: string
  remove(): void
}

export function AttachmentChips({ chips }: { chips: AttachmentChip[] }) {
  if (chips.length === 0) return null
  return (
    <ul aria-label="Attachments" data-testid="attachments" className="mb-1.5 flex flex-wrap gap-1.5">
      {chips.map(({ key, name, remove }) => (
        <li
          key={key}
          className="flex max-w-full items-center gap-0.5 rounded-full border border-line bg-sunken pl-2.5 text-small text-ink-2"
        >
          <span className="truncate" title={name}>
            {name}
          </span>
          <button
            type="button"
            aria-label={`Remove ${name}`}
            onClick={remove}
            className="grid size-7 shrink-0 place-items-center rounded-full hover:bg-hover hover:text-ink"
          >
            <Icon name="close" size={12} />
          </button>
        </li>
      ))}
    </ul>
  )
}

export function AttachButton({ add }: { add(files: Iterable<File>): Promise<void> }) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        multiple
        tabIndex={-1}
        aria-hidden="true"
        data-testid="file-input"
        className="hidden"
        onChange={({ target }) => {
          void add([...(target.files ?? [])])
          target.value = ''
        }}
      />
      <button
        type="button"
        aria-label="Attach files"
        title="Attach text files; @ attaches files of the project"
        onClick={() => input.current?.click()}
        className="-mr-1 grid size-[30px] shrink-0 place-items-center rounded-lg text-ink-2 hover:bg-hover hover:text-ink"
      >
        <Icon name="attach" />
      </button>
    </>
  )
}

/** The text without a reference and the space that followed it. */
export function withoutReference(text: string, written: string): string {
  const at = text.indexOf(written)
  return at < 0 ? text : text.slice(0, at) + text.slice(at + written.length).replace(/^ /, '')
}
