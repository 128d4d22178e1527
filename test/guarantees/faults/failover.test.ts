import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Client } from '../../support/client.ts'
import { startReceiver } from '../../support/receiver.ts'
import { replicaFrom, replicaRead } from '../../support/replica.ts'
import { startTestService } from '../../support/service.ts'
import { idpOf } from '../support/idp.ts'
import type { PostgresPair } from '../support/postgres-pair.ts'
import { startPostgresPair } from '../support/postgres-pair.ts'
import type { Connection } from '../support/world.ts'
import { connect } from '../support/world.ts'

// The servers come from the development packages, whatever TEST_DATABASE_URL says.

/** The writes of an identity provider through one process. */
interface Writer {
  /** The names of users whose creation was acknowledged. */
  readonly acknowledged: string[]
  /** The longest time between two acknowledged writes, in milliseconds. */
  longestMs: number
}

/** Creates users one after the other through a process, each until it is acknowledged, until `isOver`. */
async function write(client: Client, { directory }: Connection, name: string, isOver: () => boolean): Promise<Writer> {
  const writer: Writer = { acknowledged: [], longestMs: 0 }
  const idp = idpOf(client, directory)
  let lastAt = performance.now()
  for (let n = 0; !isOver(); n += 1) {
    const userName = `${name}-${n}`
    let { status, text } = await idp.send('POST', '/Users', { userName })
    while (status === 503) {
      await pause(20)
      ;({ status, text } = await idp.send('POST', '/Users', { userName }))
    }
    // 409: the user was created, and the response was lost.
    assert.ok(status === 201 || status === 409, `${status} ${text}`)
    writer.acknowledged.push(userName)
    writer.longestMs = Math.max(writer.longestMs, performance.now() - lastAt)
    lastAt = performance.now()
  }
  return writer
}

const faults: Readonly<Record<string, (pair: PostgresPair) => Promise<void>>> = {
  'the loss of the server': (pair) => pair.failOver(true),
  'a planned switchover': (pair) => pair.failOver(false),
  'a server that becomes read-only for a second': (pair) => pair.makeReadOnly(1_000),
  'a disk that is full for a second': (pair) => pair.fillDisk(1_000),
}

describe('postgres', () => {
  test('whatever happens to a server with a synchronous standby, every process writes again, and nothing acknowledged is lost', async (t) => {
    await using pair = await startPostgresPair()
    await using receiver = await startReceiver()
    await using one = await startTestService(pair.database)
    await using other = await startTestService(pair.database)
    const connection = await connect(one, receiver)
    for (const [fault, happen] of Object.entries(faults)) {
      let isOver = false
      const name = fault.replaceAll(' ', '-')
      const writing = [one, other].map((client, n) => write(client, connection, `${name}-${n}`, () => isOver))
      await happen(pair)
      isOver = true
      const writers = await Promise.all(writing)
      const read = await replicaRead(one, connection.directory)
      const stored = new Set((read.users as { raw: { userName: string } }[]).map(({ raw }) => raw.userName))
      for (const { acknowledged, longestMs } of writers) {
        t.diagnostic(`${fault}: ${acknowledged.length} writes, at most ${Math.round(longestMs)} ms without one`)
        assert.deepEqual(
          acknowledged.filter((userName) => !stored.has(userName)),
          [],
        )
      }
    }
    const read = await replicaRead(one, connection.directory)
    assert.deepEqual(replicaFrom(await connection.events()), read)
  })
})
