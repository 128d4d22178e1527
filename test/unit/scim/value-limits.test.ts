import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../src/scim/json.ts'
import { applyPatch } from '../../../src/scim/patch/apply.ts'
import { splitMemberOperations } from '../../../src/scim/patch/members.ts'
import { parsePatch } from '../../../src/scim/patch/parse.ts'
import { parseResource } from '../../../src/scim/resource/parse-resource.ts'
import { groupType, userType } from '../../../src/scim/schema/resource-type.ts'

const tooMany = { status: 400, scimType: 'invalidValue', message: /more than 50000 values/ }

const list = (length: number) => Array.from({ length }, (_, index) => index)
const emails = (length: number) => list(length).map((index) => ({ value: `a${index}@x` }))
const patch = (op: string, path: string | undefined, value: unknown) => ({ Operations: [{ op, path, value }] })

for (const { title, body } of [
  { title: 'elements', body: { userName: 'a', emails: emails(25_000) } },
  { title: 'elements of an unknown attribute', body: { userName: 'a', badges: list(50_000) } },
  { title: 'several attributes', body: { userName: 'a', one: list(30_000), two: list(30_000) } },
  { title: 'nested lists', body: { userName: 'a', badges: list(100).map(() => list(500)) } },
]) {
  test(`a user of more than 50,000 values is rejected: ${title}`, () => {
    assert.throws(() => parseResource(userType, body), tooMany)
  })
}

test('the members of a group do not count', () => {
  const members = list(60_000).map((index) => ({ value: `${index}` }))
  assert.equal(parseResource(groupType, { displayName: 'Staff', members })['displayName'], 'Staff')
  const operations = parsePatch(patch('add', 'members', members), groupType)
  assert.equal(splitMemberOperations(operations).members.length, 1)
  assert.throws(() => parseResource(groupType, { displayName: 'Staff', others: members }), tooMany)
})

for (const { title, body } of [
  { title: 'with a path', body: patch('add', 'emails', emails(25_000)) },
  { title: 'without a path', body: patch('add', undefined, { emails: emails(25_000) }) },
  { title: 'in values to remove', body: patch('remove', 'emails', emails(25_000)) },
  {
    title: 'in several operations together',
    body: { Operations: list(2).map((n) => ({ op: 'add', path: `urn:acme:badges:list${n}`, value: list(30_000) })) },
  },
]) {
  test(`a PATCH of more than 50,000 values is rejected: ${title}`, () => {
    assert.throws(() => applyPatch(userType, { userName: 'a' }, parsePatch(body, userType)), tooMany)
  })
}

test('a PATCH whose paths are too long together is rejected before they are parsed', () => {
  const path = `emails[${list(400)
    .map((index) => `value eq "${index}"`)
    .join(' or ')}]`
  const operations = list(60).map(() => ({ op: 'remove', path }))
  const expected = {
    status: 400,
    scimType: 'invalidValue',
    message: /paths of a PATCH request may have at most 262144/,
  }
  assert.throws(() => parsePatch({ Operations: operations }, userType), expected)
})

test('a PATCH that assigns 30,000 attributes is rejected for their number', () => {
  const value: JsonObject = Object.fromEntries(list(30_000).map((index) => [`a${index}`, 0]))
  const expected = { status: 400, scimType: 'invalidValue', message: /may change at most 1000 attributes/ }
  assert.throws(() => parsePatch(patch('replace', undefined, value), userType), expected)
})

const longNames = Object.fromEntries(list(900).map((index) => [`${'İ'.repeat(300)}${index}`, 1]))

for (const { title, parse } of [
  { title: 'of a user', parse: () => parseResource(userType, { userName: 'a', ...longNames }) },
  { title: 'in its elements', parse: () => parseResource(userType, { userName: 'a', badges: [longNames] }) },
  { title: 'in a PATCH without a path', parse: () => parsePatch(patch('add', undefined, longNames), userType) },
  { title: 'in a PATCH with a path', parse: () => parsePatch(patch('add', 'badges', [longNames]), userType) },
]) {
  test(`names that are too long together are rejected: ${title}`, () => {
    const message = /names of attributes may have at most 262144/
    assert.throws(parse, { status: 400, scimType: 'invalidValue', message })
  })
}

test('the names in the members of a group do not count', () => {
  const members = list(20_000).map((index) => ({ value: `${index}`, type: 'User', display: 'x' }))
  assert.equal(parsePatch(patch('add', 'members', members), groupType).length, 1)
})
