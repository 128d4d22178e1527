import { managementHelp } from '../management/options.ts'

/** What `rollcall audit --help` prints. */
export const auditHelp = `Usage: rollcall audit verify [options]
       rollcall audit export [options]

verify  checks that the audit trail is as it was written: each entry carries a hash over itself and the entry
        before. It prints the end of the trail, to be noted outside of the database.
export  writes the audit trail to standard output, oldest first, one entry as JSON on each line.
        The export is written down in the trail itself.

  --end <sequence>:<hash>
                       verify: the end that an earlier check printed. With it, it shows as well when the
                       newest entries were taken away.
${managementHelp}
Exit code of verify: 0 when the trail is whole, 1 when it is broken, 2 when it could not be checked.
Exit code of export: 0 when all was written or the reader had enough, 1 when not, 2 for wrong arguments.
130 when interrupted.
`
