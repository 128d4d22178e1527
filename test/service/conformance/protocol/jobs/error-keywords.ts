import { assertScimRefusal } from '../../../../support/refusals.ts'
import type { Requirement } from '../../requirement.ts'
import { createGroup, createUser } from './create-resource.ts'
import { patchOf, searchRequest, user } from './messages.ts'
import { sendBulk } from './send-bulk.ts'

/** RFC 7644 §3.12: the keywords of errors with status 400. */
export const errorKeywords: readonly Requirement[] = [
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A filter that does not follow the grammar, or compares what cannot be compared so, is an invalidFilter.',
    shownBy: {
      test: 'filters that do not hold are invalidFilter: of a GET, a search and a PATCH',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        for (const filter of ['userName eq', 'userName is "ann"', '(title pr', 'active gt true', 'userName eq 7']) {
          const query = `?filter=${encodeURIComponent(filter)}`
          assertScimRefusal(await provider.send('GET', `/Users${query}`), 400, 'invalidFilter')
          const search = searchRequest({ filter })
          assertScimRefusal(await provider.send('POST', '/Users/.search', search), 400, 'invalidFilter')
        }
        const removal = patchOf({ op: 'remove', path: 'emails[primary gt true]' })
        assertScimRefusal(await provider.send('PATCH', path, removal), 400, 'invalidFilter')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A filter that finds more than the service provider is willing to look through is tooMany.',
    shownBy: { because: 'No filter finds too much: all matches are counted and returned in pages.' },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A value already in use is uniqueness: in a POST, a PUT and a PATCH.',
    shownBy: {
      test: 'a userName in use is uniqueness in every kind of request',
      async run(provider) {
        await createUser(provider, 'ann')
        const { path } = await createUser(provider, 'bob')
        const renamed = patchOf({ op: 'replace', path: 'userName', value: 'ann' })
        assertScimRefusal(await provider.send('POST', '/Users', user('ann')), 409, 'uniqueness')
        assertScimRefusal(await provider.send('PUT', path, user('ann')), 409, 'uniqueness')
        assertScimRefusal(await provider.send('PATCH', path, renamed), 409, 'uniqueness')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A change that the mutability of an attribute does not permit is mutability.',
    shownBy: {
      test: 'changes of what is readOnly, immutable or required are mutability',
      async run(provider) {
        const { path, id } = await createUser(provider, 'ann')
        const guides = await createGroup(provider, 'Guides', id)
        for (const operation of [
          { op: 'replace', path: 'id', value: 'another' },
          { op: 'add', path: 'groups', value: [{ value: guides.id }] },
          { op: 'replace', path: 'meta.created', value: '2026-01-01T00:00:00Z' },
          { op: 'remove', path: 'userName' },
        ]) {
          assertScimRefusal(await provider.send('PATCH', path, patchOf(operation)), 400, 'mutability')
        }
        const changed = patchOf({ op: 'replace', path: `members[value eq "${id}"].value`, value: 'another' })
        assertScimRefusal(await provider.send('PATCH', guides.path, changed), 400, 'mutability')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A body that is not built as the request demands is invalidSyntax.',
    shownBy: {
      test: 'bodies that are not what the request demands are invalidSyntax',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        assertScimRefusal(await provider.send('POST', '/Users', ['ann']), 400, 'invalidSyntax')
        assertScimRefusal(await provider.send('PUT', path, '"ann"'), 400, 'invalidSyntax')
        assertScimRefusal(await provider.send('PATCH', path, { Operations: 'none' }), 400, 'invalidSyntax')
        assertScimRefusal(await provider.send('PATCH', path, patchOf({ op: 'rename' })), 400, 'invalidSyntax')
        assertScimRefusal(await provider.send('POST', '/Users/.search', '{'), 400, 'invalidSyntax')
        assertScimRefusal(await sendBulk(provider, 'none'), 400, 'invalidSyntax')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A path of a PATCH that is malformed, or names what no schema has, is an invalidPath.',
    shownBy: {
      test: 'paths that lead nowhere are invalidPath',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        for (const wrong of ['emails[type eq "work"', 'name.', '.name', 'name.given.name', 'shoeSize']) {
          const change = patchOf({ op: 'replace', path: wrong, value: 'a' })
          assertScimRefusal(await provider.send('PATCH', path, change), 400, 'invalidPath')
        }
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A PATCH that has nothing to work on, as its filter finds no value or it has no path, is noTarget.',
    shownBy: {
      test: 'a removal without a path, and a replacement where the filter finds nothing, are noTarget',
      async run(provider) {
        const { path } = await createUser(provider, 'ann', { emails: [{ value: 'ann@x.example', type: 'work' }] })
        const found = 'emails[value ew "@y.example"].display'
        for (const operation of [{ op: 'remove' }, { op: 'replace', path: found, value: 'Ann' }]) {
          assertScimRefusal(await provider.send('PATCH', path, patchOf(operation)), 400, 'noTarget')
        }
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A value that is missing, or that does not fit the attribute or the parameter, is an invalidValue.',
    shownBy: {
      test: 'values that are missing or do not fit are invalidValue, in every kind of request',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const wrong = user('ann', { active: 'perhaps' })
        const change = patchOf({ op: 'replace', path: 'active', value: 'perhaps' })
        assertScimRefusal(await provider.send('GET', '/Users?count=many'), 400, 'invalidValue')
        const search = searchRequest({ startIndex: 'first' })
        assertScimRefusal(await provider.send('POST', '/Users/.search', search), 400, 'invalidValue')
        assertScimRefusal(await provider.send('POST', '/Users', wrong), 400, 'invalidValue')
        assertScimRefusal(await provider.send('POST', '/Groups', { members: [] }), 400, 'invalidValue')
        assertScimRefusal(await provider.send('PUT', path, wrong), 400, 'invalidValue')
        assertScimRefusal(await provider.send('PATCH', path, change), 400, 'invalidValue')
        assertScimRefusal(
          await provider.send('PATCH', path, patchOf({ op: 'add', path: 'title' })),
          400,
          'invalidValue',
        )
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    asks: 'A version of the protocol that is not supported is invalidVers.',
    shownBy: {
      because: 'The version is part of the base URL: a URL with another version does not exist and returns 404.',
    },
  },
]
