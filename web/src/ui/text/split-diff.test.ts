import { describe, expect, it } from 'vitest'
import { languageOf, splitDiff } from './split-diff.ts'

const diff = `diff --git a/src/new file.ts b/src/new file.ts
new file mode 100644
index 0000000..1111111
--- /dev/null
+++ b/src/new file.ts
@@ -0,0 +1,2 @@
+one
+two
diff --git a/old.py b/old.py
deleted file mode 100644
index 1111111..0000000
--- a/old.py
+++ /dev/null
@@ -1 +0,0 @@
-gone
diff --git a/a.md b/b.md
similarity index 90%
rename from a.md
rename to b.md
--- a/a.md
+++ b/b.md
@@ -1,2 +1,2 @@
 same
-was
+diff --git a/x b/x
diff --git a/logo.png b/logo.png
index 1111111..2222222 100644
Binary files a/logo.png and b/logo.png differ
`

describe('a difference, file by file', () => {
  const files = splitDiff(diff)

  it('knows what became of each file', () => {
    expect(files.map(({ oldPath, newPath, status }) => [oldPath, newPath, status])).toEqual([
      [null, 'src/new file.ts', 'added'],
      ['old.py', null, 'deleted'],
      ['a.md', 'b.md', 'renamed'],
      ['logo.png', 'logo.png', 'changed'],
    ])
  })

  it('counts lines, and takes a line that looks like a heading for what it is', () => {
    expect(files.map(({ added, removed }) => [added, removed])).toEqual([
      [2, 0],
      [0, 1],
      [1, 1],
      [0, 0],
    ])
    expect(files[2]!.text).toContain('+diff --git a/x b/x')
  })

  it('has nothing to show of what is not text', () => {
    expect(files[3]).toMatchObject({ isBinary: true, text: '' })
    expect(splitDiff('')).toEqual([])
  })

  it('names the language by the ending', () => {
    expect(['a/b.ts', 'x.PY', 'Makefile', 'a.unknown'].map(languageOf)).toEqual([
      'typescript',
      'python',
      'plaintext',
      'plaintext',
    ])
  })
})
