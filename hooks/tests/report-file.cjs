/* node:coverage disable */
/** Writes one line of JSON per test. Lines that were written survive a runner that is killed. */
const { appendFileSync } = require('node:fs')
const { join } = require('node:path')

const reports = process.env.CONVENE_REPORTS

/** Registers a runner in this process. Returns the path of its report and a function that adds a line to it. */
function openReport(runner, format = 'lines') {
  const id = `${process.pid}-${Date.now().toString(36)}-${Math.random().toString(36).slice(2, 8)}`
  const file = join(reports, `report-${id}`)
  const about = { runner, format, file, folder: process.cwd(), part: process.env.CONVENE_PART || '', at: Date.now() }
  appendFileSync(join(reports, 'runners.jsonl'), `${JSON.stringify(about)}\n`)
  watchForNothing(file)
  return { file, add: (line) => appendFileSync(file, `${JSON.stringify(line)}\n`) }
}

const nothing = /no test(?:s| files?) (?:were )?found|couldn['’]t find any files to test/i

/** A runner that finds no tests says so in its own words, and may leave no report. */
function watchForNothing(file) {
  for (const stream of [process.stdout, process.stderr]) {
    const { write } = stream
    stream.write = function (chunk, ...rest) {
      if (typeof chunk === 'string' && nothing.test(chunk)) appendFileSync(join(reports, 'empty.log'), `${file}\n`)
      return write.call(this, chunk, ...rest)
    }
  }
}

/** Its type, message, trace and causes. */
function failureText(error) {
  if (error === null || typeof error !== 'object') return String(error)
  const head = error.name && error.message ? `${error.name}: ${error.message}` : String(error.message || error)
  const stack = typeof error.stack === 'string' ? error.stack : ''
  const text = stack.includes(error.message || '') ? stack : `${head}\n${stack}`
  const named = error.code === 'ERR_ASSERTION' && !/AssertionError/.test(text) ? `AssertionError: ${text}` : text
  return error.cause && error.cause !== error ? `${named}\nCaused by: ${failureText(error.cause)}` : named
}

/** Adds a line to the report that the preload opened in the runner's process. */
function addToReport(line) {
  appendFileSync(process.env.CONVENE_REPORT_FILE, `${JSON.stringify(line)}\n`)
}

module.exports = { addToReport, openReport, failureText }
