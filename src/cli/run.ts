import { version } from '../version.ts'
import { errorText } from './terminal/error-text.ts'
import type { CommandIo } from './terminal/io.ts'

const help = `Usage: rollcall <command>

  serve         run the service; settings come from the environment or from .env
  demo          run the service with two simulated identity providers

  listen        receive events on this machine, verify and print them
  simulate      provision a directory as an identity provider does

  explain       say why a user or group did not arrive
  requests      show what identity providers sent, or follow it live

  oauth-clients create, list and delete OAuth clients of a directory
  mapping       show, preview and apply mappings of roles and attributes
  compare       compare the users of a directory with yours
  adopt         link users to the accounts that your product already has

  import        bring directories from Ory Polis, with everything in them

  console-link  print a link that signs you in to the console

  doctor        check the installation and say what to do
  migrate       migrate the database without starting the service
  backup        copy the embedded database to a file, while the service runs
  restore       replace the embedded database with a backup
  audit         verify or export the audit trail
  receipt       verify the receipt of an erasure
  rotate-keys   encrypt all secrets with a new key

  help          show this text
  --version     show the version

Run rollcall <command> --help for the options of a command.
`

/** The commands, each of which is loaded when it runs. */
const commands: Readonly<Record<string, (argv: readonly string[], io: CommandIo) => Promise<number>>> = {
  serve: async (argv, io) => (await import('./serve.ts')).serveCommand(argv, io),
  backup: async (argv, io) => (await import('./backup/backup.ts')).backupCommand(argv, io),
  'console-link': async (argv, io) => (await import('./console-link.ts')).consoleLinkCommand(argv, io),
  doctor: async (argv, io) => (await import('./doctor/command.ts')).doctorCommand(argv, io),
  migrate: async (argv, io) => (await import('./migrate.ts')).migrateCommand(argv, io),
  restore: async (argv, io) => (await import('./backup/restore.ts')).restoreCommand(argv, io),
  explain: async (argv, io) => (await import('./explain/command.ts')).explainCommand(argv, io),
  requests: async (argv, io) => (await import('./requests/command.ts')).requestsCommand(argv, io),
  'oauth-clients': async (argv, io) => (await import('./oauth-clients.ts')).oauthClientsCommand(argv, io),
  import: async (argv, io) => (await import('../polis/import/command/command.ts')).importCommand(argv, io),
  adopt: async (argv, io) => (await import('./adopt.ts')).adoptCommand(argv, io),
  mapping: async (argv, io) => (await import('./mapping.ts')).mappingCommand(argv, io),
  compare: async (argv, io) => (await import('./compare.ts')).compareCommand(argv, io),
  audit: async (argv, io) => (await import('./audit/command.ts')).auditCommand(argv, io),
  receipt: async (argv, io) => (await import('./receipt.ts')).receiptCommand(argv, io),
  'rotate-keys': async (argv, io) => (await import('./rotate-keys.ts')).rotateKeysCommand(argv, io),
  demo: async (argv, io) => (await import('../../tools/demo/command.ts')).demoCommand(argv, io),
  simulate: async (argv, io) => (await import('../../tools/simulate/command.ts')).simulateCommand(argv, io),
  listen: async (argv, io) => (await import('../../tools/listen/command.ts')).listenCommand(argv, io),
}

/** Runs the command in the arguments, reports its error if it fails, and returns the exit code. */
export async function run(argv: readonly string[], io: CommandIo): Promise<number> {
  try {
    return await runCommand(argv, io)
  } catch (error) {
    io.stderr.write(errorText(error))
    if (io.env['LOG_LEVEL'] === 'debug' && error instanceof Error) io.stderr.write(`${error.stack}\n`)
    return 1
  }
}

async function runCommand([name = 'help', ...argv]: readonly string[], io: CommandIo): Promise<number> {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command !== undefined) return command(argv, io)
  if (name === '--version' || name === '-v') {
    io.stdout.write(`${version}\n`)
    return 0
  }
  const isHelp = ['help', '--help', '-h'].includes(name)
  io[isHelp ? 'stdout' : 'stderr'].write(isHelp ? help : `There is no command ${JSON.stringify(name)}.\n\n${help}`)
  return isHelp ? 0 : 2
}
