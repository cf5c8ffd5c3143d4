/** What a file is for, in one line, as its author wrote it: a header comment, a docstring, a title or a description. */

const longest = 140

export function filePurpose(path: string, text: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1)
  if (name === 'package.json' || name === 'composer.json') return firstSentence(descriptionIn(text))
  if (/\.(md|mdx|rst|adoc|txt)$/i.test(name))
    return firstSentence(/^\s*(?:#+|=+)\s+(.+)$/m.exec(text.slice(0, 4000))?.[1] ?? '')
  return firstSentence(headerOf(path, text.slice(0, 6000)))
}

function descriptionIn(text: string): string {
  try {
    const { description } = JSON.parse(text) as { description?: unknown }
    return typeof description === 'string' ? description : ''
  } catch {
    return ''
  }
}

/** The first comment before any code that is neither a licence nor an instruction to a tool; then the first doc comment. */
function headerOf(path: string, text: string): string {
  if (/\.pyi?$/.test(path)) {
    const docstring = /^(?:\s*#[^\n]*\n)*\s*[ru]?("""|''')([\s\S]*?)\1/i.exec(text)?.[2]
    if (docstring) return docstring
  }
  let rest = text.replace(/^#![^\n]*\n/, '').replace(/^\s*['"]use \w+['"];?/, '')
  for (;;) {
    const comment = nextComment(rest)
    if (!comment) break
    if (!isBoilerplate(comment.words)) return comment.words
    rest = rest.slice(comment.length)
  }
  for (const [, words = ''] of text.matchAll(
    /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export\s|module\.exports\b|pub |public )/g,
  ))
    if (!isBoilerplate(stripped(words))) return stripped(words)
  return ''
}

function nextComment(text: string): { words: string; length: number } | null {
  const found =
    /^\s*(?:\/\*+([\s\S]*?)\*\/|((?:[ \t]*\/\/[^\n]*\n?)+)|((?:[ \t]*#(?!\[|!\[|include|define|pragma|if)[^\n]*\n?)+)|((?:[ \t]*--[^\n]*\n?)+)|<!--([\s\S]*?)-->)/.exec(
      text,
    )
  if (!found) return null
  return { words: stripped(found.slice(1).find((group) => group !== undefined) ?? ''), length: found[0].length }
}

function stripped(comment: string): string {
  return comment
    .split('\n')
    .map((line) => line.replace(/^\s*(?:\/\/[/!]?|\*+|#+|--+)?\s?/, ''))
    .join('\n')
    .trim()
}

function isBoilerplate(words: string): boolean {
  return (
    words === '' ||
    /copyright|licen[cs]e|spdx|eslint|prettier|@ts-|istanbul|@flow|biome-|<reference|generated|coding:|pylint|noqa|go:build|^@(?:type|param|returns?|template|import)\b/i.test(
      words.slice(0, 400),
    )
  )
}

function firstSentence(words: string): string {
  const paragraph = words.trim().split(/\n\s*\n|\n\s*@\w+/)[0] ?? ''
  const line = paragraph
    .replace(/\s+/g, ' ')
    .replace(/^@(?:file|fileoverview|module|packageDocumentation)\s*(?:\S+\s+-\s*)?/, '')
    .trim()
  const sentence = /^.*?[.!?](?=\s|$)/.exec(line)?.[0] ?? line
  return sentence.length <= longest ? sentence : `${sentence.slice(0, longest)}…`.toWellFormed()
}
