/** What kind of file a path names, for the map and the facts about a project. SPEC.md § RD14. */
import type { FileRole } from './source-map.ts'
import { isTestFile } from './test-files.ts'

const generated =
  /(?:^|\/)(?:node_modules|vendor|third_party|dist|build|out|coverage|target|__snapshots__|__pycache__|\.next|\.yarn)\/|\.min\.\w+$|\.(?:map|snap|lock)$|(?:^|\/)(?:package-lock\.json|npm-shrinkwrap\.json|pnpm-lock\.yaml|bun\.lockb|go\.sum)$|(?:_pb2?|\.pb|\.generated|\.gen)\.\w+$/

const manifest =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.(?:py|cfg)|requirements[^/]*\.txt|Cargo\.toml|go\.mod|Gemfile|pom\.xml|build\.gradle(?:\.kts)?|composer\.json|mix\.exs|deno\.jsonc?|tsconfig\.json|Makefile|Dockerfile)$/

const document = /\.(?:md|mdx|rst|adoc|txt)$/i

/** `isCode`: a programming language is known for it. */
export function fileRole(path: string, isCode: boolean, runners: readonly string[]): FileRole {
  if (generated.test(path)) return 'other'
  if (isTestFile(path, runners)) return 'test'
  if (manifest.test(path)) return 'manifest'
  if (document.test(path)) return 'document'
  return isCode ? 'source' : 'other'
}
