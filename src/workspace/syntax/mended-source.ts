/** Replaces valid TypeScript and JavaScript that the grammars do not know yet with names, and puts it back afterwards. */

export interface MendedSource {
  text: string
  /** The text of a node as it was before. */
  restore: (text: string) => string
}

const reserved =
  'break|case|catch|class|const|debugger|default|delete|do|else|enum|export|extends|false|finally|for|function|if|import|' +
  'in|instanceof|new|null|return|super|switch|this|throw|true|try|typeof|var|void|while|with'
const name = String.raw`[\p{ID_Start}$_][\p{ID_Continue}$]*`

/** What is matched becomes one name, which reads as what was there. */
const named: readonly RegExp[] = [
  // interface Box<in out T>
  new RegExp(String.raw`(?<=[<,]\s*(?:/\*.*?\*/\s*)?)(?:in\s+out|in|out)\s+${name}(?=\s*(?:extends\b|=|,|>))`, 'gu'),
  // let box: import('./box').Box
  /\bimport\(\s*(['"])[^'"\n]+\1\s*\)(?=\s*\.\s*[A-Z_])/g,
  // interface Box { abstract?: boolean }
  /\b(?:abstract|accessor)(?=\s*(?:\?\s*)?[:(=;])/g,
  // export { nothing as null }, import { null as nothing }
  new RegExp(String.raw`(?<=\bas\s+)(?:${reserved})(?=\s*[,}])`, 'g'),
  new RegExp(String.raw`(?<=[{,]\s*)(?:${reserved})(?=\s+as\b)`, 'g'),
]

/** What makes no difference to the names and types of a file is left out. */
const dropped: readonly [RegExp, string][] = [
  [/\bexport\s+type\s+(?=\*)/g, 'export '],
  [/\bimport\s+defer\s+(?=\*)/g, 'import '],
  [/(?<!\bdeclare\s+)\bglobal(?=\s*\{)/g, 'namespace global'],
  [/\bstatic\s+accessor\s+/g, 'static '],
  [/(\bfrom\s*(['"])[^'"\n]+\2)\s+with\s*\{[^{}]*\}/g, '$1'],
]

/** For text that did not parse. Nothing where there is nothing to mend. */
export function mendSource(source: string): MendedSource | undefined {
  const originals: string[] = []
  const standIn = (original: string) => `$mended${originals.push(original.replace(/\s+/g, ' ')) - 1}$`
  let text = source
  for (const pattern of named) text = text.replace(pattern, (original) => standIn(original))
  for (const [pattern, instead] of dropped) text = text.replace(pattern, instead)
  text = text.replace(
    /\bexport\s+default\s+(?:async\s+)?function\s*(?=[(<])/g,
    (start) => `${start} ${standIn('default')}`,
  )
  if (text === source) return undefined
  return { text, restore: (part) => part.replace(/\$mended(\d+)\$/g, (_, index) => originals[Number(index)] ?? '') }
}
