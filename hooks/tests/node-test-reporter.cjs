/* node:coverage disable */
/** A reporter for Node's own test runner. */
const { resolve } = require('node:path')
const { openReport, failureText } = require('./report-file.cjs')

module.exports = async function* report(source) {
  // A test may start a runner itself; that one's tests are none of the project's.
  const owner = process.env.CONVENE_RUNNER
  const isOurs = process.env.CONVENE_REPORTS && (!owner || owner === String(process.pid)) && !globalThis.conveneReports
  globalThis.conveneReports = true
  let opened
  const add = (line) => {
    opened ??= openReport('node')
    opened.add(line)
  }
  /** The titles of the groups that are open, by file. */
  const open = new Map()
  /** Why a file cannot be loaded is only in what its process printed. */
  const printed = new Map()
  const broken = []
  for await (const { type, data } of source) {
    if (!isOurs) continue
    const { name, nesting, file = '', details = {}, skip, todo } = data ?? {}
    if (type === 'test:stderr' && data.file) {
      const path = resolve(data.file)
      printed.set(path, `${printed.get(path) ?? ''}${data.message}`.slice(-16_000))
    }
    if (type === 'test:start') {
      const groups = open.get(file) ?? []
      groups.length = nesting
      groups[nesting] = name
      open.set(file, groups)
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    const error = details.error?.cause ?? details.error
    if (isFile(data)) {
      // Its own line only says that something in it failed, unless nothing in it ran.
      if (type === 'test:fail' && details.error?.failureType !== 'subtestsFailed')
        broken.push({ file: file || name, failure: failureText(error) })
      continue
    }
    if (details.type === 'suite') {
      if (type === 'test:fail' && details.error?.failureType !== 'subtestsFailed')
        add({ suite: suiteOf(open, file, nesting), name, file, state: 'failed', failure: failureText(error) })
      continue
    }
    const state =
      skip !== undefined && skip !== false
        ? 'skipped'
        : todo !== undefined && todo !== false
          ? 'todo'
          : type === 'test:pass'
            ? 'passed'
            : 'failed'
    const failure = state === 'failed' ? { failure: failureText(error) } : {}
    const reason = state === 'skipped' && typeof skip === 'string' ? { reason: skip } : {}
    add({ suite: suiteOf(open, file, nesting), name, file, state, ...failure, ...reason })
  }
  for (const { file, failure } of broken) add({ broken: file, failure: printed.get(resolve(file)) || failure })
  if (isOurs) add({ end: true })
}

function suiteOf(open, file, nesting) {
  return (open.get(file) ?? []).slice(0, nesting)
}

/** The runner reports a test file that it ran in a process of its own as a test with the file's name. */
function isFile({ name, nesting, file }) {
  return nesting === 0 && file !== undefined && (name === file || file.endsWith(`/${name}`))
}
