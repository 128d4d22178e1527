import { readSettings } from '../app/settings.ts'
import { parseEncryptionKeys } from '../store/encryption-key.ts'
import { keyId } from '../store/sealing.ts'
import { openManagedService } from './management/open.ts'
import type { ManagementArguments } from './management/options.ts'
import {
  managementHelp,
  managementOptionNames,
  parseOptions,
  readManagement,
  refuseArguments,
} from './management/options.ts'
import type { CommandIo } from './terminal/io.ts'
import { problemText } from './terminal/problem-text.ts'

/** What `rollcall rotate-keys --help` prints. */
const help = `Usage: rollcall rotate-keys [options]

Encrypts every stored secret with the first key of ENCRYPTION_KEY, while the service serves. Before: the new key
is the first, the old one the second, in every process. After: the old key can be taken away. It may be interrupted
and run again.

${managementHelp}
Exit code: 0 when done, 1 when not, 2 for wrong arguments, 130 when interrupted.
`

const nothingToDo = `ENCRYPTION_KEY holds one key: everything is encrypted with it already, and nothing is to be done.
To change the key, set ENCRYPTION_KEY to the new key and the old one behind it, separated by a comma, restart every
process, and run this again. The key of an embedded database without that setting is in the file beside it.
`

/** `rollcall rotate-keys`, given its options; answers the exit code. */
export async function rotateKeysCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, managementOptionNames)
  const { arguments: reach, problems } = readManagement(options)
  if (options.isHelp) io.stdout.write(help)
  if (options.isHelp) return 0
  if (problems.length > 0) return refuseArguments(io, problems, 'rotate-keys')
  if (countKeys(readSettings(io.env).ENCRYPTION_KEY) < 2) {
    io.stderr.write(nothingToDo)
    return 1
  }
  return rotate(reach, io)
}

async function rotate(reach: ManagementArguments, io: CommandIo): Promise<number> {
  try {
    await using service = await openManagedService(reach, io)
    io.stdout.write(`Encrypting with the new key, over ${service.where}.\n`)
    io.stdout.write(doneText(await service.rotateKeys(progressTo(io))))
    return 0
  } catch (error) {
    const isInterrupted = io.signal?.aborted === true
    io.stderr.write(isInterrupted ? 'Interrupted: run it again to go on where it stopped.\n' : problemText(error))
    return isInterrupted ? 130 : 1
  }
}

function countKeys(text: string | undefined): number {
  return new Set((text === undefined ? undefined : parseEncryptionKeys(text))?.map(keyId)).size
}

/** Tells how far it is, and ends the work when it shall end. */
function progressTo({ stdout, signal }: CommandIo): (resealed: number) => void {
  let told = 0
  return (resealed) => {
    signal?.throwIfAborted()
    if (resealed < told + 10_000) return
    told = resealed
    stdout.write(`  ${resealed} so far\n`)
  }
}

function doneText(resealed: number): string {
  return `Done: ${resealed} ${resealed === 1 ? 'record was' : 'records were'} encrypted anew; nothing needs the old key any more.
Now take the old key away: set ENCRYPTION_KEY to the new key only, in every process, and restart. Keep the old key in a
safe place for as long as you keep backups from before.
`
}
