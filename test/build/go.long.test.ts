/** Builds in Go, whose runner reports no files, and nothing of a package that does not compile. */
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { approved, buildProject, expectExit, ofType, specOf } from './project.ts'

const isThere = spawnSync('go', ['version']).status === 0
const title = isThere ? 'a Go package' : 'a Go package (go is not installed)'
if (!isThere) console.warn(`skipped: ${title}`)

const head = `package sums

import "testing"

func TestAdd(t *testing.T) {
	if Add(1, 2) != 3 {
		t.Fatal("no")
	}
}
`
const code = 'package sums\n\nfunc Add(a, b int) int { return a + b }\n'

describe.skipIf(!isThere)(title, () => {
  it('[VF2] [VF5] [VF12] shows the reviewer the new tests by name, also where nothing compiles without the code', async () => {
    const spec = { ...specOf('double', ['twice', 'of-zero']), targetPath: 'sums.go', testPath: 'sums_test.go' }
    const tests = `
func TestDouble(t *testing.T) {
	for name, n := range map[string]int{"twice the number": 2, "of zero": 0} {
		t.Run(name, func(t *testing.T) {
			if Double(n) != n*2 {
				t.Fatal(n)
			}
		})
	}
}

func ExampleDouble() {
	println(Double(1))
	// Output:
}
`
    const project = buildProject({
      spec,
      files: { 'go.mod': 'module example.com/sums\n\ngo 1.19\n', 'sums.go': code, 'sums_test.go': head },
      lines: [
        {
          when: { ask: 'implement' },
          files: { 'sums.go': `${code}\nfunc Double(a int) int { return a * 2 }\n`, 'sums_test.go': head + tests },
          reply: { TestsPassed: {} },
        },
        {
          when: {
            ask: 'review-impl',
            contains: '- `example.com/sums TestDouble/of_zero`',
          },
          reply: approved,
        },
        { when: { ask: 'review-impl' }, reply: { Reject: { reason: 'no names', missingCriteria: [] } } },
      ],
      build: { test: 'go test ./...', mutations: 4 },
    })
    const built = await project.build('--strategy', 'solo')
    expectExit(built, 0)
    const events = await project.events()
    expect(ofType(events, 'warning.given')).toEqual([])
    expect(ofType(events, 'mutations.tried')).toMatchObject([
      { tried: [], because: expect.stringContaining('other languages are not tried') },
    ])
  }, 300_000)
})
