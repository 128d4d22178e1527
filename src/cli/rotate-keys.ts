import { readSettings } from '../app/settings.ts'
import { parseEncryptionKeys } from '../store/encryption-key.ts'
import { keyId } from '../store/sealing.ts'
import { openManagedService } from './management/open.ts'
import type { ManagementArguments } from './management/options.ts'
import { managementHelp, managementOptionNames, readManagement } from './management/options.ts'
import { errorText } from './terminal/error-text.ts'
import type { CommandIo } from './terminal/io.ts'
import { parseOptions, rejectArguments } from './terminal/options.ts'

const help = `Usage: rollcall rotate-keys [options]

Encrypts every stored secret with the first key of ENCRYPTION_KEY while the service keeps running. Before you run it,
every process must have the new key first and the old one second. Afterwards you can remove the old key. The command can
be interrupted and run again.

${managementHelp}
Exit codes: 0 done, 1 failed, 2 wrong arguments, 130 interrupted.
`

const nothingToDo = `ENCRYPTION_KEY has only one key, so everything is already encrypted with it and there is nothing to do.
To change the key, set ENCRYPTION_KEY to the new key and the old one, in this order and separated by a comma, restart
every process and run this again. Without that setting, the key of an embedded database is in a file next to it.
`

/** Runs `rollcall rotate-keys` and returns the exit code. */
export async function rotateKeysCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const options = parseOptions(argv, managementOptionNames)
  const { arguments: reach, problems } = readManagement(options)
  if (options.isHelp) io.stdout.write(help)
  if (options.isHelp) return 0
  if (problems.length > 0) return rejectArguments(io, problems, 'rotate-keys')
  if (countKeys(readSettings(io.env).ENCRYPTION_KEY) < 2) {
    io.stderr.write(nothingToDo)
    return 1
  }
  return rotate(reach, io)
}

async function rotate(reach: ManagementArguments, io: CommandIo): Promise<number> {
  try {
    await using service = await openManagedService(reach, io)
    io.stdout.write(`Encrypting with the new key, through ${service.where}.\n`)
    io.stdout.write(doneText(await service.rotateKeys(progressTo(io))))
    return 0
  } catch (error) {
    const isInterrupted = io.signal?.aborted === true
    io.stderr.write(isInterrupted ? 'Interrupted: run it again to continue.\n' : errorText(error))
    return isInterrupted ? 130 : 1
  }
}

function countKeys(text: string | undefined): number {
  return new Set((text === undefined ? undefined : parseEncryptionKeys(text))?.map(keyId)).size
}

/** Writes a line for every 10,000 records, and ends the work once the signal is aborted. */
function progressTo({ stdout, signal }: CommandIo): (resealed: number) => void {
  let reported = 0
  return (resealed) => {
    signal?.throwIfAborted()
    if (resealed < reported + 10_000) return
    reported = resealed
    stdout.write(`  ${resealed} so far\n`)
  }
}

function doneText(resealed: number): string {
  return `Done: ${resealed} ${resealed === 1 ? 'record was' : 'records were'} encrypted with the new key; the old key is no longer needed.
Now set ENCRYPTION_KEY to the new key only, in every process, and restart. Keep the old key in a safe place for as long
as you keep backups that were made before.
`
}
