import assert from 'node:assert/strict'
import { assertScimError } from '../../../../support/errors.ts'
import type { Requirement } from '../../requirement.ts'
import { patchGroup, patchUser, responseTo, userAfter } from './support/patch.ts'
import { provisionGroup, provisionUser } from './support/provision.ts'
import { enterpriseUrn, patchOpUrn, userUrn } from './support/urns.ts'

/** RFC 7644 §3.5.2: the content of a PATCH request. */
export const patchRequestRequirements: readonly Requirement[] = [
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'A PATCH needs `Operations`, a list with at least one operation.',
    coveredBy: {
      test: 'a PATCH whose Operations are missing, empty or not a list is rejected',
      async run(provider) {
        const { id } = await provisionUser(provider, { userName: 'ann' })
        const remove = { op: 'remove', path: 'title' }
        for (const body of [{}, { Operations: [] }, { Operations: remove }, remove]) {
          const response = await provider.send('PATCH', `/Users/${id}`, { schemas: [patchOpUrn], ...body })
          assertScimError(response, 400, 'invalidSyntax')
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'The op of an operation is add, remove or replace, and nothing else.',
    coveredBy: {
      test: 'the operations move, copy and test of JSON Patch are rejected',
      async run(provider) {
        for (const op of ['move', 'copy', 'test', '']) {
          const other = await provider.another()
          assertScimError(await responseTo(other, {}, { op, path: 'title', value: 'Guide' }), 400, 'invalidSyntax')
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'Every operation has exactly one op.',
    coveredBy: {
      test: 'an operation whose op is missing or null is rejected',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        for (const operation of [
          { path: 'title', value: 'Guide' },
          { op: null, path: 'title', value: 'Guide' },
        ]) {
          const body = { schemas: [patchOpUrn], Operations: [operation] }
          assertScimError(await provider.send('PATCH', `/Users/${user.id}`, body), 400, 'invalidSyntax')
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'A path names an attribute, a sub-attribute, the values that match a filter, or a sub-attribute of those, with or without a URN.',
    coveredBy: {
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
    text: 'A path must follow the grammar.',
    coveredBy: {
      test: 'an incomplete path, and one with an unclosed bracket or text after the bracket, are rejected',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        for (const path of [
          'emails[type eq "work"',
          'name.',
          '.title',
          'emails[type eq "work"]value',
          'name.given.first',
        ]) {
          assertScimError(await patchUser(provider, user, { op: 'replace', path, value: 'x' }), 400, 'invalidPath')
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'Elements of a list are selected by filters, not by indexes.',
    coveredBy: {
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
    text: 'An operation on a read-only attribute is rejected.',
    coveredBy: {
      test: 'a PATCH of id, groups or meta.created is rejected',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        for (const path of ['id', 'groups', 'meta.created']) {
          const response = await patchUser(provider, user, { op: 'replace', path, value: '2001-01-01T00:00:00Z' })
          assertScimError(response, 400, 'mutability')
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'An immutable attribute that has a value is not changed.',
    coveredBy: {
      test: 'replacing the value of a member is rejected',
      async run(provider) {
        const ann = await provisionUser(provider, { userName: 'ann' })
        const bob = await provisionUser(provider, { userName: 'bob' })
        const group = await provisionGroup(provider, 'Guides', [ann])
        const path = `members[value eq "${ann.id}"].value`
        assertScimError(await patchGroup(provider, group, { op: 'replace', path, value: bob.id }), 400, 'mutability')
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'A value must fit the schema of its attribute; otherwise a SCIM error is returned.',
    coveredBy: {
      test: 'a boolean for a title, text for a name, and a word for active are rejected',
      async run(provider) {
        const user = await provisionUser(provider, { userName: 'ann' })
        for (const [path, value] of [
          ['title', true],
          ['title', ['Guide', 'Driver']],
          ['name', 'Ann'],
          ['active', 'perhaps'],
          ['emails', true],
        ] as const) {
          assertScimError(await patchUser(provider, user, { op: 'replace', path, value }), 400, 'invalidValue')
        }
      },
    },
  },
  {
    section: '3.5.2',
    level: 'MUST',
    text: 'A path must be valid for the schema.',
    coveredBy: {
      test: 'a path into an attribute without sub-attributes is rejected, one to an unknown attribute or sub-attribute is not',
      async run(provider) {
        for (const path of ['title.short', `${enterpriseUrn}:department.mail`]) {
          const operation = { op: 'add', path, value: 'x' }
          assertScimError(await responseTo(await provider.another(), {}, operation), 400, 'invalidPath')
        }
        const user = await userAfter(provider, {}, { op: 'add', path: 'helmetSize', value: 7 })
        assert.equal(user['helmetSize'], 7)
        const named = await userAfter(await provider.another(), {}, { op: 'add', path: 'name.initials', value: 'x' })
        assert.deepEqual(named['name'], { initials: 'x' })
      },
      strict: {
        test: 'a path to an attribute, sub-attribute or schema that is not defined is rejected',
        async run(provider) {
          const unknown = [
            'helmetSize',
            'name.initials',
            'emails[type eq "work"].size',
            'urn:example:made:up:User:size',
          ]
          for (const path of ['title.short', `${enterpriseUrn}:department.mail`, ...unknown]) {
            const response = await responseTo(await provider.another(), {}, { op: 'add', path, value: 'x' })
            assertScimError(response, 400, 'invalidPath')
          }
        },
      },
    },
    deviation: {
      text: 'An attribute or sub-attribute that is not in the schema is kept, as in a body; only a sub-attribute of an attribute that has none is rejected.',
      endedBy: 'scim_profile: "strict"',
    },
  },
]
