import { describe, expect, it } from 'vitest'
import { isRunnerSetting, sensitiveChanges } from './sensitive-paths.ts'

const kindOf = (path: string, before?: string, after?: string) =>
  sensitiveChanges([{ path, before, after }])[0]?.kind ?? null

describe('sensitive paths', () => {
  it.each([
    ['.husky/post-merge', 'hook'],
    ['packages/a/.husky/pre-commit', 'hook'],
    ['.githooks/pre-push', 'hook'],
    ['lefthook.yml', 'hook'],
    ['.pre-commit-config.yaml', 'hook'],
    ['.gitattributes', 'hook'],
    ['.gitmodules', 'hook'],
    ['.GitHub/Workflows/ci.yml', 'ci'],
    ['.github/workflows/release.yaml', 'ci'],
    ['.github/actions/build/action.yml', 'ci'],
    ['.gitlab-ci.yml', 'ci'],
    ['Jenkinsfile', 'ci'],
    ['.circleci/config.yml', 'ci'],
    ['azure-pipelines.yml', 'ci'],
    ['.vscode/tasks.json', 'editor'],
    ['.idea/runConfigurations/a.xml', 'editor'],
    ['.devcontainer/devcontainer.json', 'editor'],
    ['team.code-workspace', 'editor'],
    ['.envrc', 'shell'],
    ['sub/.envrc', 'shell'],
    ['.env', 'shell'],
    ['mise.toml', 'shell'],
    ['flake.nix', 'shell'],
    ['.npmrc', 'packages'],
    ['.yarn/releases/yarn-4.cjs', 'packages'],
    ['.pnpmfile.cjs', 'packages'],
    ['setup.py', 'packages'],
    ['build.rs', 'packages'],
    ['binding.gyp', 'packages'],
    ['gradle/wrapper/gradle-wrapper.jar', 'packages'],
    ['CLAUDE.md', 'agents'],
    ['docs/AGENTS.md', 'agents'],
    ['.claude/settings.json', 'agents'],
    ['.cursorrules', 'agents'],
    ['.github/copilot-instructions.md', 'agents'],
    ['.mcp.json', 'agents'],
    ['convene.yaml', 'agents'],
    ['conftest.py', 'runner'],
    ['tests/unit/conftest.py', 'runner'],
    ['vitest.config.ts', 'runner'],
    ['jest.config.js', 'runner'],
    ['pytest.ini', 'runner'],
    ['tox.ini', 'runner'],
    ['sitecustomize.py', 'runner'],
    ['lib/evil.pth', 'runner'],
    ['eslint.config.mjs', 'editor'],
    ['.prettierrc.cjs', 'editor'],
    ['.lazy.lua', 'editor'],
    ['.Rprofile', 'shell'],
    ['tools/.pdbrc', 'shell'],
    ['.pnp.loader.mjs', 'packages'],
    ['.bazelrc', 'packages'],
  ])('[TR2] %s is sensitive: %s', (path, kind) => {
    expect(kindOf(path)).toBe(kind)
  })

  it.each([
    'src/app.ts',
    'README.md',
    'docs/hooks.md',
    'src/hooks/use-state.ts',
    'src/env.ts',
    '.env.example',
    'src/github/workflows.ts',
    'test/fixtures/large.json',
    'src/jest/index.ts',
    'workflows/ci.yml',
    'src/claude.ts',
    'Makefile',
    'package-lock.json',
    'tests/test_setup.py',
    '.eslintrc.json',
    '.prettierrc.json',
    'src/pnp.cjs',
  ])('[TR2] %s is not', (path) => {
    expect(kindOf(path)).toBeNull()
  })

  it.each<[string, string, string, string, boolean]>([
    [
      'a new postinstall',
      'package.json',
      '{"scripts":{"test":"t"}}',
      '{"scripts":{"test":"t","postinstall":"x"}}',
      true,
    ],
    ['a changed script', 'package.json', '{"scripts":{"test":"t"}}', '{"scripts":{"test":"true"}}', true],
    ['a hook tool in the manifest', 'package.json', '{}', '{"simple-git-hooks":{"pre-commit":"x"}}', true],
    ['a runner in the manifest', 'package.json', '{}', '{"jest":{"setupFiles":["x"]}}', true],
    ['a manifest that cannot be read', 'package.json', '{}', '{', true],
    ['a new manifest with scripts', 'a/package.json', '', '{"scripts":{"prepare":"x"}}', true],
    ['a dependency (TR3 asks)', 'package.json', '{"name":"a"}', '{"name":"a","dependencies":{"b":"1"}}', false],
    ['a version', 'package.json', '{"version":"1"}', '{"version":"2"}', false],
    [
      'a build backend',
      'pyproject.toml',
      '[project]\nname="a"',
      '[project]\nname="a"\n[build-system]\nrequires=["x"]',
      true,
    ],
    ['settings of pytest', 'pyproject.toml', '', '[tool.pytest.ini_options]\naddopts = "-p evil"', true],
    ['settings of a linter', 'pyproject.toml', '', '[tool.ruff]\nline-length = 100', false],
    ['a Python version', 'pyproject.toml', '[project]\nversion="1"', '[project]\nversion="2"', false],
    ['a build script of Cargo', 'Cargo.toml', '[package]\nname="a"', '[package]\nname="a"\nbuild = "x.rs"', true],
    ['a crate', 'Cargo.toml', '[dependencies]', '[dependencies]\nserde = "1"', false],
  ])('[TR2] reads manifests: %s', (_, path, before, after, isSensitive) => {
    expect(kindOf(path, before, after)).toBe(isSensitive ? 'scripts' : null)
  })

  it('[TR7] tells settings of test runners from everything else', () => {
    expect(['conftest.py', 'a/vitest.config.ts', '.mocharc.json'].every(isRunnerSetting)).toBe(true)
    expect(['src/conf.py', 'vite-env.d.ts', '.github/workflows/ci.yml'].some(isRunnerSetting)).toBe(false)
  })
})
