import { managementHelp } from '../management/options.ts'
import type { CommandIo } from '../terminal/io.ts'
import { exportCommand } from './export.ts'
import { verifyCommand } from './verify.ts'

const help = `Usage: rollcall audit verify [options]
       rollcall audit export [options]

verify  checks that the audit trail is unchanged: each entry has a hash of itself and of the previous entry.
        It prints the end of the trail. Store it outside of the database.
export  writes the audit trail to standard output, oldest entry first, as one JSON object per line.
        The export itself is recorded in the trail.

  --end <sequence>:<hash>
                       verify: an end that an earlier verification printed. With it, verify also detects
                       that the newest entries were removed.
${managementHelp}
Exit codes of verify: 0 the trail is intact, 1 it is broken, 2 it could not be verified, 130 interrupted.
Exit codes of export: 0 complete, or the reader closed the pipe, 1 failed, 2 wrong arguments, 130 interrupted.
`

const commands: Readonly<Record<string, (argv: readonly string[], io: CommandIo) => Promise<number>>> = {
  verify: verifyCommand,
  export: exportCommand,
}

/** Runs `rollcall audit …` with the arguments after these words and returns the exit code. */
export async function auditCommand([name = 'help', ...argv]: readonly string[], io: CommandIo): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined && !argv.includes('--help') && !argv.includes('-h')) return command(argv, io)
  const isHelp = command !== undefined || ['help', '--help', '-h'].includes(name)
  io[isHelp ? 'stdout' : 'stderr'].write(
    isHelp ? help : `There is no command "audit ${name}".\nRun rollcall audit --help for help.\n`,
  )
  return isHelp ? 0 : 2
}
