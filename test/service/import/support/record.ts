import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { polisLibrary, polisVersion } from '../../../../tools/polis/library.ts'
import { execute } from '../../../support/postgres.ts'
import type { PublishedAnswers } from '../../polis/same-calls.ts'
import { publishedAnswersFile } from '../../polis/same-calls.ts'
import type { LivePolis } from './live-polis.ts'
import { startLivePolis } from './live-polis.ts'
import type { Recording, RecordingName, ShownDirectory, StoreRow } from './recording.ts'
import { recordingFile } from './recording.ts'
import { encryptionKeyOf, playScenario, scenarioOptions } from './scenario.ts'

/** Writes a file that has a line for each row, so that a difference can be read. */
export async function writeRecording(name: RecordingName, recording: Recording): Promise<void> {
  const given = Object.entries(recording).filter(([, value]) => value !== undefined)
  const lines = given.map(([field, value]) => {
    const isList = Array.isArray(value) && value.length > 0
    const text = isList ? `[\n${value.map((item) => JSON.stringify(item)).join(',\n')}\n]` : JSON.stringify(value)
    return `${JSON.stringify(field)}: ${text}`
  })
  await writeFile(recordingFile(name), `{\n${lines.join(',\n')}\n}\n`)
}

/** Plays the scenario in a Polis of its own, and records that. */
export async function recordLibrary(library: string, name: RecordingName): Promise<Recording> {
  const encryptionKey = encryptionKeyOf(name)
  await using polis = await startLivePolis({ library, encryptionKey, ...scenarioOptions })
  return await recordPolis(polis, { encryptionKey, ...(await playScenario(polis, name)) })
}

/** Reads everything from a live Polis and its database. */
export async function recordPolis(
  polis: LivePolis,
  played: Pick<Recording, 'moving' | 'made' | 'encryptionKey'>,
): Promise<Recording> {
  const rows = <T>(sql: string) => execute(polis.databaseUrl, sql) as Promise<T[]>
  const times = `"createdAt"::text as "createdAt", "modifiedAt"::text as "modifiedAt"`
  const store = await rows<StoreRow & { readonly value: string }>(
    `select key, namespace, ${times}, value, iv, tag from jackson_store
     where namespace like 'dsync:%' or namespace like 'setup:%' order by "createdAt", key`,
  )
  const index = await rows<{ key: string; storeKey: string }>(`select key, "storeKey" from jackson_index order by id`)
  return {
    library: `${polisLibrary}@${polisVersion}`,
    ...played,
    shown: await shownBy(polis),
    setupLinks: await listOf(polis, '/setuplinks/product?product=crm'),
    store: store.map(({ value, iv, tag, ...row }) => {
      return iv === null ? { ...row, value: readable(value) } : { ...row, value, iv, tag }
    }),
    index: index.map(({ key, storeKey }) => [key, storeKey] as const),
    ttl: await rows('select key, "expiresAt" from jackson_ttl order by key'),
  }
}

function readable(text: string): object {
  const value = JSON.parse(text)
  if (JSON.stringify(value) !== text) throw new Error(`This text would not be written again as it is: ${text}`)
  return value
}

/** What Polis shows of its directories, oldest first. */
async function shownBy(polis: LivePolis): Promise<ShownDirectory[]> {
  const contents: ShownDirectory[] = []
  for (const directory of await listOf(polis, '/product?product=crm')) {
    const scope = `directoryId=${directory.id}`
    const [users, groups] = [await listOf(polis, `/users?${scope}`), await listOf(polis, `/groups?${scope}`)]
    const members: Record<string, string[]> = {}
    for (const { id } of groups) {
      const ofGroup = await listOf(polis, `/groups/${id}/members?${scope}`)
      members[id] = ofGroup.map(({ user_id }) => user_id)
    }
    contents.push({ directory, users, groups, members })
  }
  return contents
}

/** Reads a list from its pages, however long they are, and returns it with the oldest first. */
// biome-ignore lint/suspicious/noExplicitAny: the records of Polis have any shape
async function listOf(polis: LivePolis, path: string): Promise<any[]> {
  const items = []
  while (true) {
    const { body } = await polis.api('GET', `${path}&pageOffset=${items.length}&pageLimit=50`)
    if (body.data.length === 0) return items.toReversed()
    items.push(...body.data)
  }
}

/** Makes the calls of a product on the library, in a process of its own, because the timers of the library outlive it. */
export async function recordAnswers(library: string): Promise<PublishedAnswers> {
  const script = fileURLToPath(new URL('../../polis/published-answers.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [script, library])
  return { library: `${polisLibrary}@${polisVersion}`, answers: JSON.parse(stdout.slice(stdout.indexOf('{'))) }
}

export async function writeAnswers(answers: PublishedAnswers): Promise<void> {
  await writeFile(publishedAnswersFile, `${JSON.stringify(answers, null, 2)}\n`)
}
