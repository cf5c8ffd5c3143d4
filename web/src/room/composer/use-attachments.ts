/** Files that a person picked, pasted or dropped; they travel with the next message. */
import { useState } from 'react'

export interface AttachedText {
  name: string
  text: string
}

/** The default of `room.attachments_kb`; the server has the last word. */
const mostBytes = 256 * 1024

export function useAttachments(report: (problem: string | null) => void) {
  const [list, setList] = useState<AttachedText[]>([])
  return {
    list,
    async add(files: Iterable<File>) {
      report(null)
      for (const file of files) {
        const problem = await read(file).then(
          (text) => {
            setList((before) => [...before, { name: file.name, text }])
            return null
          },
          (error: Error) => error.message,
        )
        if (problem) report(problem)
      }
    },
    remove: (index: number) => setList((before) => before.filter((_, at) => at !== index)),
    clear: () => setList([]),
  }
}

async function read(file: File): Promise<string> {
  if (file.size > mostBytes) throw new Error(`${file.name} is larger than ${mostBytes / 1024} KB.`)
  const text = await file.text()
  if (text.includes('\0') || text.includes('\ufffd')) throw new Error(`${file.name} is not a text file.`)
  return text
}
