// Removes Markdown's marks of bold text, and nothing that is code, arithmetic, a path or a name.

const codeSpan = /(?<code>(?<!`)(?<ticks>`+)(?!`)[^\n]*?(?<!`)\k<ticks>(?!`))/u
// No word or closing bracket in front of it (`(a)**2`), no star, dot or slash behind it (`**/*.ts`).
const opens = /(?<![^\s([{"'“‘«—–:;,|>·])\*\*(?=[^\s*./])/u
const words = /(?<stars>(?:[^*`\n]|\*(?!\*)|`[^`\n]*`)+)/u
// Not where a number, a name or a path goes on: `x**-1`, `2**.5`, `src/**`.
const closes = /(?<![\s*/])\*\*(?=$|[\s)\]}"'”’»—–|…>·]|[.,:;!?](?![\p{L}\p{N}]))/mu
// One word between underlines is a name: `__init__`, `__FILE__`.
const underlined =
  /(?<![\p{L}\p{N}_/.])__(?=[^\s_])(?<lines>[^_`\n]*\s[^_`\n]*)(?<!\s)__(?![\p{L}\p{N}_/(]|\.[\p{L}\p{N}])/u

const spanOrBold = new RegExp(
  `${codeSpan.source}|${opens.source}${words.source}${closes.source}|${underlined.source}`,
  'gmu',
)

export function withoutEmphasis(text: string): string {
  return text.replace(spanOrBold, (found, ...rest) => {
    const { code, stars, lines } = rest.at(-1) as { code?: string; stars?: string; lines?: string }
    return code ?? stars ?? lines ?? found
  })
}
