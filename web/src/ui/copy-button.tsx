/** Copies a text and confirms it. */
import { useEffect, useState } from 'react'
import { IconButton } from './button.tsx'

export function CopyButton({
  text,
  label = 'Copy',
  className = '',
}: {
  text: string
  label?: string
  className?: string
}) {
  const [done, setDone] = useState(false)
  useEffect(() => {
    if (!done) return
    const timer = setTimeout(() => setDone(false), 1500)
    return () => clearTimeout(timer)
  }, [done])
  const copy = () =>
    navigator.clipboard?.writeText(text).then(
      () => setDone(true),
      () => {},
    )
  return (
    <IconButton icon={done ? 'check' : 'copy'} label={done ? 'Copied' : label} className={className} onClick={copy} />
  )
}
