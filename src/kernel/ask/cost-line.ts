/** Says in one line what work took: asks, requests, tokens, money and time. */
import { type Cost, requestWords } from './cost.ts'

/** "4 asks with 7 requests, 34,567 tokens, $0.50, 7 min 51 s". BU1: an unknown price is shown as unknown. */
export function costLine({ tokens, usd, ...counts }: Cost, milliseconds: number): string {
  const money = usd === null ? 'cost unknown' : `$${usd < 0.01 && usd > 0 ? usd.toFixed(4) : usd.toFixed(2)}`
  return `${requestWords(counts)}, ${tokens.toLocaleString('en')} tokens, ${money}, ${timeWords(milliseconds)}`
}

function timeWords(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000)
  const minutes = Math.floor(seconds / 60)
  if (minutes === 0) return `${seconds} s`
  return minutes < 60 ? `${minutes} min ${seconds % 60} s` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
