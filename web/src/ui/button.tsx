/** Buttons in a few weights. */
import type { ButtonHTMLAttributes, Ref } from 'react'
import { Icon, type IconName } from './icons.tsx'

const weights = {
  plain: 'border-line-strong bg-panel text-ink hover:bg-hover',
  primary: 'border-accent bg-accent text-on-accent hover:brightness-110',
  stop: 'border-transparent bg-bad-soft text-bad hover:border-bad',
  quiet: 'border-transparent bg-transparent text-ink-2 hover:bg-hover hover:text-ink',
} as const

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  weight?: keyof typeof weights
  ref?: Ref<HTMLButtonElement>
}

export function Button({ weight = 'plain', className = '', type = 'button', ...rest }: ButtonProps) {
  return (
    <button
      type={type}
      className={`inline-flex h-[30px] items-center justify-center gap-1.5 rounded-lg border px-3 text-small font-medium whitespace-nowrap transition-colors disabled:cursor-not-allowed disabled:opacity-55 ${weights[weight]} ${className}`}
      {...rest}
    />
  )
}

interface IconButtonProps extends Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'children'> {
  icon: IconName
  /** What it does: its name, and its hint. */
  label: string
  ref?: Ref<HTMLButtonElement>
}

export function IconButton({ icon, label, className = '', type = 'button', ...rest }: IconButtonProps) {
  return (
    <button
      type={type}
      aria-label={label}
      title={label}
      className={`inline-grid size-7 shrink-0 place-items-center rounded-md text-ink-3 transition-colors hover:bg-hover hover:text-ink ${className}`}
      {...rest}
    >
      <Icon name={icon} />
    </button>
  )
}
