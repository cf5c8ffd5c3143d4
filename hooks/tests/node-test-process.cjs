/* node:coverage disable */
/** Node's own test runner takes reporters only on its command line: a process that runs tests is started again with ours. */
const { spawnSync } = require('node:child_process')
const { existsSync, readFileSync } = require('node:fs')
const { dirname, join, resolve } = require('node:path')

function restartWithReporter() {
  if (process.env.CONVENE_RESTARTED || !takesReporters()) return
  const words = joinedOptions(process.execArgv)
  const reporters = words.filter((word) => word.startsWith('--test-reporter='))
  const destinations = words.filter((word) => word.startsWith('--test-reporter-destination='))
  // Node wants a destination for each reporter, unless there is only one.
  const own = reporters.length === 0 ? ['--test-reporter=spec'] : []
  const toStdout = reporters.length < 2 && destinations.length === 0 ? ['--test-reporter-destination=stdout'] : []
  const ours = [
    `--test-reporter=${join(__dirname, 'node-test-reporter.cjs')}`,
    `--test-reporter-destination=${join(process.env.CONVENE_REPORTS, 'ignored')}`,
  ]
  const args = [...words, ...own, ...toStdout, ...ours, ...process.argv.slice(1)]
  const env = { ...process.env, CONVENE_RESTARTED: '1' }
  const { status, signal, error } = spawnSync(process.execPath, args, { stdio: 'inherit', env })
  if (error) return
  if (signal) process.kill(process.pid, signal)
  process.exit(status ?? 1)
}

/** Reporters came with Node 18.15 and 19.6. */
function takesReporters() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major > 19 || (major === 19 && minor >= 6) || (major === 18 && minor >= 15)
}

/** `--test-reporter tap` becomes `--test-reporter=tap`. */
function joinedOptions(given) {
  const words = []
  for (let index = 0; index < given.length; index++) {
    const isSplit = /^--test-reporter(?:-destination)?$/.test(given[index])
    words.push(isSplit ? `${given[index]}=${given[++index]}` : given[index])
  }
  return words
}

/** Whether a script, or one of the files that it imports, imports `node:test`. */
function usesNodeTest(script, seen = new Set()) {
  if (!script || script.includes('/node_modules/') || seen.has(script) || seen.size > 50) return false
  seen.add(script)
  const text = textOf(script)
  if (/['"]node:test['"]/.test(text)) return true
  const imported = [...text.matchAll(/(?:\bfrom|\bimport|\brequire\()\s*['"](\.[^'"\n]+)['"]/g)].map(
    (match) => match[1],
  )
  return imported.some((path) => usesNodeTest(fileOf(resolve(dirname(script), path)), seen))
}

function fileOf(path) {
  return [path, `${path}.js`, `${path}.ts`, join(path, 'index.js')].find(
    (each) => /\.[cm]?[jt]sx?$/.test(each) && existsSync(each),
  )
}

function textOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

module.exports = { restartWithReporter, usesNodeTest }
