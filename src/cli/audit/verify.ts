import type { AuditReport } from '../../admin/audit/verify.ts'
import { endText, parseNotedEnd } from '../../admin/audit/verify.ts'
import { DirectoryError } from '../../directory/errors.ts'
import { openManagedService } from '../management/open.ts'
import type { ManagementArguments } from '../management/options.ts'
import { managementOptionNames, parseOptions, readManagement, refuseArguments } from '../management/options.ts'
import type { CommandIo } from '../terminal/io.ts'
import { problemText } from '../terminal/problem-text.ts'

type WholeTrail = Extract<AuditReport, { ok: true }>

/**
 * `rollcall audit verify`, given its options.
 * @returns the exit code: 0 the trail is whole, 1 it is broken, 2 it could not be checked, 130 interrupted
 */
export async function verifyCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, [...managementOptionNames, 'end'])
  const { arguments: reach, problems } = readManagement(options)
  const end = options.values['end']
  const allProblems = [...problems, ...endProblems(end)]
  if (allProblems.length > 0) return refuseArguments(io, allProblems, 'audit')
  try {
    const report = await check(reach, end, io)
    io.stdout.write(reportText(report, end))
    return report.ok ? 0 : 1
  } catch (error) {
    io.stderr.write(`The audit trail could not be checked.\n${problemText(error)}`)
    return io.signal?.aborted === true ? 130 : 2
  }
}

async function check(reach: ManagementArguments, end: string | undefined, io: CommandIo): Promise<AuditReport> {
  await using service = await openManagedService(reach, io)
  return await service.verify(end)
}

function endProblems(end: string | undefined): string[] {
  try {
    parseNotedEnd(end === undefined ? {} : { end })
    return []
  } catch (error) {
    if (!(error instanceof DirectoryError)) throw error
    return ['--end must be the end that an earlier check printed, <sequence>:<hash>.']
  }
}

function reportText(report: AuditReport, noted: string | undefined): string {
  return report.ok ? wholeText(report, noted) : brokenText(report.break.message)
}

function wholeText(report: WholeTrail, noted: string | undefined): string {
  const { entries, from, to, first_at: first, last_at: last, end } = report
  const kept =
    entries === 0
      ? 'The audit trail is whole: no entry is kept.'
      : `The audit trail is whole: ${entries} ${entries === 1 ? 'entry' : 'entries'}, from ${from} (${first}) to ${to} (${last}).`
  return [kept, ...notedLines(noted, from), ...endLines(endText(end))].map((line) => `${line}\n`).join('')
}

/** What the noted end was good for. */
function notedLines(noted: string | undefined, from: number): string[] {
  const sequence = Number.parseInt(noted ?? '', 10)
  if (noted === undefined) return []
  return sequence < from
    ? [`The noted end, ${sequence}, is older than the oldest entry that is kept: it shows nothing about those.`]
    : [`It still holds entry ${sequence} as it was noted.`]
}

function endLines(end: string): string[] {
  return [
    `End: ${end}`,
    'Note the end where nobody can change it who can write to the database. With it, a later check shows as well',
    `when the newest entries were taken away: rollcall audit verify --end ${end}`,
  ]
}

function brokenText(message: string): string {
  return `The audit trail is broken.\n${message}\nThis is the first break; what follows it was not checked. Keep a copy of the database as it is now.\n`
}
