/** One-line goals that name several functions: repairs, which are small, and changes with behaviour to settle, which are not. */
import { describe, expect, it } from 'vitest'
import { sizePlan } from './proportion.ts'

const library = ['base.js', 'index.js', 'base.d.ts', 'index.d.ts']
const service = ['orders', 'mailer', 'users', 'queue', 'cache', 'server'].map((name) => `src/${name}.ts`)

describe('repairs and more than repairs', () => {
  it.each([
    "Fix stringifyUrl(), pick() and exclude() throwing 'Invalid URL' for relative URLs that have a fragment identifier",
    'pick() and exclude() should not throw for relative URLs with a fragment',
    'In stringify(), parse() and extract() the error message should name the option',
    'Add a skipUndefined note to the docs of stringify()',
    'exclude() and pick() should throw a TypeError when the filter is neither a function nor an array',
    '`debounce()` and `throttle()` must not keep the process alive after the last call',
    'Fix `get`, `set` and `unset` treating keys with a dot as paths',
    'map(), filter() and reduce() crash on sparse arrays',
    'The errors of readConfig() and writeConfig() show the wrong file name',
    'Document that `isEqual()`, `isMatch()` and `isEmpty()` ignore symbols',
    'parse(), parseAll() and safeParse() return a wrong offset for Windows line endings',
    '`addDays`, `addWeeks` and `addMonths` change the date they are given, which they should not',
    'open() and openSync() leak a file handle when the path is a folder',
    'Correct the types of `on()`, `once()` and `off()`: the listener gets an Error, not a string',
    'Mention in the readme that encode() and decode() expect UTF-8',
    'Rename the parameter `cb` to `callback` in `mapSeries()`, `eachSeries()` and `reduceSeries()`',
    '`Set` and `Map` values are lost by clone() and cloneDeep()',
    'Typo in the messages of assertString(), assertNumber() and assertDate()',
    'toJSON(), toString() and valueOf() must return the same for an invalid date',
    'Die Meldungen von parse(), format() und load() nennen die falsche Zeile',
    'lire() et ecrire() ne doivent pas planter si le fichier est vide',
    'head(), tail() and nth() throw for an empty Map instead of returning undefined',
    'Stop `connect()` and `reconnect()` from logging twice',
    'get_user() and find_user() fail with KeyError when the name has a space',
    'Fix parse() and stringify() for keys with an equals sign and add a test for each',
    '`first`, `last` and `nth` return -0 instead of 0 for an empty typed array',
    'wrap() and indent() count emoji as two columns, which breaks the alignment',
    'close() never resolves when flush() or drain() is still pending',
    'Say in the error of loadConfig() and mergeConfig() which key is unknown',
    'compare() and sort() disagree about upper case',
  ])('[RK4] small: %s', (goal) => {
    expect(sizePlan(goal, { sources: library })).toMatchObject({ mode: 'rapid', small: true })
    expect(sizePlan(goal, { sources: service })).toMatchObject({ mode: 'rapid', small: true })
  })

  it.each([
    'Make parsing of untrusted query strings predictable: let callers choose what happens when a key occurs more than once (keep all, first, last, or throw), and let them limit how many parameters are parsed; it should work in parse, parseUrl, pick, exclude and stringifyUrl',
    'Add a `transform` option to parse(), stringify() and pick() that maps values in both directions',
    'Let pick() and exclude() accept a glob, a regular expression or a list of them, and report which keys they dropped',
    'Add a retry option to get(), post() and request(), with a delay between tries and a limit for all of them together',
    'Replace callbacks by promises in readAll(), writeAll() and copyAll()',
    'Return iterators instead of arrays from keys(), values() and entries()',
    'Support nested objects in parse() and stringify()',
    'Add a binary format for encode() and decode() beside JSON',
    'Fix pick() for empty keys, add an option `deep` to exclude() and write a command that shows both',
    'Deprecate `parseSync()` and `formatSync()` and warn once per process',
    'Let `Cache` and `Store` share one eviction policy that users can choose',
    'Fix the crash in parse(), support comments in stringify() and make both faster',
    'Add streaming versions of compress() and decompress()',
    'Make `Queue`, `Pool` and `Worker` cancellable through an AbortSignal',
    'parse() and stringify() should support BigInt, Date and Map values, and let users register types of their own',
    'Change the default of `strict` to true in parse(), load() and loadAll()',
    'Drop support for Node 18 and remove `legacyParse()` and `legacyFormat()`',
    'Add a command that prints what `collect()` and `measure()` found, as a table or as JSON',
    'Unify the errors of parse(), load() and save(): a class with a code, the file and a hint',
    'merge() and mergeAll() take a function that decides what happens with two different values',
    'pack() and unpack() get a second version of the format, with checksums, and both can be read',
    'Move watch() and unwatch() to a package of their own',
    'Let users attach a note to an order and find orders by it',
    'Customers write a message to the shop and see the answers in their account',
    'Show each student which answers were wrong and what to read',
  ])('[RK4] more than small: %s', (goal) => {
    expect(sizePlan(goal, { sources: service })).toMatchObject({ mode: 'standard', small: false })
    if (/\w\(|`/.test(goal))
      expect(sizePlan(goal, { sources: library })).toMatchObject({ mode: 'standard', small: false })
  })

  it('[RK4] built-in names, and names that the project does not have, are no symbols of it', () => {
    const known = new Set(['wrap'])
    expect(sizePlan('Let wrap() take a Map', { sources: service }).small).toBe(true)
    expect(sizePlan('Give wrap() a maxWidth', { sources: service }).small).toBe(false)
    expect(sizePlan('Give wrap() a maxWidth', { sources: service, known })).toMatchObject({
      small: true,
      because: 'a small change: no file and 1 symbol named, no risk found, nothing new',
    })
    expect(sizePlan('Add wrapAll() and wrapEach() to wrap()', { sources: service, known }).small).toBe(false)
  })
})
