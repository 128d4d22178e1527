import type { CommandIo } from '../terminal/io.ts'
import { exportCommand } from './export.ts'
import { auditHelp } from './help.ts'
import { verifyCommand } from './verify.ts'

const commands: Readonly<Record<string, (argv: readonly string[], io: CommandIo) => Promise<number>>> = {
  verify: verifyCommand,
  export: exportCommand,
}

/** `rollcall audit …`, given what follows these words; answers the exit code. */
export async function auditCommand([name = 'help', ...argv]: readonly string[], io: CommandIo): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined && !argv.includes('--help') && !argv.includes('-h')) return command(argv, io)
  const isHelp = command !== undefined || ['help', '--help', '-h'].includes(name)
  io[isHelp ? 'stdout' : 'stderr'].write(
    isHelp ? auditHelp : `There is no command "audit ${name}".\nMore: rollcall audit --help\n`,
  )
  return isHelp ? 0 : 2
}
