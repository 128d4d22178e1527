import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MappingDocument } from '../../../src/mapping/document.ts'
import type { Evaluation } from '../../../src/mapping/evaluate.ts'
import { createEvaluator } from '../../../src/mapping/evaluate.ts'
import type { MappedUser } from '../../../src/mapping/mapping.ts'
import { parseMappingInEffect } from '../../../src/mapping/parse.ts'
import { noCounts, noteShortages, previewUser, tooFewUsers, warningsOf } from '../../../src/mapping/preview.ts'
import { assertForPeople } from '../../support/api-words.ts'

const none: Evaluation = { roles: [], attributes: {} }
const admins = { id: 'g-1', name: 'Admins' }

function preview(document: object, users: readonly (MappedUser & { before?: Evaluation })[]) {
  const mapping = parseMappingInEffect(document as MappingDocument)
  const [counts, evaluator] = [noCounts(), createEvaluator(mapping)]
  const changes = users.map((user) => previewUser(counts, evaluator, user, user.before ?? none))
  const shortages = new Map()
  noteShortages(shortages, mapping, counts)
  const warnings = [...warningsOf(mapping, counts, [admins]), ...tooFewUsers(shortages)]
  return { counts, changes, warnings }
}

const user = (title: string, rest: Partial<MappedUser> & { before?: Evaluation } = {}) => ({
  resource: { title },
  active: true,
  groups: [],
  ...rest,
})

test('a preview counts who gains and loses each role, and whose attributes change', () => {
  const { counts, changes } = preview(
    {
      attributes: { title: { from: ['title'] } },
      roles: { rules: [{ id: 'r1', role: 'admin', when: { filter: 'title eq "a"' } }] },
    },
    [
      user('a'),
      user('a', { before: { roles: ['admin'], attributes: { title: 'a' } } }),
      user('b', { before: { roles: ['admin'], attributes: { title: 'a' } } }),
      user('a', { active: false, before: { roles: ['admin'], attributes: { title: 'a' } } }),
    ],
  )
  assert.equal(counts.evaluated, 4)
  assert.equal(counts.changed, 3)
  assert.deepEqual([...counts.roles], [['admin', { gain: 1, lose: 2 }]])
  assert.deepEqual([...counts.attributes], [['title', 2]])
  assert.deepEqual(
    changes.map((change) => change?.after.roles),
    [['admin'], undefined, [], []],
  )
  assert.equal(changes[0]?.because()[0]?.because[0]?.rule, 'r1')
})

for (const { what, rules, codes } of [
  {
    what: 'a group that does not exist',
    rules: [{ id: 'x', role: 'a', when: { group: 'g-9' } }],
    codes: ['group-missing', 'rule-for-nobody'],
  },
  {
    what: 'a name of a group that does not exist',
    rules: [{ id: 'x', role: 'a', when: { group_name: 'Admin' } }],
    codes: ['group-missing', 'rule-for-nobody'],
  },
  {
    what: 'nothing of a group by name in another letter case',
    rules: [{ id: 'x', role: 'a', when: { group_name: 'ADMINS' } }],
    codes: [],
  },
  {
    what: 'a rule for everybody',
    rules: [{ id: 'x', role: 'a', when: { filter: 'title pr' } }],
    codes: ['rule-for-everybody'],
  },
  {
    what: 'a rule that holds but is not the first',
    rules: [
      { id: 'x', role: 'a', when: { filter: 'title eq "b"' } },
      { id: 'y', role: 'b', when: { filter: 'title eq "b"' } },
    ],
    codes: [],
  },
]) {
  test(`a preview warns of ${what}`, () => {
    const { warnings } = preview({ roles: { mode: 'first', rules } }, [user('a', { groups: [admins] }), user('b')])
    assert.deepEqual(
      warnings.map(({ code }) => code),
      codes,
    )
    for (const { message } of warnings) assertForPeople(message)
  })
}

test('a preview warns when fewer users than keep_at_least have a role', () => {
  const rules = [{ id: 'x', role: 'admin', when: { filter: 'title eq "a"' } }]
  const { warnings } = preview({ roles: { keep_at_least: { admin: 2 }, rules } }, [user('a'), user('b')])
  assert.deepEqual(warnings, [
    { code: 'too-few-users', rule: 'admin', message: '1 user has the role admin; 2 must keep it.' },
  ])
})
