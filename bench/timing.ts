import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newSecret } from '../src/directory/secret.ts'
import { withConnections } from './load/connection.ts'
import { startServerProcess } from './servers/server.ts'
import { inProcessDoors } from './timing/in-process.ts'
import type { Door, Row } from './timing/measure.ts'
import { measure, tableOf } from './timing/measure.ts'
import type { RightSecrets } from './timing/over-http.ts'
import { httpDoors } from './timing/over-http.ts'

/*
 * Does the time to reject a wrong secret reveal how much of it is right?
 *
 *   node bench/timing.ts                   # about three minutes, on an idle machine
 *   node bench/timing.ts --rounds 500      # fewer rounds, to try it
 *
 * Each place that checks a secret (SCIM secret, API keys, root token, admin token) gets wrong secrets of the right length in four
 * classes: first byte wrong, half right, all but the last byte right, nothing right. A round sends one of each class in random
 * order, over one keep-alive connection to a service on SQLite in a separate process, so that drift affects all classes
 * equally. For each class the table shows the median, the median of the differences to "first byte wrong" within the rounds, and
 * its 95 % interval from 1,000 bootstrap resamples. "differs" marks an interval without 0. One row in twenty does this by
 * chance; a leak would show in most rows of a place, grow with the number of right bytes, and appear in every run.
 *
 * The comparisons are then measured alone, 200 calls at a time, where a nanosecond is visible, together with a comparison that
 * leaks on purpose: that row must differ, otherwise the method detects nothing.
 */

const rightRootToken = newSecret()
const configuredKey = newSecret()

async function openSecrets(port: number): Promise<RightSecrets> {
  const call = async (path: string, authorization: string, body: object): Promise<unknown> => {
    const headers = { authorization, 'content-type': 'application/json' }
    const response = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
    return response.json()
  }
  const claims = { upstreamToken: rightRootToken, email: 'bench@example.com' }
  const login = await call('/auditlog/admin/v1/user/_login', `token=${rightRootToken}`, { claims })
  const { token: jwt, adminToken } = login as { token: string; adminToken: RightSecrets['adminToken'] }
  const key = await call('/auditlog/admin/v1/apikey', `Bearer ${jwt}`, { name: 'bench' })
  const directory = await call('/api/v1/directory-sync', `Bearer ${jwt}`, { tenant: 'bench', product: 'bench' })
  const { scim } = (directory as { data: Pick<RightSecrets, 'scim'> }).data
  const { key: managedKey } = (key as { data: { key: string } }).data
  return { apiKey: configuredKey, managedKey, rootToken: rightRootToken, scim, adminToken }
}

async function measureAll(doors: readonly Door[]): Promise<Row[]> {
  const rows: Row[] = []
  for (const door of doors) rows.push(...(await measure(door)))
  return rows
}

async function measureHttp(rounds: number): Promise<Row[]> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-timing-'))
  try {
    await using server = await startServerProcess('./service.ts', {
      ...{ DATABASE_URL: `sqlite:${join(folder, 'rollcall.db')}`, API_KEYS: configuredKey },
      ...{ ADMIN_ROOT_TOKEN: rightRootToken, TRUST_PROXY: '1', LOG_LEVEL: 'silent' },
    })
    const right = await openSecrets(server.port)
    return await withConnections(server.port, 1, async ([connection]) => {
      if (connection === undefined) throw new Error('there is no connection')
      return measureAll(httpDoors(connection, right, rounds))
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '5000' } } })
const rounds = Number(values.rounds)
process.stdout.write(`Over HTTP, ${rounds} rounds (the admin token: ${Math.ceil(rounds / 20)})\n\n`)
process.stdout.write(`${tableOf(await measureHttp(rounds))}\n\nIn this process, ${rounds} rounds\n\n`)
process.stdout.write(`${tableOf(await measureAll(await inProcessDoors(rounds)))}\n`)
