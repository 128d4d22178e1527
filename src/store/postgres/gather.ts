import type { Row } from './database.ts'

/** Reads what is known under each of several keys of a directory; `n` of a row is the place of its key, from 1. */
export type ReadByKeys = (directoryId: string, keys: readonly string[]) => Promise<readonly Row[]>

interface Question {
  readonly key: string
  readonly resolve: (answer: Row | undefined) => void
  readonly reject: (error: unknown) => void
}

/** The questions about one directory. */
interface Desk {
  readonly waiting: Question[]
  reading: number
}

/** One is read by the database while the answers of another are used. */
const maxReading = 2
const maxKeys = 200

/**
 * Makes a read of one key of a read of many: questions about a directory that arrive together, or while earlier ones are
 * being answered, share a statement. It is sent after they were asked, so it sees all that was committed before.
 */
export function gatherReads(read: ReadByKeys): (directoryId: string, key: string) => Promise<Row | undefined> {
  const desks = new Map<string, Desk>()

  function serve(directoryId: string, desk: Desk): void {
    while (desk.waiting.length > 0 && desk.reading < maxReading) {
      desk.reading += 1
      void answer(directoryId, desk, desk.waiting.splice(0, maxKeys))
    }
    if (desk.reading === 0 && desks.get(directoryId) === desk) desks.delete(directoryId)
  }

  async function answer(directoryId: string, desk: Desk, questions: readonly Question[]): Promise<void> {
    try {
      const keys = questions.map(({ key }) => key)
      const rows = new Map((await read(directoryId, keys)).map((row) => [row['n'], row]))
      for (const [index, { resolve }] of questions.entries()) resolve(rows.get(index + 1))
    } catch (error) {
      for (const { reject } of questions) reject(error)
    }
    desk.reading -= 1
    serve(directoryId, desk)
  }

  return (directoryId, key) =>
    new Promise((resolve, reject) => {
      // no row has a NUL character in its key, and in a parameter it would fail the questions of others
      if (`${directoryId}${key}`.includes('\0')) return resolve(undefined)
      const desk = desks.get(directoryId) ?? { waiting: [], reading: 0 }
      desks.set(directoryId, desk)
      desk.waiting.push({ key, resolve, reject })
      if (desk.waiting.length === 1) setImmediate(serve, directoryId, desk)
    })
}
