/** Breaks streamed text between words, where a terminal would break them anywhere. Code and tables stay as they are. */

export interface WordWrap {
  /** What can be shown of the text so far; an unfinished word is kept for later, unless it is too long for a line anyway. */
  add(text: string): string
  /** The rest; the next text begins a line. */
  end(): string
}

export function wordWrap(columns: number): WordWrap {
  let column = 0
  let held = ''
  let isCode = false
  let isFenced = false
  let isInLongWord = false

  const place = (blanks: string, word: string): string => {
    if (column === 0) {
      const fence = blanks.length < 4 && /^(?:`{3}|~{3})/.test(word)
      isCode = isFenced || fence || /^(?: {4}|\t)/.test(blanks) || word.startsWith('|')
      if (fence) isFenced = !isFenced
    }
    const width = widthOf(word)
    if (isCode || column === 0 || column + blanks.length + width <= columns) {
      column += blanks.length + width
      return blanks + word
    }
    column = width
    return `\n${word}`
  }

  return {
    add(text) {
      const more = isInLongWord ? /^[^ \t\n]*/.exec(text)![0] : ''
      let shown = more
      column += widthOf(more)
      held += text.slice(more.length)
      if (held !== '') isInLongWord = false
      for (let found = unit.exec(held); found; found = unit.exec(held)) {
        const [whole, blanks = '', word] = found
        held = held.slice(whole.length)
        if (word === undefined) {
          shown += '\n'
          column = 0
        } else shown += place(blanks, word)
      }
      const [, blanks = '', word = ''] = start.exec(held)!
      if (widthOf(word) <= columns) return shown
      held = ''
      isInLongWord = true
      return shown + place(blanks, word)
    },
    end() {
      const [, blanks = '', word = ''] = start.exec(held)!
      const shown = word === '' ? '' : place(blanks, word)
      held = ''
      column = 0
      isFenced = false
      isInLongWord = false
      return shown
    },
  }
}

/** A whole text; its further lines begin below `indent` of its first one. Without a width it stays as it is. */
export function wrapText(text: string, columns: number | undefined, indent = 0): string {
  if (columns === undefined) return text
  const wrap = wordWrap(columns - indent)
  return (wrap.add(text) + wrap.end()).replaceAll('\n', `\n${' '.repeat(indent)}`)
}

/** A word that is surely whole, with the blanks in front of it, or a line end. */
const unit = /^([ \t]*)(?:([^ \t\n]+)(?=[ \t\n])|\n)/

/** Blanks, and what there is of a word. */
const start = /^([ \t]*)([\s\S]*)$/

const wide = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Emoji_Presentation}]/u

function widthOf(word: string): number {
  return [...word].reduce((sum, char) => sum + (wide.test(char) ? 2 : 1), 0)
}
