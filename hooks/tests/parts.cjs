/* node:coverage disable */
/**
 * Takes a shell command apart at `&&`, `||`, `;` and line ends, so that each part logs its start and its exit code. The
 * exit code of the whole is unchanged. Used by Convene for the test command, and by the preload for scripts of package.json.
 */
const { appendFileSync } = require('node:fs')
const { join } = require('node:path')

let count = 0

/** Returns the command unchanged where taking it apart could change its meaning. */
function takeApart(command, { reports, folder, parent = '', script = '', checkers = '' }) {
  const pieces = split(command)
  if (pieces === undefined) return command
  const goesOn = pieces.slice(0, -1).every(({ operator }) => operator === '&&')
  const checks = ({ text }) => checkers !== '' && new RegExp(checkers).test(text)
  const isChecker = (piece) => goesOn && piece.operator !== '' && checks(piece)
  const log = quoted(join(reports, 'parts.log'))
  const group = `${process.pid}-${++count}`
  const text = pieces.map((piece) => {
    const { text, operator } = piece
    const id = `${process.pid}-${++count}`
    appendFileSync(
      join(reports, 'parts.jsonl'),
      `${JSON.stringify({ id, group, parent, script, command: text, folder })}\n`,
    )
    const start = `CONVENE_PART=${id}; export CONVENE_PART; echo "${id} start" >>${log}`
    const end = `CONVENE_STATUS=$?; echo "${id} $CONVENE_STATUS" >>${log}; (exit $CONVENE_STATUS)`
    const own = `{ ${start}; ${text}; ${end}; }`
    const whole = checks(piece) ? withCopy(own, join(reports, id)) : own
    // The tests behind a linter run although it fails; its exit code is still that of the whole.
    return isChecker(piece) ? `{ ${whole} || CONVENE_CHECK=$?; true; }${operator}` : `${whole}${operator}`
  })
  if (!pieces.some(isChecker)) return text.join(' ')
  return `CONVENE_CHECK=; ${text.join(' ')}; CONVENE_STATUS=$?; (exit \${CONVENE_CHECK:-$CONVENE_STATUS})`
}

/** What a linter prints is kept apart from the tests' output too. The pipe does not change its exit code. */
function withCopy(command, file) {
  const [output, status] = [quoted(`${file}.out`), quoted(`${file}.status`)]
  return `{ { ${command} 2>&1; echo $? >${status}; } | tee ${output}; (exit $(cat ${status})); }`
}

/** Words that make a part more than one simple command. */
const compound =
  /^(?:if|then|else|elif|fi|for|while|until|do|done|case|esac|function|select|exec|exit|return|trap|set|[{}!])(?=$|[\s;])/

function split(command) {
  if (/<<|(?:^|\s)#|\\\n/.test(command)) return undefined
  const pieces = []
  let [start, depth, quote] = [0, 0, '']
  const push = (end, operator) => {
    const text = command.slice(start, end).trim()
    if (text !== '') pieces.push({ text, operator })
    start = end + operator.length
  }
  for (let index = 0; index < command.length; index++) {
    const char = command[index]
    if (char === '\\' && quote !== "'") index++
    else if (quote !== '') quote = char === quote ? '' : quote
    else if (char === "'" || char === '"' || char === '`') quote = char
    else if (char === '(') depth++
    else if (char === ')') depth--
    else if (depth === 0) {
      const two = command.slice(index, index + 2)
      if (two === '&&' || two === '||') push(index++, two)
      else if (char === ';' || char === '\n') push(index, char)
      else if (char === '&' && command[index - 1] !== '>' && command[index + 1] !== '>') return undefined
    }
  }
  if (quote !== '' || depth !== 0) return undefined
  push(command.length, '')
  return pieces.length === 0 || pieces.some(({ text }) => compound.test(text)) ? undefined : pieces
}

/** A command may set NODE_OPTIONS itself, which would drop ours. */
function withNodeOptions(command, ours) {
  return command.replace(/(^|[\s;&|(])NODE_OPTIONS=/g, (_, before) => `${before}NODE_OPTIONS=${quoted(`${ours} `)}`)
}

/** The same for a variable that Python reads, where the command's own value keeps its place in front. */
function withAddition(command, name, addition) {
  const setting = new RegExp(`(^|[\\s;&|(])${name}=((?:"[^"]*"|'[^']*'|[^\\s;&|()'"])*)`, 'g')
  return command.replace(setting, (_, before, value) => `${before}${name}=${value}${quoted(addition)}`)
}

function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`
}

module.exports = { takeApart, withAddition, withNodeOptions }
