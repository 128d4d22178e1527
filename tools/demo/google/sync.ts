import { padToWidth } from '../../../src/cli/terminal/display-width.ts'
import type { CommandIo } from '../../../src/cli/terminal/io.ts'
import type { Palette } from '../../../src/cli/terminal/palette.ts'
import { countOf } from '../../../src/cli/terminal/quantity.ts'
import type { JsonObject } from '../../../src/scim/json.ts'
import { own } from '../../../src/scim/json.ts'
import type { Endpoint } from '../../fake-google/endpoint.ts'
import type { FakeGoogle } from '../../fake-google/server.ts'

const labelColumns = 22

/** The phases of a sync by the requests to Google. Requests for tokens belong to no phase. */
const phases = {
  'users.list': 'users',
  'groups.list': 'groups',
  'members.list': 'members',
  'users.get': 'checked again',
  'groups.get': 'checked again',
  'members.hasMember': 'checked again',
} as const satisfies Partial<Record<Endpoint, string>>

export interface SyncDisplay {
  readonly google: Pick<FakeGoogle, 'onRequest'>
  readonly io: Pick<CommandIo, 'stdout'>
  readonly palette: Palette
}

/** Syncs a directory by `sync`, prints a line for each phase and the outcome, and returns the run. */
export async function showSync(display: SyncDisplay, sync: () => Promise<JsonObject>): Promise<JsonObject> {
  const { google, io, palette } = display
  const lines: string[] = []
  const counts = new Map<string, number>()
  let current: string | undefined
  const endPhase = () => {
    if (current === undefined) return
    const requests = countOf(counts.get(current) ?? 0, 'request')
    lines.push(`  ${padToWidth(current, labelColumns)}${palette.dim(`${requests} to Google`)}\n`)
  }
  const before = google.onRequest
  google.onRequest = (request) => {
    const phase = phaseOf(request.endpoint)
    if (phase !== undefined) {
      if (phase !== current) endPhase()
      current = phase
      counts.set(phase, (counts.get(phase) ?? 0) + 1)
    }
    return before(request)
  }
  try {
    const run = await sync()
    endPhase()
    for (const line of lines) io.stdout.write(line)
    io.stdout.write(`  ${padToWidth(String(own(run, 'state')), labelColumns)}${outcomeText(run)}\n`)
    return run
  } finally {
    google.onRequest = before
  }
}

function phaseOf(endpoint: Endpoint): string | undefined {
  return Object.hasOwn(phases, endpoint) ? phases[endpoint as keyof typeof phases] : undefined
}

function outcomeText(run: JsonObject): string {
  const count = (field: string) => Number(own(run, field))
  const members = `${countOf(count('members_added'), 'member')} added, ${count('members_removed')} removed`
  const held = count('held') === 0 ? '' : `, ${count('held')} held back`
  return `${count('created')} created, ${count('updated')} updated, ${count('deleted')} deleted${held}; ${members}`
}
