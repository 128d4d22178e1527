import assert from 'node:assert/strict'
import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { answerTo, patchGroup, patchUser, userAfter } from './support/patch.ts'
import { provisionGroup, provisionUser } from './support/provision.ts'
import { enterpriseUrn, patchOpUrn, userUrn } from './support/urns.ts'

/** RFC 7644 §3.5.2: what a PATCH may ask for. */
export const patchRequestRequirements: readonly Requirement[] = [
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'A PATCH needs `Operations`, a list of at least one.',
    shownBy: {
      test: 'a PATCH without Operations, with none, or with one outside of a list is rejected',
      async run(provider) {
        const { id } = await provisionUser(provider, { userName: 'ann' })
        const remove = { op: 'remove', path: 'title' }
        for (const body of [{}, { Operations: [] }, { Operations: remove }, remove]) {
          const answer = await provider.send('PATCH', `/Users/${id}`, { schemas: [patchOpUrn], ...body })
          assertScimRefusal(answer, 400, 'invalidSyntax')
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'The op of an operation is add, remove or replace, and nothing else.',
    shownBy: {
      test: 'the operations move, copy and test of JSON Patch are rejected',
      async run(provider) {
        for (const op of ['move', 'copy', 'test', '']) {
          const other = await provider.another()
          assertScimRefusal(await answerTo(other, {}, { op, path: 'title', value: 'Guide' }), 400, 'invalidSyntax')
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'A path names an attribute, a part of one, values that a filter picks, or a part of those; all with a URN or not.',
    shownBy: {
      test: 'paths of every form select what they name',
      async run(provider) {
        const emails = [
          { value: 'a@example.com', type: 'work' },
          { value: 'b@example.com', type: 'home' },
        ]
        const user = await userAfter(
          provider,
          { emails },
          { op: 'replace', path: 'title', value: 'Guide' },
          { op: 'replace', path: 'name.givenName', value: 'Ann' },
          { op: 'remove', path: 'emails[type eq "home"]' },
          { op: 'replace', path: 'emails[type eq "work" and value ew ".com"].display', value: 'Work' },
          { op: 'replace', path: `${userUrn}:name.familyName`, value: 'Archer' },
          { op: 'replace', path: `${enterpriseUrn}:department`, value: 'Tours' },
        )
        const { schemas, id, meta, active, ...rest } = user
        assert.deepEqual(rest, {
          userName: 'ann',
          title: 'Guide',
          name: { givenName: 'Ann', familyName: 'Archer' },
          emails: [{ value: 'a@example.com', type: 'work', display: 'Work' }],
          [enterpriseUrn]: { department: 'Tours' },
        })
        assert(schemas && id && meta && active)
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'A path must follow the grammar.',
    shownBy: {
      test: 'a path with an open bracket, an open end, or more after the bracket is rejected',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        for (const path of [
          'emails[type eq "work"',
          'name.',
          '.title',
          'emails[type eq "work"]value',
          'name.given.first',
        ]) {
          assertScimRefusal(await patchUser(provider, user, { op: 'replace', path, value: 'x' }), 400, 'invalidPath')
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'Elements of a list are selected by filters, not by indexes.',
    shownBy: {
      test: 'a path with an index or in JSON Pointer syntax is rejected',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann', emails: [{ value: 'a@example.com' }] })
        for (const path of ['emails[0]', 'emails.0', '/emails/0', 'emails/-']) {
          const { status, text } = await patchUser(provider, user, { op: 'replace', path, value: { value: 'b' } })
          assert.equal(status, 400, text)
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'An operation on a read-only attribute is rejected.',
    shownBy: {
      test: 'id, groups and meta.created are not changed',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        for (const path of ['id', 'groups', 'meta.created']) {
          const answer = await patchUser(provider, user, { op: 'replace', path, value: '2001-01-01T00:00:00Z' })
          assertScimRefusal(answer, 400, 'mutability')
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'An immutable attribute that has a value is not changed.',
    shownBy: {
      test: 'a member does not become another user',
      async run(provider) {
        const ann = await provisionUser(provider, { userName: 'ann' })
        const bob = await provisionUser(provider, { userName: 'bob' })
        const group = await provisionGroup(provider, 'Guides', [ann])
        const path = `members[value eq "${ann.id}"].value`
        assertScimRefusal(await patchGroup(provider, group, { op: 'replace', path, value: bob.id }), 400, 'mutability')
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'A value must fit the schema of its attribute; otherwise a SCIM error is returned.',
    shownBy: {
      test: 'a number for a title, text for a name, and a word for active are rejected',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        for (const [path, value] of [
          ['title', 7],
          ['name', 'Ann'],
          ['active', 'perhaps'],
          ['emails', 7],
        ] as const) {
          assertScimRefusal(await patchUser(provider, user, { op: 'replace', path, value }), 400, 'invalidValue')
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    asks: 'An attribute that the schema does not have cannot be the target of a path.',
    shownBy: {
      test: 'a path to an attribute that no user has is rejected',
      async run(provider) {
        assertScimRefusal(await answerTo(provider, {}, { op: 'add', path: 'helmetSize', value: 7 }), 400, 'invalidPath')
      },
    },
  },
]
