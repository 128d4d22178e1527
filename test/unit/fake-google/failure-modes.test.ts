import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Endpoint } from '../../../tools/fake-google/endpoint.ts'
import { failureModes, failureModesOf } from './failures/failure-modes.ts'
import type { Asked } from './failures/inject.ts'
import { failAt } from './failures/inject.ts'

const api: readonly Endpoint[] = [
  ...(['users.list', 'users.get', 'groups.list', 'groups.get', 'members.list', 'members.hasMember'] as const),
]
const fault = { kind: 'cut', when: 'before' } as const
const page = (number: number, endpoint: Endpoint = 'users.list'): Asked => ({ endpoint, page: number })

test('a failure mode has one effect at each endpoint', () => {
  const several = failureModes.filter(({ effects }) => {
    const endpoints = Object.values(effects).flat()
    return new Set(endpoints).size < endpoints.length
  })
  assert.deepEqual(several, [])
})

test('every endpoint has failures that a retry overcomes and others that it does not', () => {
  for (const endpoint of [...api, 'token'] as const) {
    const effects = new Set(failureModesOf(endpoint).map(({ effect }) => effect))
    assert(effects.has('overcome') && effects.has('ends'), `${endpoint}: ${[...effects].join()}`)
  }
})

test('a page of a list fails as often as requested', () => {
  const { onRequest, injected } = failAt({ endpoint: 'users.list', page: 2 }, fault, 2)
  const faults = [page(1), page(2), page(2), page(2), page(3)].map(onRequest)
  assert.deepEqual(faults, [undefined, fault, fault, undefined, undefined])
  assert.equal(injected(), 2)
})

test('a failure can be limited to one group', () => {
  const { onRequest } = failAt({ endpoint: 'members.list', groupKey: '01' }, fault)
  const faults = ['02', '01', '01'].map((groupKey) => onRequest({ ...page(1, 'members.list'), groupKey }))
  assert.deepEqual(faults, [undefined, fault, fault])
})
