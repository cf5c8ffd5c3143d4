/** A titled card on the plan page. */
import { type ReactNode, useId } from 'react'

interface CardProps {
  title: ReactNode
  children: ReactNode
  /** Beside the title. */
  more?: ReactNode
  wide?: boolean
  testId?: string
}

export function Card({ title, children, more, wide = false, testId }: CardProps) {
  const heading = useId()
  return (
    <section
      aria-labelledby={heading}
      data-testid={testId}
      className={`min-w-0 rounded-[10px] border border-line bg-panel px-4 py-3.5 ${wide ? 'min-[760px]:col-span-full' : ''}`}
    >
      <div className="mb-2.5 flex flex-wrap items-center gap-x-2 gap-y-1">
        <h2 id={heading} className="text-[13px] font-semibold">
          {title}
        </h2>
        {more}
      </div>
      {children}
    </section>
  )
}
