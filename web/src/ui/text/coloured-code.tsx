/** Highlighted code; plain until the highlighter has loaded, or if the language is unknown. */
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from 'react'
import { type CodeNode, codeColours, type Highlight } from './code-colours.ts'

export function ColouredCode({ text, language }: { text: string; language: string | undefined }) {
  const highlight = useHighlight(language)
  // While it is being written, colours may follow a moment later than words.
  const settled = useDeferredValue(text)
  const nodes = useMemo(() => highlight?.(settled, language!), [highlight, settled, language])
  if (!nodes || !text.startsWith(settled)) return <code>{text}</code>
  return (
    <code>
      {nodes.map(shown)}
      {text.slice(settled.length)}
    </code>
  )
}

function useHighlight(language: string | undefined): Highlight | null {
  const [highlight, setHighlight] = useState<Highlight | null>(codeColours.loaded)
  useEffect(() => {
    if (language === undefined || highlight) return
    let wanted = true
    codeColours.load().then(
      (loaded) => wanted && setHighlight(() => loaded),
      // If it fails to load, the code stays plain.
      () => {},
    )
    return () => {
      wanted = false
    }
  }, [language, highlight])
  return language === undefined ? null : highlight
}

function shown(node: CodeNode, index: number): ReactNode {
  if (node.type === 'text') return node.value
  if (node.type !== 'element') return null
  const classes = node.properties.className
  return (
    <span key={index} className={Array.isArray(classes) ? classes.join(' ') : undefined}>
      {node.children.map(shown)}
    </span>
  )
}
