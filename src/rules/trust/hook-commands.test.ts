import { describe, expect, it } from 'vitest'
import { codeRunByHooks } from './hook-commands.ts'

const scripts = {
  test: 'xo && ava',
  lint: 'eslint . && prettier --check .',
  check: 'npm run lint && npm test',
  build: 'node scripts/build.js',
}
const runBy = (text: string) => codeRunByHooks({ texts: [text], scripts })

describe('hooks that run the project', () => {
  it.each([
    '#!/bin/sh\nnpm test',
    'npm run check --silent',
    'npx --no-install vitest run',
    'set -e\nif [ -f package.json ]; then yarn test; fi',
    'pnpm -r test',
    'make',
    "sh -c 'npm test'",
    './gradlew test',
    'python3 -m pytest -q',
    'cargo test --all',
    'go test ./...',
    'CI=1 node --test',
    '{"*.ts": ["eslint --fix", "vitest related --run"]}',
    'pre-commit:\n  commands:\n    unit:\n      run: bundle exec rspec',
  ])('[TR1] are found: %s', (text) => {
    expect(runBy(text).whole).toBe(true)
  })

  it.each([
    '#!/bin/sh\n# npm test\nexit 0',
    'npx --no -- commitlint --edit "$1"',
    'npx lint-staged',
    'yarn commitlint --edit "$1"',
    'pnpm commitlint --edit "$1"',
    'yarn run lint-staged',
    'npm run lint',
    'npm ci',
    'echo "run npm test yourself"',
    'git lfs post-merge "$@"',
    'env > "/tmp/seen"',
    'lint-staged:\n  "*.ts": eslint --fix',
  ])('[TR1] are told from those that only read it: %s', (text) => {
    expect(runBy(text)).toEqual({ whole: false, files: [] })
  })

  it('[TR1] name the files that they start', () => {
    expect(runBy('sh ./scripts/check.sh && python3 tools/lint.py --all; ./bin/verify')).toEqual({
      whole: false,
      files: ['scripts/check.sh', 'tools/lint.py', 'bin/verify'],
    })
    expect(runBy('npm run build').files).toEqual(['scripts/build.js'])
    expect(runBy('python -m tools.check --fast').files).toEqual(
      expect.arrayContaining(['tools/check.py', 'tools/check/__main__.py', 'tools/__init__.py', 'src/tools/check.py']),
    )
  })
})
