/** A name that keeps its end where it is too long: names that begin alike differ there. */
import { useLayoutEffect, useRef, useState } from 'react'

export function CutName({ name, className = '' }: { name: string; className?: string }) {
  const at = cutAt(name)
  if (at === name.length) return <span className={`block min-w-0 truncate ${className}`}>{name}</span>
  return <Parts start={name.slice(0, at)} end={name.slice(at)} className={className} />
}

/** Inline, not a flex box, so that a copy of the text has no line break in the name. */
function Parts({ start, end, className }: { start: string; end: string; className: string }) {
  const last = useRef<HTMLSpanElement>(null)
  const [width, setWidth] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another end has another width
  useLayoutEffect(() => {
    const measure = () => setWidth(last.current?.offsetWidth ?? 0)
    measure()
    void document.fonts.ready.then(measure)
  }, [end])
  return (
    <span className={`block min-w-0 overflow-hidden pr-0.5 whitespace-nowrap ${className}`} title={start + end}>
      {/* A pixel less: a rounded width must not cut a name that fits. */}
      <span className="inline-block truncate align-bottom" style={{ maxWidth: `calc(100% - ${width - 1}px)` }}>
        {start}
      </span>
      <span ref={last}>{end}</span>
    </span>
  )
}

const longestEnd = 13

/** Where the part begins that is always shown: a few whole words of a long name. */
export function cutAt(name: string): number {
  if (name.length < longestEnd + 5) return name.length
  const from = name.length - longestEnd
  const words = name.slice(from).search(/[-_./]/)
  // A word alone that long is cut within.
  return words < 0 || words > longestEnd - 4 ? name.length - 8 : from + words
}
