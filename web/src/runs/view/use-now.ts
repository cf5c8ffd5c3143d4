/** The current time, updated every second while a run is active. */
import { useEffect, useState } from 'react'

export function useNow(goesOn: boolean): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (!goesOn) return
    const timer = setInterval(() => setNow(Date.now()), 1000)
    return () => clearInterval(timer)
  }, [goesOn])
  return now
}
