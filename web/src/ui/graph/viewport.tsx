/** The part of a graph that is in view: fits everything until someone moves it. */
import { useReactFlow, useStore } from '@xyflow/react'
import { useEffect, useRef } from 'react'
import { IconButton } from '../button.tsx'
import { useMedia } from '../use-media.ts'
import { cardSize, type Placed } from './arrange.ts'

/** Everything is in view until someone moves the graph; a card that gets the focus comes into view. */
export function useViewport(shape: string, placed: Map<string, Placed>, frame: React.RefObject<HTMLDivElement | null>) {
  const { fitView, setCenter, getViewport } = useReactFlow()
  const still = useMedia('(prefers-reduced-motion: reduce)')
  const isTaken = useRef(false)
  const width = useStore((state) => state.width)
  const height = useStore((state) => state.height)
  const duration = still ? 0 : 250
  const fit = () => void fitView({ padding: 0.1, maxZoom: 1, duration })
  // biome-ignore lint/correctness/useExhaustiveDependencies: for every new shape, and every new size of the frame
  useEffect(() => {
    if (!isTaken.current && width > 0) void fitView({ padding: 0.1, maxZoom: 1, duration })
  }, [shape, width, height, fitView])
  const show = (key: string) => {
    const element = frame.current?.querySelector('.react-flow')
    // The browser scrolls what has the focus into view, inside of a box that must not scroll.
    element?.scrollTo(0, 0)
    const at = placed.get(key)
    if (!at) return
    const { x, y, zoom } = getViewport()
    const [left, top] = [at.x * zoom + x, at.y * zoom + y]
    const inside =
      left >= 0 && top >= 0 && left + cardSize.width * zoom <= width && top + cardSize.height * zoom <= height
    if (inside) return
    isTaken.current = true
    void setCenter(at.x + cardSize.width / 2, at.y + cardSize.height / 2, { zoom, duration })
  }
  return { fit, show, isTaken }
}

interface ControlsProps {
  onFit(): void
  isTaken: React.RefObject<boolean>
  children?: React.ReactNode
}

export function Controls({ onFit, isTaken, children }: ControlsProps) {
  const { zoomIn, zoomOut } = useReactFlow()
  const take = (change: () => unknown) => () => {
    isTaken.current = true
    change()
  }
  return (
    <div className="absolute bottom-3 left-3 z-10 flex rounded-lg border border-line bg-panel p-0.5">
      <IconButton icon="minus" label="Zoom out" onClick={take(zoomOut)} />
      <IconButton icon="plus" label="Zoom in" onClick={take(zoomIn)} />
      <IconButton
        icon="fit"
        label="Show all"
        onClick={() => {
          isTaken.current = false
          onFit()
        }}
      />
      {children}
    </div>
  )
}
