/** A dialog in the middle, or a sheet from an edge. The browser's own: it keeps the focus inside and closes by Esc. */
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { IconButton } from './button.tsx'

const shapes = {
  dialog: 'm-auto w-[min(460px,calc(100vw-24px))] max-h-[min(640px,calc(100dvh-24px))] rounded-xl',
  bottom: 'mt-auto mb-0 mx-auto w-full max-w-none max-h-[82dvh] rounded-t-2xl',
  left: 'mr-auto ml-0 my-0 h-dvh max-h-none w-[min(300px,86vw)]',
  full: 'm-0 h-dvh max-h-none w-screen max-w-none border-0',
  right: 'ml-auto mr-0 my-0 h-dvh max-h-none w-[min(360px,90vw)]',
} as const

export interface ModalProps {
  title: string
  shape?: keyof typeof shapes
  onClose: () => void
  /** Leaves the title to the content. */
  bare?: boolean
  children: ReactNode
}

export function Modal({ title, shape = 'dialog', onClose, bare = false, children }: ModalProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const heading = useId()
  useEffect(() => {
    const element = dialog.current
    if (!element) return
    if (!element.open) element.showModal()
    // The browser would focus the first button, which closes the dialog.
    const first = element.querySelector<HTMLElement>('[data-autofocus]') ?? element
    first.focus()
    return () => element.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      tabIndex={-1}
      aria-labelledby={bare ? undefined : heading}
      aria-label={bare ? title : undefined}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose()
      }}
      onKeyDown={(event) => event.stopPropagation()}
      className={`rise flex flex-col overflow-hidden outline-none border border-line bg-panel text-ink shadow-lift ${shapes[shape]}`}
    >
      {bare ? null : (
        <div className="flex items-center justify-between gap-3 border-b border-line py-2.5 pr-2.5 pl-4">
          <h2 id={heading} className="text-title font-semibold">
            {title}
          </h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </div>
      )}
      <div className="flex min-h-0 flex-1 flex-col overflow-auto">{children}</div>
    </dialog>
  )
}
