/** Reads what a project tells its contributors, and its readme, at a commit. CX3. */
import type { ProjectFile } from '../rules/context/coding-context.ts'
import { knowledgeFiles } from '../rules/context/project-rules.ts'
import { inRepository, type ProjectWorkspace } from './workspace.ts'

export async function projectFilesAt(workspace: ProjectWorkspace, commit: string): Promise<ProjectFile[]> {
  const paths = knowledgeFiles.map((name) => inRepository(workspace, name))
  const texts = await workspace.repository.readFiles(commit, paths)
  return knowledgeFiles.flatMap((name, index) => {
    const text = texts.get(paths[index]!)
    return text ? [{ name, text: text.toString('utf8') }] : []
  })
}
