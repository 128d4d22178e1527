import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertScimError } from '../../support/errors.ts'
import { forEachEngine, serviceForSuite } from '../../support/service.ts'

const work = { type: 'work', value: 'ann@example.com', primary: true }

forEachEngine((engine) => {
  const service = serviceForSuite(engine)

  /** A directory with the users a, b and c, and a group of a and b. */
  async function withGroup() {
    const directory = await service().createDirectory()
    const scim = (method: string, path: string, body?: unknown) => service().scim(directory, method, path, body)
    const ids: string[] = []
    for (const userName of ['a', 'b', 'c'])
      ids.push((await scim('POST', '/Users', { userName, emails: [work] })).body.id)
    const [a = '', b = '', c = ''] = ids
    const members = [{ value: a }, { value: b }]
    const path = `/Groups/${(await scim('POST', '/Groups', { displayName: 'Ops', members })).body.id}`
    const patch = (...operations: readonly object[]) => scim('PATCH', path, { Operations: operations })
    const memberIds = async () => (await scim('GET', path)).body.members?.map(({ value }) => value)
    return { scim, a, b, c, patch, memberIds }
  }

  for (const op of ['replace', 'add']) {
    test(`${op} through a filter on the value of a removed address does not bring it back`, async () => {
      const { scim, a } = await withGroup()
      for (const operation of [
        { op, path: 'emails[value eq "gone@example.com"].primary', value: true },
        { op, path: 'emails[value eq "gone@example.com"]', value: { primary: true } },
        { op, path: 'emails[type eq "work" and value eq "gone@example.com"].type', value: 'work' },
        { op, value: { 'emails[value eq "gone@example.com"].primary': true } },
      ]) {
        assertScimError(await scim('PATCH', `/Users/${a}`, { Operations: [operation] }), 400, 'noTarget')
      }
      const { body } = await scim('GET', `/Users/${a}`)
      assert.deepEqual([JSON.parse(JSON.stringify(body)).emails, body.meta.version.slice(0, 4)], [[work], 'W/"1'])
    })
  }

  test('replacing a user who is not a member is rejected completely, and adds nobody', async () => {
    const { a, b, c, patch, memberIds } = await withGroup()
    const nobody = '00000000-0000-7000-8000-000000000000'
    const rejected = [
      [{ op: 'replace', path: `members[value eq "${c}"]`, value: { value: c } }],
      [{ op: 'replace', path: `members[value eq "${nobody}"]`, value: {} }],
      [{ op: 'replace', path: `members[value eq "${c}"].value`, value: c }],
      [{ op: 'replace', path: `members[value eq "${c}"].display`, value: 'x' }],
      [{ op: 'replace', path: `members[value eq "${c}"]`, value: null }],
      [
        { op: 'remove', path: `members[value eq "${a}"]` },
        { op: 'replace', path: `members[value eq "${a}"]`, value: { value: a } },
      ],
      [
        { op: 'replace', path: 'members', value: [{ value: b }] },
        { op: 'replace', path: `members[value eq "${a}"]`, value: { value: a } },
      ],
    ]
    for (const operations of rejected) assertScimError(await patch(...operations), 400, 'noTarget')
    assert.deepEqual(await memberIds(), [a, b])
  })

  test('replacing a member by itself changes nothing, and by null removes it', async () => {
    const { a, b, c, patch, memberIds } = await withGroup()
    const same = await patch(
      { op: 'replace', path: `members[value eq "${a}"]`, value: { value: a } },
      { op: 'replace', path: `members[value eq "${b}"].display`, value: 'x' },
    )
    assert.deepEqual([same.status, same.headers['etag']], [204, 'W/"1"'])
    const changed = await patch(
      { op: 'add', path: 'members', value: [{ value: c }] },
      { op: 'replace', path: `members[value eq "${c}"]`, value: { value: c } },
      { op: 'replace', path: `members[value eq "${a}"]`, value: null },
    )
    assert.equal(changed.status, 204, changed.text)
    assert.deepEqual(await memberIds(), [b, c])
  })
})
