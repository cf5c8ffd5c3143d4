/** Moments on a timeline, as precise as they need to be. */
import { clock } from '../../ui/format.ts'

const two = (value: number) => String(value).padStart(2, '0')

/** The time of day to the millisecond, with the day where it is not today. */
export function moment(at: number): string {
  const date = new Date(at)
  const seconds = `${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
  return `${clock(date.toISOString())}:${seconds}`
}

/** The time of day to the second. */
export function timeOfDay(at: number): string {
  const date = new Date(at)
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

export interface Tick {
  at: number
  label: string
}

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour
const steps = [
  ...[1, 2, 5, 10, 20, 50, 100, 200, 500],
  ...[1, 2, 5, 10, 15, 30].map((each) => each * second),
  ...[1, 2, 5, 10, 15, 30].map((each) => each * minute),
  ...[1, 2, 3, 6, 12].map((each) => each * hour),
  ...[1, 2, 5, 10, 30, 100, 365].map((each) => each * day),
]

/** Round moments inside a span of time, at most so many: since the run began, or by the clock. */
export function ticksIn(span: { from: number; to: number }, begin: number, most: number): Tick[] {
  const width = Math.max(1, span.to - span.from)
  const step = steps.find((each) => width / each <= Math.max(1, most)) ?? steps.at(-1)!
  const ticks: Tick[] = []
  const first = begin + Math.ceil((span.from - begin) / step) * step
  for (let at = first; at <= span.to && ticks.length <= most + 1; at += step)
    ticks.push({ at, label: sinceBegin(at - begin, step) })
  return ticks
}

/** `+2 min`, `+2:30`, `+0.250 s`: how long after the beginning, as fine as the steps are. */
function sinceBegin(after: number, step: number): string {
  if (after === 0) return '0'
  if (step < second) return `${(after / second).toFixed(step < 10 ? 3 : step < 100 ? 2 : 1)} s`
  if (step < minute) {
    const [minutes, seconds] = [Math.floor(after / minute), Math.round((after % minute) / second)]
    return minutes === 0 ? `${seconds} s` : `${minutes}:${two(seconds)}`
  }
  if (step < hour) {
    const [hours, minutes] = [Math.floor(after / hour), Math.round((after % hour) / minute)]
    return hours === 0 ? `${minutes} min` : `${hours} h ${two(minutes)}`
  }
  return step < day ? `${Math.round(after / hour)} h` : `${Math.round(after / day)} d`
}
