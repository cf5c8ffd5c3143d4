/* node:coverage disable */
/** Copies TAP that a process prints, so that the output of other programs cannot be taken for it. */
const { appendFileSync } = require('node:fs')
const { openReport, failureText } = require('./report-file.cjs')

/** Copies everything that this process prints to stdout. */
function copyOutput(file) {
  onOutput((text) => appendFileSync(file, text))
}

/** Copies the output from the first TAP header on, as tape and other libraries print it from a plain Node process. */
function watchTap() {
  let file
  onOutput((text) => {
    if (file === undefined && !/^TAP version \d+/m.test(text)) return
    file ??= openReport('tape', 'tap').file
    process.env.CONVENE_RUNNER = String(process.pid)
    appendFileSync(file, text)
  })
  watchCrash((broken) => {
    if (file === undefined) openReport('crash').add(broken)
    else appendFileSync(file, `\nBail out! ${JSON.stringify(broken)}\n`)
  })
}

/** Notes an error that ends a process of the project, such as a test file that cannot be loaded. */
function watchCrash(take) {
  const script = process.argv[1] ?? ''
  const isOwn = script.startsWith(process.cwd()) && !/[\\/]node_modules[\\/](?!\.bin[\\/]tape$|tape[\\/])/.test(script)
  if (!isOwn) return
  process.on('uncaughtExceptionMonitor', (error) => {
    const failure = failureText(error)
    take({ broken: fileOf(failure) ?? script, failure })
  })
}

/** The importing file, or the outermost file of the project in the trace. */
function fileOf(failure) {
  const importer = / imported from (?:file:\/\/)?(\/[^\n]+)/.exec(failure)?.[1]
  if (importer) return importer
  const files = [...failure.matchAll(/(?:file:\/\/)?(\/[^\s():]+\.[cm]?[jt]sx?)/g)].map((match) => match[1])
  return files.findLast((file) => !file.includes('/node_modules/') && file.startsWith(process.cwd()))
}

/** The stream is opened only when the process uses it. */
function onOutput(take) {
  const own = Object.getOwnPropertyDescriptor(process, 'stdout')
  if (!own?.get) return
  Object.defineProperty(process, 'stdout', {
    ...own,
    get() {
      const stream = own.get.call(process)
      Object.defineProperty(process, 'stdout', { ...own, get: () => stream })
      const { write } = stream
      stream.write = function (chunk, ...rest) {
        try {
          take(typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString('utf8'))
        } catch {
          // The copy is lost, the output is not.
        }
        return write.call(this, chunk, ...rest)
      }
      return stream
    },
  })
}

module.exports = { copyOutput, watchTap }
