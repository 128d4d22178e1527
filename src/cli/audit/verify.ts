import type { AuditReport } from '../../admin/audit/verify.ts'
import { endText, parseRecordedEnd } from '../../admin/audit/verify.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { openManagedService } from '../management/open.ts'
import type { ManagementArguments } from '../management/options.ts'
import { managementOptionNames, readManagement } from '../management/options.ts'
import { errorText } from '../terminal/error-text.ts'
import type { CommandIo } from '../terminal/io.ts'
import { parseOptions, rejectArguments } from '../terminal/options.ts'
import { countOf } from '../terminal/quantity.ts'

type IntactTrail = Extract<AuditReport, { ok: true }>

/**
 * Runs `rollcall audit verify`.
 * @returns the exit code: 0 the trail is intact, 1 it is broken, 2 it could not be verified, 130 interrupted
 */
export async function verifyCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, [...managementOptionNames, 'end'])
  const { arguments: reach, problems } = readManagement(options)
  const end = options.values['end']
  const allProblems = [...problems, ...endProblems(end)]
  if (allProblems.length > 0) return rejectArguments(io, allProblems, 'audit')
  try {
    const report = await verify(reach, end, io)
    io.stdout.write(reportText(report, end))
    return report.ok ? 0 : 1
  } catch (error) {
    io.stderr.write(`The audit trail could not be verified.\n${errorText(error)}`)
    return io.signal?.aborted === true ? 130 : 2
  }
}

async function verify(reach: ManagementArguments, end: string | undefined, io: CommandIo): Promise<AuditReport> {
  await using service = await openManagedService(reach, io)
  return await service.verify(end)
}

function endProblems(end: string | undefined): string[] {
  try {
    parseRecordedEnd(end === undefined ? {} : { end })
    return []
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    return ['--end must be an end that an earlier verification printed: <sequence>:<hash>.']
  }
}

function reportText(report: AuditReport, noted: string | undefined): string {
  return report.ok ? intactText(report, noted) : brokenText(report.break.message)
}

function intactText(report: IntactTrail, noted: string | undefined): string {
  const { entries, erased, from, to, first_at: first, last_at: last, end } = report
  const summary =
    entries === 0
      ? 'The audit trail is intact. It has no entries.'
      : `The audit trail is intact: ${countOf(entries, 'entry', 'entries')}, from ${from} (${first}) to ${to} (${last}).`
  return [summary, ...erasedLines(erased), ...notedLines(noted, from), ...(entries === 0 ? [] : endLines(endText(end)))]
    .map((line) => `${line}\n`)
    .join('')
}

function erasedLines(erased: number): string[] {
  return erased === 0
    ? []
    : [`Personal data was erased from ${countOf(erased, 'entry', 'entries')}; all else in them is unchanged.`]
}

function notedLines(noted: string | undefined, from: number): string[] {
  const sequence = Number.parseInt(noted ?? '', 10)
  if (noted === undefined) return []
  return sequence < from
    ? [
        `Entry ${sequence}, the end that you passed, is no longer stored, so it proves nothing about the remaining entries.`,
      ]
    : [`Entry ${sequence} is unchanged since you stored it.`]
}

function endLines(end: string): string[] {
  return [
    `End: ${end}`,
    'Store the end where nobody with access to the database can change it. A later verification then also detects that',
    `the newest entries were removed: rollcall audit verify --end ${end}`,
  ]
}

function brokenText(message: string): string {
  return `The audit trail is broken.\n${message}\nThis is the first break; the entries after it were not verified. Keep a copy of the database as it is now.\n`
}
