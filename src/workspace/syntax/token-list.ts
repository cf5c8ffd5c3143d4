/** Collects the tokens of code, and which of them are names, independent of layout. */

export class TokenList {
  readonly tokens: string[] = []
  readonly identifiers: number[] = []

  word(text: string): void {
    this.tokens.push(text)
  }

  name(text: string): void {
    this.identifiers.push(this.tokens.length)
    this.tokens.push(text)
  }

  append(other: TokenList): void {
    for (const index of other.identifiers) this.identifiers.push(this.tokens.length + index)
    for (const token of other.tokens) this.tokens.push(token)
  }

  get names(): Set<string> {
    return new Set(this.identifiers.map((index) => this.tokens[index]!))
  }
}

/** Quotes that hold the same text are the same token. */
export function plainQuotes(text: string): string {
  return /^"[^"'\\]*"$/.test(text) ? `'${text.slice(1, -1)}'` : text
}

/** One line of tokens for people to read; rules compare it without its spaces. */
export function signatureText(tokens: readonly string[]): string {
  let text = ''
  let last = ''
  for (const token of tokens) {
    const isTight = text === '' || /^[,;:)\]?.(<>]$/.test(token) || /^([([.@<]|\.\.\.|\*\*?)$/.test(last)
    text += isTight ? token : ` ${token}`
    last = token
  }
  return text
}
