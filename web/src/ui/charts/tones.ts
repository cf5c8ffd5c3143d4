/** The colours a chart may use. */
export type ChartTone = 'accent' | 'live' | 'ok' | 'warn' | 'bad' | 'plain'

const tones: Record<ChartTone, string> = {
  accent: 'var(--accent)',
  live: 'var(--live)',
  ok: 'var(--ok)',
  warn: 'var(--warn)',
  bad: 'var(--bad)',
  plain: 'var(--ink-3)',
}

/** A tone by its name; anything else is a colour already, such as an agent's. */
export function chartColour(tone: ChartTone | `var(${string})`): string {
  return tone in tones ? tones[tone as ChartTone] : tone
}

export type ChartColour = ChartTone | `var(${string})`
