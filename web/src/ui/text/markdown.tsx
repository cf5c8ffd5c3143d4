/**
 * An agent's words as Markdown. HTML in them is shown as text, links open elsewhere without telling where they came from,
 * and pictures are never loaded: what an agent writes must not reach the network by being read.
 */
import { type ComponentProps, isValidElement, type ReactNode } from 'react'
import { type Components, defaultRehypePlugins, type ExtraProps, Streamdown } from 'streamdown'
import { CopyButton } from '../copy-button.tsx'
import { Icon } from '../icons.tsx'
import { ColouredCode } from './coloured-code.tsx'

/** Longer texts are shown as plain text: parsing them as Markdown would block the page. */
const longestMarkdown = 100_000

export function Markdown({ text, writing = false }: { text: string; writing?: boolean }) {
  if (text.length > longestMarkdown) return <p className="markdown whitespace-pre-wrap">{text}</p>
  return (
    <Streamdown
      className={`markdown ${writing ? 'caret-last' : ''}`}
      mode={writing ? 'streaming' : 'static'}
      parseIncompleteMarkdown={writing}
      components={parts}
      rehypePlugins={plugins}
      controls={false}
      linkSafety={noQuestions}
      codeBlockMaxHeight={0}
      tableMaxHeight={0}
    >
      {text}
    </Streamdown>
  )
}

type Plugin = NonNullable<ComponentProps<typeof Streamdown>['rehypePlugins']>[number]

/** Without the plugin that turns raw HTML into elements. */
const [harden, hardening] = defaultRehypePlugins.harden as Extract<Plugin, unknown[]>
const plugins: Plugin[] = [
  defaultRehypePlugins.sanitize!,
  // A link to a file beside the document leads nowhere here: its words stay, without a mark that it was blocked.
  [harden, { ...(hardening as object), linkBlockPolicy: 'text-only' }],
]
const noQuestions = { enabled: false }

const parts: Components = {
  a: Anchor,
  img: Picture,
  input: Tick,
  pre: Pre,
  code: 'code',
  table: Table,
  thead: 'thead',
  tbody: 'tbody',
  tr: 'tr',
  th: 'th',
  td: 'td',
  h1: 'h1',
  h2: 'h2',
  h3: 'h3',
  h4: 'h4',
  h5: 'h5',
  h6: 'h6',
  p: 'p',
  ul: 'ul',
  ol: 'ol',
  li: 'li',
  hr: 'hr',
  strong: 'strong',
  blockquote: 'blockquote',
  sup: 'sup',
  sub: 'sub',
  section: 'section',
}

function Anchor({ href, children }: ComponentProps<'a'> & ExtraProps) {
  if (!href || !/^(https?:|mailto:)/i.test(href)) return <span>{children}</span>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

function Picture({ src, alt }: ComponentProps<'img'> & ExtraProps) {
  const name = alt?.trim() ? alt : 'picture'
  const label = (
    <span className="text-ink-2 [&>svg]:mr-1 [&>svg]:inline [&>svg]:align-[-2px]">
      <Icon name="image" size={14} />
      {name} (image, not loaded)
    </span>
  )
  return typeof src === 'string' && /^https?:/i.test(src) ? <Anchor href={src}>{label}</Anchor> : label
}

/** The box of a task in a list: to be read, not to be ticked. */
function Tick({ checked }: ComponentProps<'input'> & ExtraProps) {
  return <input type="checkbox" disabled checked={checked === true} aria-label={checked ? 'done' : 'to do'} readOnly />
}

function Pre({ children }: ComponentProps<'pre'> & ExtraProps) {
  const text = textOf(children)
  return (
    <div className="shows-actions group relative">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: long lines scroll, also by keyboard */}
      <pre tabIndex={0}>
        <ColouredCode text={text} language={languageOf(children)} />
      </pre>
      <CopyButton text={text} label="Copy code" className="quiet-action absolute top-1.5 right-1.5 bg-sunken" />
    </div>
  )
}

function Table({ children }: ComponentProps<'table'> & ExtraProps) {
  return (
    <div className="wide-table">
      <table>{children}</table>
    </div>
  )
}

/** The word after the fence. */
function languageOf(code: ReactNode): string | undefined {
  if (!isValidElement<{ className?: string }>(code)) return undefined
  return /(?:^|\s)language-(\S+)/.exec(code.props.className ?? '')?.[1]?.toLowerCase()
}

function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node)
  if (Array.isArray(node)) return node.map(textOf).join('')
  if (node && typeof node === 'object' && 'props' in node)
    return textOf((node.props as { children?: ReactNode }).children)
  return ''
}
