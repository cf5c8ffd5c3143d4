/** A small label with a tone. */
import type { HTMLAttributes } from 'react'

const tones = {
  plain: 'bg-sunken text-ink-2 border-line',
  live: 'bg-live-soft text-live border-transparent',
  ok: 'bg-ok-soft text-ok border-transparent',
  warn: 'bg-warn-soft text-warn border-transparent',
  bad: 'bg-bad-soft text-bad border-transparent',
} as const
export type Tone = keyof typeof tones

export function Chip({ tone = 'plain', className = '', ...rest }: HTMLAttributes<HTMLSpanElement> & { tone?: Tone }) {
  return (
    <span
      className={`inline-flex items-center gap-1.5 rounded-full border px-2.5 py-px text-small whitespace-nowrap ${tones[tone]} ${className}`}
      {...rest}
    />
  )
}

interface StatusChipProps extends HTMLAttributes<HTMLSpanElement> {
  word: string
  tone: Tone
}

/** A status: its word with a dot of its tone. */
export function StatusChip({ word, tone, ...rest }: StatusChipProps) {
  return (
    <Chip tone={tone} {...rest}>
      <Dot tone={tone} />
      {word}
    </Chip>
  )
}

const dotTones = {
  plain: 'bg-line-strong',
  live: 'bg-live shadow-[0_0_0_3px_var(--live-soft)]',
  ok: 'bg-ok',
  warn: 'bg-warn',
  bad: 'bg-bad',
  accent: 'bg-accent',
} as const

export function Dot({ tone = 'plain' }: { tone?: keyof typeof dotTones }) {
  const moves = tone === 'live' ? 'pulse' : ''
  return <span aria-hidden="true" className={`size-[7px] shrink-0 rounded-full ${dotTones[tone]} ${moves}`} />
}
