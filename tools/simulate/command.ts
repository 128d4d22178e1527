import type { CommandIo } from '../../src/cli/terminal/io.ts'
import { createPalette } from '../../src/cli/terminal/palette.ts'
import { createProgress } from '../../src/cli/terminal/progress.ts'
import type { ScimAddress } from './api-client.ts'
import { ApiError, createApiClient, fetchScimAddress } from './api-client.ts'
import { dialects } from './dialects.ts'
import { fetchHold, holdText } from './hold.ts'
import type { SimulateArguments, SimulateTarget } from './options.ts'
import { parseSimulateArguments, simulateHelp } from './options.ts'
import type { SimulationProgress } from './phase.ts'
import { progressStep, summaryText } from './report.ts'
import type { SignInMethod } from './sign-in.ts'
import { createSimulatedClient, signInOverHttp } from './sign-in.ts'
import type { SimulationSummary } from './simulate.ts'
import { simulate } from './simulate.ts'

/**
 * Runs `rollcall simulate …` with the arguments after these words.
 * @returns the exit code: 0 success, 1 some calls failed, 2 wrong arguments, 130 interrupted
 */
export async function simulateCommand(argv: readonly string[], io: CommandIo): Promise<number> {
  const parsed = parseSimulateArguments(argv, io.env)
  if (parsed.kind === 'help') {
    io.stdout.write(simulateHelp)
    return 0
  }
  if (parsed.kind === 'problems') {
    io.stderr.write(`${parsed.problems.join('\n')}\nRun rollcall simulate --help for help.\n`)
    return 2
  }
  return reportApiError(io, () => runSimulation(parsed.arguments, io))
}

async function reportApiError(io: CommandIo, run: () => Promise<number>): Promise<number> {
  try {
    return await run()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    io.stderr.write(`${error.message}\n`)
    return 1
  }
}

async function runSimulation({ target, auth, ...simulation }: SimulateArguments, io: CommandIo): Promise<number> {
  await using address = await connect(target, auth)
  const palette = createPalette(io)
  const progress = createProgress(io)
  io.stdout.write(`${palette.bold(dialects[simulation.dialect].label)} provisions ${address.scimUrl}\n`)
  const onProgress = (state: SimulationProgress) => progress.show(progressStep(state))
  const { scimUrl, secret } = address
  const summary = await simulate({ ...simulation, scimUrl, secret, onProgress, signal: io.signal })
  progress.end()
  io.stdout.write(`\n${summaryText(summary, palette)}`)
  if (simulation.accident !== undefined) await showHold(target, simulation.repair, io)
  return exitCodeOf(summary)
}

/** Prints the hold and the next steps. */
async function showHold(target: SimulateTarget, isRepaired: boolean, io: CommandIo): Promise<void> {
  if (target.kind === 'scim') return
  const hold = await fetchHold(createApiClient(target), target.directoryId)
  io.stdout.write(`\n${holdText(hold)}\n`)
  if (!hold.held) return
  const discard = `POST ${target.baseUrl}/api/v1/directory-sync/${target.directoryId}/hold/discard`
  io.stdout.write(
    isRepaired ? `Discard it: ${discard}\n` : `Undo it with --repair, then discard the hold: ${discard}\n`,
  )
}

/** The address of the directory, with the credentials to use there. */
async function connect(target: SimulateTarget, auth: SignInMethod) {
  await using opening = new AsyncDisposableStack()
  const { scimUrl, secret } = await locate(target)
  const client =
    target.kind === 'scim' || auth === 'token'
      ? undefined
      : opening.use(await createSimulatedClient(signInOverHttp(target, target.directoryId), auth))
  const open = opening.move()
  return { scimUrl, secret: client?.accessToken ?? secret, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

async function locate(target: SimulateTarget): Promise<ScimAddress> {
  return target.kind === 'scim' ? target : fetchScimAddress(target, target.directoryId)
}

function exitCodeOf({ interrupted, errorCount }: SimulationSummary): number {
  if (interrupted) return 130
  return errorCount > 0 ? 1 : 0
}
