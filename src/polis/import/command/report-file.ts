import { chmod, writeFile } from 'node:fs/promises'
import type { ImportReport } from '../report.ts'

/**
 * Writes a report as JSON, over an earlier one. It names people: only its owner can read it.
 *
 * @throws Error that says what to do when the file cannot be written
 */
export async function writeReport(file: string, report: ImportReport): Promise<void> {
  try {
    await writeFile(file, '', { mode: 0o600 })
    await chmod(file, 0o600)
    await writeFile(file, `${JSON.stringify(report, undefined, 2)}\n`)
  } catch (cause) {
    throw new Error(`The report cannot be written to ${file}: name a file that this user can write.`, { cause })
  }
}
