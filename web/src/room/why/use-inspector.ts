/** Whether the inspector is open, and which tab it shows. */
import { useState } from 'react'
import { recall, remember } from '../../data/memory.ts'
import { useMedia, wideScreen } from '../../ui/use-media.ts'

export type InspectorTab = 'why' | 'room'

const place = 'inspector-hidden'

export function useInspector(isOpen: boolean) {
  const wide = useMedia(wideScreen)
  const [sheet, setSheet] = useState(isOpen)
  const [hidden, setHidden] = useState(() => recall<boolean>(place) === true)
  const [tab, setTab] = useState<InspectorTab>('why')
  const hide = (next: boolean) => {
    setHidden(next)
    remember(place, next || undefined)
  }
  return {
    shape: wide ? ('beside' as const) : ('sheet' as const),
    open: wide ? !hidden : sheet,
    tab,
    setTab,
    toggle: () => (wide ? hide(!hidden) : setSheet(!sheet)),
    close: () => setSheet(false),
    showWhy() {
      setTab('why')
      setSheet(true)
      hide(false)
    },
  }
}

export type InspectorState = ReturnType<typeof useInspector>
