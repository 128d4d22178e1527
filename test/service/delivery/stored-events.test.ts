import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deprovisionings } from '../../../src/diagnostics/deprovisioning/deprovisionings.ts'
import type { Explanation } from '../../../src/diagnostics/explain/explanation.ts'
import type { HealthView } from '../../../src/diagnostics/health/view.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { apiPrefix } from '../../support/client.ts'
import { dataOf } from '../../support/delivery.ts'
import { assertApiError } from '../../support/errors.ts'
import { openEventStream } from '../../support/event-stream.ts'
import { poll } from '../../support/eventually.ts'
import type { ReceivedEvent } from '../../support/receiver.ts'
import { forEachEngine, serviceForSuite, testApiKey } from '../../support/service.ts'

interface Listed {
  readonly data: readonly ReceivedEvent[]
  readonly pageToken?: string
  readonly next: string
  readonly held?: { readonly directory_id: string }
}

forEachEngine((engine) => {
  const service = serviceForSuite(engine, { DEPROVISION_TARGET: '1' })

  async function addUsers(directory: DirectoryView, ...names: readonly string[]): Promise<string[]> {
    const ids: string[] = []
    for (const userName of names) ids.push((await service().scim(directory, 'POST', '/Users', { userName })).body.id)
    return ids
  }
  async function list({ id }: DirectoryView, query: Readonly<Record<string, string>> = {}): Promise<Listed> {
    const { status, body, text } = await service().api('GET', `/${id}/events?${new URLSearchParams(query)}`)
    assert.equal(status, 200, text)
    return body as unknown as Listed
  }
  const watch = ({ id }: DirectoryView, query: Readonly<Record<string, string>>) =>
    openEventStream(`${service().origin}${apiPrefix}/${id}/events?${new URLSearchParams(query)}`, {
      authorization: `Api-Key ${testApiKey}`,
    })
  const sequencesOf = ({ data }: Listed) => data.map(({ sequence }) => sequence)

  /** What the service says about the consumer of a directory. */
  async function saidAbout({ id }: DirectoryView) {
    const [explained, health, times] = await Promise.all([
      service().api('GET', `/explain?directoryId=${id}&subject=maya`),
      service().api('GET', `/${id}/health`),
      service().api('GET', `/${id}/deprovisioning`),
    ])
    const { verdict, sentence } = dataOf<Explanation>(explained)
    const { overdue } = dataOf<Awaited<ReturnType<Deprovisionings['times']>>>(times)
    return { verdict, sentence, reasons: dataOf<HealthView>(health).reasons, overdue: overdue.length }
  }

  test('looking at events changes nothing, and the reads of the consumer still count', async () => {
    const directory = await service().createDirectory()
    const [omar] = await addUsers(directory, 'omar', 'maya')
    await service().scim(directory, 'DELETE', `/Users/${omar}`)
    const isOverdue = async () => (await saidAbout(directory)).overdue === 1
    await poll(
      isOverdue,
      (isIt) => isIt,
      () => 'an overdue deprovisioning',
    )
    const before = await saidAbout(directory)
    assert.equal(before.verdict, 'waiting')
    const { next } = await list(directory)
    await list(directory, { pageLimit: '2' })
    await service().api('GET', `/${directory.id}/events/3`)
    await using stream = await watch(directory, { after: '1' })
    await stream.first(2)
    await using following = await watch(directory, { after: next })
    await addUsers(directory, 'cem')
    await following.first(1)
    assert.deepEqual(await saidAbout(directory), before)
    const { body } = await service().api('GET', `/feed?directoryId=${directory.id}`)
    const { next: after } = body as unknown as Listed
    await service().api('GET', `/feed?directoryId=${directory.id}&after=${after}`)
    assert.match((await saidAbout(directory)).sentence, /has read it from the feed/)
    await poll(
      isOverdue,
      (isIt) => !isIt,
      () => 'the end of the deprovisioning',
    )
  })

  test('the events are listed newest first, whole or in pages, in the form of the feed', async () => {
    const directory = await service().createDirectory()
    assert.deepEqual((await list(directory)).data, [])
    await addUsers(directory, 'a', 'b', 'c', 'd', 'e')
    const { body } = await service().api('GET', `/feed?directoryId=${directory.id}`)
    assert.deepEqual((await list(directory)).data.toReversed(), body.data)
    const first = await list(directory, { pageLimit: '3' })
    await addUsers(directory, 'f')
    const second = await list(directory, { pageLimit: '2', pageToken: first.pageToken ?? '' })
    assert.deepEqual([first, second].map(sequencesOf), [
      [5, 4, 3],
      [2, 1],
    ])
    assert.equal(second.pageToken, undefined)
    const { data } = (await service().api('GET', `/${directory.id}/events/2`)).body
    assert.deepEqual(data, second.data[0])
    assertApiError(await service().api('GET', `/${directory.id}/events/7`), 404)
    assertApiError(await service().api('GET', '/nobody/events'), 404)
    assertApiError(await service().api('GET', `/${directory.id}/events?pageToken=x`), 400)
  })

  test('a stream continues after the listed events, and after the last one that was received', async () => {
    const directory = await service().createDirectory()
    const { next } = await list(directory)
    await using stream = await watch(directory, { after: next })
    await addUsers(directory, 'a', 'b')
    const [first] = await stream.first(2)
    await using resumed = await watch(directory, { after: first?.id ?? '' })
    assert.deepEqual(
      (await resumed.first(1)).map(({ data }) => data.sequence),
      [2],
    )
    const answer = await service().api('GET', `/${directory.id}/events?after=2:another-event`, undefined, {
      accept: 'text/event-stream',
    })
    assertApiError(answer, 409)
  })

  test('events are listed and followed by type, by user or group, and by both', async () => {
    const directory = await service().createDirectory()
    const scim = (method: string, path: string, body?: object) => service().scim(directory, method, path, body)
    const [ann, ben] = await addUsers(directory, 'ann', 'ben')
    const members = [ann, ben].map((value) => ({ value }))
    const { id: group } = (await scim('POST', '/Groups', { displayName: 'Staff', members })).body
    await scim('PUT', `/Users/${ann}`, { userName: 'ann', title: 'Engineer' })
    const filters: [filter: Readonly<Record<string, string>>, sequences: number[]][] = [
      [{ event: 'user.created' }, [2, 1]],
      [{ event: 'user.deleted' }, []],
      [{ resource: ann ?? '' }, [6, 4, 1]],
      [{ resource: group }, [5, 4, 3]],
      [{ resource: ann ?? '', event: 'user.updated' }, [6]],
      [{ resource: group, event: 'group.user_added' }, [5, 4]],
      [{ resource: 'nobody' }, []],
    ]
    for (const [filter, sequences] of filters) {
      const whole = await list(directory, filter)
      assert.deepEqual(sequencesOf(whole), sequences, JSON.stringify(filter))
      const page = await list(directory, { ...filter, pageLimit: '1' })
      const rest =
        page.pageToken === undefined ? [] : sequencesOf(await list(directory, { ...filter, pageToken: page.pageToken }))
      assert.deepEqual([...sequencesOf(page), ...rest], sequences)
      await using stream = await watch(directory, { ...filter, after: '0' })
      const received = await stream.first(sequences.length)
      assert.deepEqual(
        received.map(({ data }) => data.sequence),
        sequences.toReversed(),
      )
    }
    assertApiError(await service().api('GET', `/${directory.id}/events?event=user.renamed`), 400)
    assertApiError(await service().api('GET', `/${directory.id}/events?resource=a%20b`), 400)
  })

  test('held events are not listed, but found by their number', async () => {
    const limit = { percent: 0, minimum: 1, window_seconds: 3600 }
    const directory = await service().createDirectory({ removal_limit: limit })
    const ids = await addUsers(directory, 'a', 'b', 'c')
    for (const id of ids.slice(0, 2)) await service().scim(directory, 'DELETE', `/Users/${id}`)
    const listed = await list(directory)
    assert.deepEqual(sequencesOf(listed), [4, 3, 2, 1])
    assert.equal(listed.held?.directory_id, directory.id)
    const { body } = await service().api('GET', `/${directory.id}/events/5`)
    assert.equal((body.data as unknown as ReceivedEvent).event, 'user.deleted')
  })
})
