import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HoldView } from '../../../src/delivery/hold/view.ts'
import type { DirectoryView } from '../../../src/directory/directory-view.ts'
import { assertApiError } from '../../support/errors.ts'
import { eventually } from '../../support/eventually.ts'
import { startReceiver, testSecret } from '../../support/receiver.ts'
import { forEachEngine, serviceForSuite, startTestService } from '../../support/service.ts'
import { openLink } from '../api/support/setup-link.ts'

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const user = (userName: string) => ({ userName, emails: [{ value: `${userName}@acme.example` }] })

  const read = async <T>(path: string): Promise<T> => {
    const { status, body, text } = await service().api('GET', path)
    assert.equal(status, 200, text)
    return body.data as unknown as T
  }

  test('the first users of a directory to adopt are held, which its view, hold, delivery and feed say, until the release', async () => {
    await using receiver = await startReceiver()
    const directory = await service().createDirectory({ ...receiver.endpoint, adoption: 'hold' })
    assert.equal(directory.adoption, 'hold')
    const { body } = await service().scim(directory, 'POST', '/Users', user('maya'))
    const hold = await read<HoldView>(`/${directory.id}/hold`)
    assert.partialDeepStrictEqual(hold, { held: true, reason: 'adoption', first_sequence: 1, version: 'adoption:1' })
    assert.equal((await read<{ state: string }>(`/${directory.id}/delivery`)).state, 'held')
    const feed = await service().api('GET', `/feed?directoryId=${directory.id}`)
    assert.deepEqual(feed.body.data, [])
    assert.partialDeepStrictEqual(feed.body, { held: { directory_id: directory.id } })
    assert.equal((await service().api('POST', `/${directory.id}/hold/release`, { reasons: ['adoption'] })).status, 200)
    const [created] = await receiver.firstEvents(directory.id, 1)
    assert.deepEqual([created?.event, created?.sequence, created?.data['id']], ['user.created', 1, body.id])
    assert.equal((await read<DirectoryView>(`/${directory.id}`)).adoption, 'off')
  })

  test('a directory that a setup link creates to be adopted is announced, and its users wait', async () => {
    await using receiver = await startReceiver()
    const scope = { tenant: `linked-${engine}`, product: 'crm' }
    const { link, call } = await openLink(service(), { ...scope, ...receiver.endpoint, adoption: 'hold' })
    assert.equal(link.adoption, 'hold')
    await call('POST', '/directory', { type: 'okta-scim-v2' })
    const [directory] = await read<[DirectoryView]>(`/?${new URLSearchParams(scope)}`)
    assert.equal(directory.adoption, 'hold')
    await service().scim(directory, 'POST', '/Users', user('omar'))
    const [announced] = await receiver.firstEvents(directory.id, 1)
    assert.deepEqual([announced?.event, announced?.sequence], ['directory.created', 1])
    const { version } = await read<HoldView>(`/${directory.id}/hold`)
    assert.equal(version, 'adoption:2')
    await service().api('POST', `/${directory.id}/hold/release`, { version })
    assert.equal((await receiver.firstEvents(directory.id, 2))[1]?.event, 'user.created')
  })

  test('an adoption is chosen when a directory is created, and a link for an existing one has none', async () => {
    const directory = await service().createDirectory({ tenant: `chosen-${engine}` })
    const changed = await service().api('PATCH', `/${directory.id}`, { adoption: 'hold' })
    assertApiError(changed, 400)
    assert.match(changed.body.error.message, /^adoption: only when a directory is created/)
    const scope = { tenant: directory.tenant, product: directory.product, directoryId: directory.id }
    assertApiError(await service().api('POST', '/setuplinks', { ...scope, adoption: 'hold' }), 400)
    const other = await service().api('POST', '/', { ...scope, directoryId: undefined, adoption: 'later' })
    assertApiError(other, 400)
  })

  test('an adoption is no alarm: health has it from the first user on, with what to do, and the operator is notified then', async () => {
    await using operator = await startReceiver()
    const settings = { OPERATOR_WEBHOOK_URL: operator.endpoint.webhook_url, OPERATOR_WEBHOOK_SECRET: testSecret }
    await using notifying = await startTestService(engine, settings)
    const directory = await notifying.createDirectory({ adoption: 'hold' })
    const reasons = async () => {
      const { body } = await notifying.api('GET', `/${directory.id}/health`)
      return (body.data as unknown as { reasons: readonly { code: string; message: string }[] }).reasons
    }
    const listed = async (held: boolean) =>
      (await notifying.api('GET', `/health?held=${held}`)).body.data as unknown as unknown[]
    assert.deepEqual(
      (await reasons()).map(({ code }) => code),
      ['never-connected'],
    )
    await notifying.scim(directory, 'POST', '/Users', user('maya'))
    const [held] = await reasons()
    assert.deepEqual(
      [held?.code, held?.message],
      [
        'held',
        'The events of this directory are held, because its first users wait until they are linked to the accounts of the product. Send the accounts, check the plan and apply it, or release the hold to send the events as they are.',
      ],
    )
    await operator.until(() => operator.attempts.length === 1, 'a notice of the hold')
    const notice = JSON.parse(operator.attempts[0]?.body ?? '')
    assert.partialDeepStrictEqual(notice, {
      type: 'directory.held',
      data: { directory_id: directory.id, reason: 'adoption', first_sequence: 1 },
    })
    assert.match(notice.data.message, /check the plan and apply it/)
    await eventually('the list of held directories', async () => (await listed(true)).length === 1)
  })

  test('explain says that a user waits for the accounts, and what to do', async () => {
    const directory = await service().createDirectory({ adoption: 'hold' })
    await service().scim(directory, 'POST', '/Users', user('noor'))
    const query = new URLSearchParams({ directoryId: directory.id, subject: 'noor' })
    const answer = await read<{ verdict: string; sentence: string; advice: string }>(`/explain?${query}`)
    assert.equal(answer.verdict, 'held')
    assert.match(answer.sentence, /because its first users wait until they are linked to the accounts of the product/)
    assert.match(answer.advice, /^Send the accounts, check the plan and apply it/)
  })
})
