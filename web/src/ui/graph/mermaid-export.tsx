/** A button that shows a graph as Mermaid text, to copy or to keep as a file. */
import { useEffect, useState } from 'react'
import { Button, IconButton } from '../button.tsx'
import { Modal } from '../modal.tsx'
import { type MermaidGraph, toMermaid } from './mermaid.ts'

interface MermaidExportProps {
  /** Asked for when the button is pressed. */
  graph: () => MermaidGraph
  /** Of the file, without its ending. */
  name: string
  className?: string
}

export function MermaidExport({ graph, name, className = '' }: MermaidExportProps) {
  const [text, setText] = useState<string | null>(null)
  return (
    <>
      <IconButton
        icon="export"
        label="Export as Mermaid"
        className={className}
        onClick={() => setText(toMermaid(graph()))}
      />
      {text === null ? null : <Exported text={text} name={name} onClose={() => setText(null)} />}
    </>
  )
}

function Exported({ text, name, onClose }: { text: string; name: string; onClose(): void }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), 1500)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setCopied(true),
      () => {},
    )
  return (
    <Modal title="Export as Mermaid" onClose={onClose}>
      <div className="flex min-h-0 flex-col p-4">
        <p className="mb-2 text-small text-ink-2">
          GitHub, GitLab and most wikis render this inside a <code className="numbers">mermaid</code> block.
        </p>
        <textarea
          readOnly
          aria-label="Mermaid text"
          value={text}
          wrap="off"
          rows={Math.min(16, text.split('\n').length)}
          onFocus={(event) => event.currentTarget.select()}
          className="numbers min-h-0 resize-none rounded-lg border border-line bg-sunken px-2.5 py-2 text-[11.5px] leading-[1.55] whitespace-pre"
        />
        <div className="mt-3 flex gap-2">
          <Button weight="primary" onClick={copy} data-autofocus>
            {copied ? 'Copied' : 'Copy'}
          </Button>
          <Button onClick={() => download(`${name}.mmd`, text)}>Download</Button>
          <span role="status" className="sr-only">
            {copied ? 'Copied' : ''}
          </span>
        </div>
      </div>
    </Modal>
  )
}

function download(name: string, text: string): void {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/vnd.mermaid' }))
  const link = Object.assign(document.createElement('a'), { href: address, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(address), 1000)
}
