/** The visible part of a run's time. Pure. */
export interface TimeSpan {
  from: number
  to: number
}

/** A log has no order below a millisecond. */
const narrowest = 8

/** Inside of all there is, and never narrower than can be drawn. */
export function within({ from, to }: TimeSpan, all: TimeSpan): TimeSpan {
  const whole = Math.max(narrowest, all.to - all.from)
  const width = Math.min(whole, Math.max(narrowest, to - from))
  const start = Math.min(Math.max(all.from, from), all.from + whole - width)
  return { from: start, to: start + width }
}

/** By a factor below 1 closer, above 1 further away; `around` stays where it is. */
export function zoomed(window: TimeSpan, factor: number, around: number, all: TimeSpan): TimeSpan {
  const from = around - (around - window.from) * factor
  const to = around + (window.to - around) * factor
  return within({ from, to }, all)
}

export function moved({ from, to }: TimeSpan, by: number, all: TimeSpan): TimeSpan {
  return within({ from: from + by, to: to + by }, all)
}

/** A little room on both sides, so that the content does not touch the edge. */
export function around({ from, to }: TimeSpan, all: TimeSpan): TimeSpan {
  const room = Math.max(narrowest, (to - from) * 0.08)
  return within({ from: from - room, to: to + room }, all)
}

export const isWhole = (window: TimeSpan, all: TimeSpan) => window.from <= all.from && window.to >= all.to
