/** Goals as people give them, for repositories of three sizes, with the size that a lead would choose. */
import { describe, expect, it } from 'vitest'
import { sizePlan } from './proportion.ts'

const ms = ['src/index.ts', 'src/index.d.ts']
const queue = ['index', 'queue', 'priority-queue', 'options', 'lower-bound'].map((name) => `source/${name}.ts`)
const click = ['core', 'decorators', 'exceptions', 'formatting', 'globals', 'parser', 'termui', 'testing', 'types'].map(
  (name) => `src/click/${name}.py`,
)
/** A shop of some hundred files: the map is large, and most words of a goal are in some file's name. */
const shop = [
  ...Array.from({ length: 400 }, (_, at) => `packages/web/src/views/view${at}.tsx`),
  'packages/api/src/orders.ts',
  'packages/web/src/pages/orders.tsx',
  'packages/api/src/http-client.ts',
  'packages/api/src/mailer.ts',
]

const waitFor = `Add a \`waitFor(id)\` method to the queue. It returns a promise that resolves when the task with this id
has run, rejects with an \`AbortError\` when the queue is cleared, and resolves at once for an id that has already
finished. Unknown ids reject with a \`RangeError\`. Keep the ids in a \`Map\` and forget a finished one after \`idTtl\`
milliseconds (default 60000).`

const report = `prompt() crashes when stdin is closed

Since 8.1 our container prints a traceback instead of the message we had before. It happens only if the input ends while
prompt() waits, for example with \`docker run\` without -i.

\`\`\`
Traceback (most recent call last):
  File "/app/main.py", line 3, in <module>
  File "/site-packages/click/termui.py", line 173, in prompt
  File "/site-packages/click/core.py", line 1157, in main
  File "/site-packages/click/utils.py", line 63, in convert
  File "/site-packages/click/types.py", line 201, in convert
EOFError
\`\`\`

Expected: the usual Abort, exit code 1. Python 3.12, Linux and macOS.`

const profiles = `Add user profiles:
- an avatar with upload and cropping
- a page with the latest orders
- privacy settings for every field
- an API for the other teams`

describe('the size of thirty-odd goals', () => {
  it.each<[goal: string, sources: string[]]>([
    ['Add a new function `range(from, to)` that formats two durations with a dash, and export it', ms],
    ["ms('') should return undefined instead of throwing", ms],
    ['Support weeks and months', ms],
    [waitFor, queue],
    ['PQueue: fix crash when `concurrency` is changed while paused', queue],
    ['Let the queue report how long tasks wait: `queue.waits`, and an event `slow` after `slowAfter` ms', queue],
    ['fix crash on empty input', click],
    ['Add an option max_width to wrap_text', click],
    ['echo() should write bytes unchanged to a binary stream', click],
    ['Let `prompt` take a list of choices and repeat the question until one is given', click],
    [report, click],
    ['Add a token parameter to `lex` that skips comments', click],
    ['Fix the message when the payroll service is down', shop],
    ['Behebe den Absturz bei leerer Eingabe im Suchfeld', shop],
    ['Füge der Funktion `formatPrice` einen Parameter für die Währung hinzu', shop],
    ['Corrige le plantage quand la liste est vide', shop],
    ['Añade la opción --json al comando list', shop],
    ['Sort the order list by date', shop],
    ['Truncate long product names to 40 characters with an ellipsis', shop],
    ['Add retries with exponential backoff to the HTTP client', shop],
    ['Replace `substr` by `slice` in packages/api/src/mailer.ts', shop],
    ['Rename `getCwd` to `currentFolder` in packages/api/src/a.ts and packages/api/src/b.ts', shop],
    ['Add a --json flag to src/cli/list.ts, test it in test/list.test.ts and mention it in README.md', shop],
    ['Fix live reload in packages/web/dev-server.ts', shop],
  ])('[RK4] small: %s', (goal, sources) => {
    expect(sizePlan(goal, { sources })).toMatchObject({ mode: 'rapid', small: true })
  })

  it.each<[mode: string, goal: string]>([
    ['standard', 'Support dark mode'],
    ['standard', 'Let customers export their orders as CSV'],
    ['standard', 'Replace moment with date-fns'],
    ['standard', 'Move all packages to ESM'],
    ['standard', 'Rename `user` to `account` throughout'],
    ['standard', 'Build a fast search service with typo tolerance and facets'],
    ['standard', profiles],
    ['standard', 'Fix the password check in src/user.js'],
    ['rapid', 'A quick prototype of a recommendation engine'],
    ['advanced', 'Introduce a plugin system with hooks before and after each request'],
    ['advanced', 'Neues Berechtigungssystem mit Rollen, Gruppen und Vererbung einführen'],
    ['advanced', 'Passwörter mit Argon2 statt bcrypt speichern'],
    ['advanced', 'Migrate the orders to partitions without downtime'],
    ['complete', 'Take payments with Stripe, and store the API key of each customer encrypted'],
    ['complete', 'Zahlungen über Stripe annehmen und die Zugangsdaten verschlüsselt ablegen'],
  ])('[RK4] %s: %s', (mode, goal) => {
    expect(sizePlan(goal, { sources: shop })).toMatchObject({ mode, small: false })
  })

  it('[RK4] a risk in a project of few files chooses as in any other', () => {
    expect(sizePlan('Let customers pay with Stripe', { sources: ms })).toMatchObject({ mode: 'advanced', small: false })
  })

  it('[RK4] says which risk makes a small change larger', () => {
    expect(sizePlan('Fix the password check in src/user.js').because).toBe('a small change with a risk: sensitive-data')
  })
})
