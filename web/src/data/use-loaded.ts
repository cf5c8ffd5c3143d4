/** Data that is fetched when it is first shown, and again on request. */
import { useCallback, useEffect, useState } from 'react'

export type Loaded<Value> =
  | { state: 'loading' }
  | { state: 'ready'; value: Value }
  | { state: 'failed'; problem: string; retry(): void }

export function useLoaded<Value>(key: string, load: () => Promise<Value>): Loaded<Value> {
  const [tries, setTries] = useState(0)
  const [result, setResult] = useState<{ key: string; value: Value } | { key: string; problem: string } | null>(null)
  const retry = useCallback(() => {
    setResult(null)
    setTries((before) => before + 1)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key says what is loaded
  useEffect(() => {
    let wanted = true
    load().then(
      (value) => wanted && setResult({ key, value }),
      (error) => wanted && setResult({ key, problem: error instanceof Error ? error.message : String(error) }),
    )
    return () => {
      wanted = false
    }
  }, [key, tries])
  if (result?.key !== key) return { state: 'loading' }
  return 'value' in result
    ? { state: 'ready', value: result.value }
    : { state: 'failed', problem: result.problem, retry }
}
