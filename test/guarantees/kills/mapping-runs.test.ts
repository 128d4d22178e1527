import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Client } from '../../support/client.ts'
import { forEachEngine, openTestDatabase } from '../../support/database.ts'
import { eventually } from '../../support/eventually.ts'
import { startServiceProcess, startTestService } from '../../support/service.ts'

const mappingOf = (role: string) => ({
  attributes: { title: { from: ['title'] } },
  roles: {
    default: ['member'],
    rules: [
      { role, when: { group_name: 'Admins' } },
      { role: 'even', when: { filter: 'title eq "0"' } },
    ],
  },
})

const patchOp = 'urn:ietf:params:scim:api:messages:2.0:PatchOp'

/** Whether the service answered: a killed one does not. */
async function answers(request: Promise<{ readonly status: number }>): Promise<boolean> {
  return request.then(
    ({ status }) => status < 500,
    () => false,
  )
}

/** Asserts that the stored roles are those of the present state, and that the events lead to them. */
async function requireRolesOfState(service: Client, id: string, mapping: object): Promise<void> {
  const preview = await service.api('POST', `/${id}/mapping/preview`, { mapping })
  assert.partialDeepStrictEqual(preview.body.data, { changed: 0 }, preview.text)
  const users = (await service.api('GET', `/users?directoryId=${id}`)).body.data as unknown as readonly {
    id: string
    roles: string[]
  }[]
  const roles = new Map<string, string[]>()
  for (let after = ''; ; ) {
    const { body } = await service.api('GET', `/feed?directoryId=${id}&limit=500${after}`)
    const { data, next } = body as unknown as {
      data: { event: string; data: { id: string; roles?: string[] } }[]
      next: string
    }
    if (data.length === 0) break
    for (const { event, data: user } of data)
      if (/^user\.(created|updated)$/.test(event)) roles.set(user.id, user.roles ?? [])
    after = `&after=${encodeURIComponent(next)}`
  }
  assert.deepEqual(roles, new Map(users.map((user) => [user.id, user.roles])))
}

forEachEngine((engine) => {
  test('runs of mappings survive kills among SCIM traffic, and leave the roles of the present state', async () => {
    await using database = await openTestDatabase(engine)
    const directory = await (async () => {
      await using service = await startTestService(database)
      const made = await service.createDirectory()
      for (let part = 0; part < 300; part += 30) {
        const users = Array.from({ length: 30 }, (_, n) => ({ userName: `user-${part + n}`, title: String(n % 3) }))
        await Promise.all(users.map((user) => service.scim(made, 'POST', '/Users', user)))
      }
      await service.scim(made, 'POST', '/Groups', { displayName: 'Admins' })
      return made
    })()
    const { id } = directory
    for (const [round, steps] of [0, 2].entries()) {
      await using killed = await startServiceProcess(database)
      // SQLite supports one process only.
      const other = engine === 'postgres' ? await startServiceProcess(database) : undefined
      await using _closing = { [Symbol.asyncDispose]: async () => other?.[Symbol.asyncDispose]() }
      const users = (await killed.api('GET', `/users?directoryId=${id}`)).body.data
      const [group] = (await killed.api('GET', `/groups?directoryId=${id}`)).body.data
      await killed.api('PUT', `/${id}/mapping`, { mapping: mappingOf(`admin-${round}`) })
      const traffic = [0, 1, 2, 3, 4, 5].map((n) => {
        const client = other !== undefined && n % 2 === 0 ? other : killed
        const member = users[round * 6 + n]?.id
        const value = [{ op: 'add', path: 'members', value: [{ value: member }] }]
        return answers(
          client.scim(directory, 'PATCH', `/Groups/${group?.id}`, { schemas: [patchOp], Operations: value }),
        )
      })
      await Promise.all(traffic.slice(0, steps * 2))
      await killed.kill('SIGKILL')
      await Promise.all(traffic)
    }
    await using service = await startTestService(database)
    await service.api('PUT', `/${id}/mapping`, { mapping: mappingOf('admin') })
    await eventually('the run to be completed', async () => {
      const { run } = (await service.api('GET', `/${id}/mapping`)).body.data as unknown as { run: { state: string } }
      return run.state === 'completed'
    })
    await requireRolesOfState(service, id, mappingOf('admin'))
  })
})
