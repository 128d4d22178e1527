import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Answer } from '../../support/client.ts'
import { atPointer } from '../../support/json-pointer.ts'
import type { Receiver } from '../../support/receiver.ts'
import { startReceiver } from '../../support/receiver.ts'
import { replicaFrom, replicaRead } from '../../support/replica.ts'
import type { TestService } from '../../support/service.ts'
import { forEachEngine, forSuite, serviceForSuite } from '../../support/service.ts'
import type { Conversation, Step } from './conversation.ts'
import { fillIn, readConversations } from './conversation.ts'

const typeOf: Readonly<Record<string, string>> = { okta: 'okta-scim-v2', entra: 'azure-scim-v2' }

forEachEngine((engine) => {
  const service = serviceForSuite(engine)
  const receiver = forSuite(() => startReceiver())

  for (const conversation of readConversations()) {
    test(`${conversation.name} gets the responses that its provider needs, and its events rebuild the final state`, async () => {
      await replay(service(), receiver(), conversation)
    })
  }
})

async function replay(service: TestService, receiver: Receiver, { name, steps }: Conversation): Promise<void> {
  const type = typeOf[name.split('-')[0] ?? ''] ?? 'generic-scim-v2'
  const directory = await service.createDirectory({ tenant: name, type, ...receiver.endpoint })
  const captured = new Map([['token', directory.scim.secret]])
  for (const [index, step] of steps.entries()) {
    const { method, path, headers, body } = fillIn({ ...step, expect: undefined }, captured)
    const { Connection: _, ...sent } = headers
    const response = await service.request(method, directory.scim.path + path, {
      headers: sent,
      body: body ?? undefined,
    })
    check(response, step, captured, `step ${index + 1} of ${steps.length}, "${step.name}" (${method} ${path})`)
  }
  await service.scim(directory, 'POST', '/Users', { userName: 'the last one' })
  await receiver.until(() => receiver.events(directory.id).at(-1)?.data.raw['userName'] === 'the last one', name)
  assert.deepEqual(replicaFrom(receiver.events(directory.id)), await replicaRead(service, directory))
  assert.equal(receiver.refusedSignatures(), 0)
}

/** Compares a response with what a step expects, then stores what it captures. */
function check(
  { status, body, text, headers }: Answer,
  { expect }: Step,
  captured: Map<string, string>,
  where: string,
) {
  const answered = `${where} answered ${status} ${text}`
  assert([expect.status].flat().includes(status), answered)
  if (body !== undefined) assert.match(String(headers['content-type']), /^application\/scim\+json/, answered)
  for (const [name, pointer] of Object.entries(expect.capture ?? {})) {
    const value = atPointer(body, pointer)
    assert(typeof value === 'string', `${pointer} is text: ${answered}`)
    captured.set(name, value)
  }
  for (const [pointer, value] of Object.entries(fillIn(expect.json ?? {}, captured))) {
    assert.deepEqual(atPointer(body, pointer), value, `${pointer}: ${answered}`)
  }
  for (const [pointer, count] of Object.entries(expect.count ?? {})) {
    const list = atPointer(body, pointer) ?? []
    assert(Array.isArray(list) && list.length === count, `${pointer} has ${count} elements: ${answered}`)
  }
  for (const pointer of expect.absent ?? []) {
    assert.equal(atPointer(body, pointer), undefined, `${pointer} is absent: ${answered}`)
  }
}
