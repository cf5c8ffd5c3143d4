/** Reads the checks of a type test and the words beside them: a type checker reports neither. SPEC.md § VF2. */

/** A piece of a test file, in the order of the text. */
export type TypeTestPart = { words: string } | { check: string }

/**
 * Comments and titles are words; a statement that a type checker can refuse is a check. A comment at the end of a line stands
 * before its check, as one above it does.
 */
export function typeTestParts(text: string): TypeTestPart[] {
  return statementsOf(text).flatMap(({ words, code, bare }): TypeTestPart[] => {
    const isCheck = checks(bare) || words.some((word) => /@ts-expect-error/.test(word))
    const check = code.trim().replace(/\s+/g, ' ')
    return [...words.map((one) => ({ words: one })), ...(isCheck && check !== '' ? [{ check }] : [])]
  })
}

interface Statement {
  /** Its comments and texts. */
  words: string[]
  /** Without comments. */
  code: string
  /** Without the content of texts either. */
  bare: string
}

const piece =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\[\s\S]|[^`\\])*`|\n|[()]|[^/'"`\n()]+|[\s\S]/g

/** A statement ends with its line, unless a parenthesis or the type of an assertion is open; the body of a function is made of statements of its own. */
function statementsOf(text: string): Statement[] {
  const found: Statement[] = []
  let words: string[] = []
  let [code, bare, depth] = ['', '', 0]
  const end = () => {
    if (words.length > 0 || code.trim() !== '') found.push({ words, code, bare })
    ;[words, code, bare, depth] = [[], '', '', 0]
  }
  const add = (part: string, plain = part) => {
    code += part
    bare += plain
  }
  for (const [part] of text.matchAll(piece)) {
    if (/^\/[/*]/.test(part)) words.push(part)
    else if (/^['"`]./.test(part)) {
      words.push(part)
      add(part, "''")
    } else if (part === '\n') {
      // A comment above a statement belongs to it.
      if (code.trim() !== '' && !opensType(bare) && (depth <= 0 || code.trimEnd().endsWith('{'))) end()
      else add(part)
    } else {
      if (part === '(') depth += 1
      if (part === ')') depth -= 1
      add(part)
    }
  }
  end()
  return found
}

const assertion = /\b(?:expect|assert|attest|check|verify|is|type)\w*\s*(?:\.\s*\w+\s*)*[<(]/i
/** `expectType<{` and what follows it, up to the end of that type. */
function opensType(code: string): boolean {
  const type = /\b(?:expect|assert|attest|check|verify|is|type)\w*\s*(?:\.\s*\w+\s*)*(<[^()]*)$/i.exec(code)?.[1]
  if (type === undefined) return false
  const marks = type.replace(/=>/g, '')
  return marks.split('<').length > marks.split('>').length
}

/** `const a: Type = b`, `b satisfies Type`. */
const annotated = /\b(?:const|let|var)\s+[^=]*:[^=]+=|\bsatisfies\b/
const known = new Set(
  `import export from const let var function return void type interface extends typeof keyof satisfies as new
  string number boolean bigint symbol null undefined any unknown never object true false this not
  Promise Array Record Map Set Date Error Equal Expect`.split(/\s+/),
)

/** Something that is not written out must be involved: `expectType<string>('a')` says nothing about the code. */
function checks(code: string): boolean {
  if (/^\s*(?:import|export\s.*\bfrom)\b/.test(code)) return false
  if (!assertion.test(code) && !annotated.test(code)) return false
  const told = code.replace(/\b(?:const|let|var|type)\s+[\w$]+/g, ' ').replace(new RegExp(assertion, 'gi'), ' ')
  return (told.match(/[\p{L}_$][\p{L}\p{N}_$]*/gu) ?? []).some((name) => !known.has(name))
}
