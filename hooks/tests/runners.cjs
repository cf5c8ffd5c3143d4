/* node:coverage disable */
/** Recognises a test runner by the package of the program that is starting, and extends its arguments. */
const { existsSync, readFileSync, realpathSync } = require('node:fs')
const { dirname, join } = require('node:path')
const { restartWithReporter, usesNodeTest } = require('./node-test-process.cjs')
const { openReport } = require('./report-file.cjs')

/** The package that a program belongs to, and the program's path in it. */
function packageOf(program) {
  if (!program) return undefined
  let path
  try {
    path = realpathSync(program)
  } catch {
    return undefined
  }
  for (let folder = dirname(path); folder !== dirname(folder); folder = dirname(folder)) {
    const manifest = read(join(folder, 'package.json'))
    if (manifest?.name) return { name: manifest.name, file: path.slice(folder.length + 1), version: manifest.version }
  }
  return undefined
}

function read(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

const programs = [
  ['vitest', /^vitest$/, /^vitest\.mjs$/],
  ['jest', /^jest(?:-cli)?$/, /^bin\/jest\.js$/],
  ['jest', /^react-scripts$/, /^bin\/react-scripts\.js$/, 'test'],
  ['mocha', /^mocha$/, /^bin\/_?mocha(?:\.c?js)?$/],
  ['ava', /^ava$/, /^(?:entrypoints\/)?cli\.m?js$/],
  ['jasmine', /^jasmine$/, /^bin\/jasmine\.js$/],
  ['uvu', /^uvu$/, /^bin\.js$/],
  ['tap', /^tap$/, /^(?:bin\/run\.js|dist\/esm\/run\.mjs)$/],
  ['playwright', /^(?:@playwright\/test|playwright)$/, /^cli\.js$/, 'test'],
]

function runnerOf(program) {
  if (process.execArgv.includes('--test') || usesNodeTest(process.argv[1])) return 'node'
  if (!program) return undefined
  const found = programs.find(
    ([, name, file, word]) =>
      name.test(program.name) && file.test(program.file) && (word === undefined || process.argv[2] === word),
  )
  return found?.[0]
}

function askForReport(runner) {
  switch (runner) {
    case 'node':
      return restartWithReporter()
    case 'vitest': {
      if (/^(?:bench|list|init)$/.test(process.argv[2] ?? '')) return
      const { file } = openReport(runner, 'jest')
      const printed = hasOption('--reporter') ? [] : ['--reporter=default']
      return addArguments([...printed, '--reporter=json', `--outputFile.json=${file}`])
    }
    case 'jest': {
      const { file } = openReport(runner, 'jest')
      return addArguments(['--json', `--outputFile=${file}`])
    }
    case 'mocha':
      process.env.CONVENE_REPORT_FILE = openReport(runner).file
      return addArguments(['--reporter', join(__dirname, 'mocha-reporter.cjs')])
    case 'jasmine':
      process.env.CONVENE_REPORT_FILE = openReport(runner).file
      return addArguments([`--helper=${join(__dirname, 'jasmine-helper.cjs')}`])
    case 'ava': {
      const { file } = openReport(runner, 'ava')
      require('./tap-output.cjs').copyOutput(file)
      return hasOption('--tap') || hasOption('-t') ? undefined : addArguments(['--tap'])
    }
    case 'tap': {
      const { file } = openReport(runner, 'tap')
      return addArguments([`--output-file=${file}`])
    }
    case 'playwright': {
      const { file } = openReport(runner, 'playwright')
      process.env.PLAYWRIGHT_JSON_OUTPUT_FILE = file
      process.env.PLAYWRIGHT_JSON_OUTPUT_NAME = file
      return addArguments(['--reporter=list,json'])
    }
    case 'uvu':
      return require('./uvu-loading.cjs').loadUvu(openReport(runner).add)
    default:
      return undefined
  }
}

function hasOption(name) {
  return process.argv.some((word) => word === name || word.startsWith(`${name}=`))
}

/** Before a `--`, after which runners expect no options. */
function addArguments(words) {
  const end = process.argv.indexOf('--', 2)
  process.argv.splice(end === -1 ? process.argv.length : end, 0, ...words)
}

/** Whether the project has uvu, which may also run in a plain Node process. */
function findUvu() {
  for (let folder = process.cwd(); folder !== dirname(folder); folder = dirname(folder))
    if (existsSync(join(folder, 'node_modules', 'uvu', 'package.json'))) return true
  return false
}

module.exports = { askForReport, findUvu, packageOf, runnerOf }
