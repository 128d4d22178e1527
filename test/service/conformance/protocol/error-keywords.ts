import { assertScimError } from '../../../support/errors.ts'
import type { Requirement } from '../requirement.ts'
import { sendBulk } from './bulk/send-bulk.ts'
import { createGroup, createUser } from './support/create-resource.ts'
import { patchOf, searchRequest, user } from './support/messages.ts'

/** RFC 7644 §3.12: the keywords of errors with status 400. */
export const errorKeywords: readonly Requirement[] = [
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A filter that violates the grammar, or uses an unsupported comparison, is an invalidFilter.',
    coveredBy: {
      test: 'invalid filters are invalidFilter in a GET, a search and a PATCH',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        for (const filter of ['userName eq', 'userName is "ann"', '(title pr', 'active gt true', 'userName eq 7']) {
          const query = `?filter=${encodeURIComponent(filter)}`
          assertScimError(await provider.send('GET', `/Users${query}`), 400, 'invalidFilter')
          const search = searchRequest({ filter })
          assertScimError(await provider.send('POST', '/Users/.search', search), 400, 'invalidFilter')
        }
        const removal = patchOf({ op: 'remove', path: 'emails[primary gt true]' })
        assertScimError(await provider.send('PATCH', path, removal), 400, 'invalidFilter')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A filter with more matches than the service provider is willing to process is tooMany.',
    coveredBy: { because: 'No filter has too many matches: all are counted and returned in pages.' },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A value already in use is uniqueness: in a POST, a PUT and a PATCH.',
    coveredBy: {
      test: 'a userName in use is uniqueness in every kind of request',
      async run(provider) {
        await createUser(provider, 'ann')
        const { path } = await createUser(provider, 'bob')
        const renamed = patchOf({ op: 'replace', path: 'userName', value: 'ann' })
        assertScimError(await provider.send('POST', '/Users', user('ann')), 409, 'uniqueness')
        assertScimError(await provider.send('PUT', path, user('ann')), 409, 'uniqueness')
        assertScimError(await provider.send('PATCH', path, renamed), 409, 'uniqueness')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A change that the mutability of an attribute does not permit is mutability.',
    coveredBy: {
      test: 'changes of readOnly, immutable or required attributes are mutability',
      async run(provider) {
        const { path, id } = await createUser(provider, 'ann')
        const guides = await createGroup(provider, 'Guides', id)
        for (const operation of [
          { op: 'replace', path: 'id', value: 'another' },
          { op: 'add', path: 'groups', value: [{ value: guides.id }] },
          { op: 'replace', path: 'meta.created', value: '2026-01-01T00:00:00Z' },
          { op: 'remove', path: 'userName' },
        ]) {
          assertScimError(await provider.send('PATCH', path, patchOf(operation)), 400, 'mutability')
        }
        const changed = patchOf({ op: 'replace', path: `members[value eq "${id}"].value`, value: 'another' })
        assertScimError(await provider.send('PATCH', guides.path, changed), 400, 'mutability')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A body without the structure that the request requires is invalidSyntax.',
    coveredBy: {
      test: 'bodies with the wrong structure are invalidSyntax',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        assertScimError(await provider.send('POST', '/Users', ['ann']), 400, 'invalidSyntax')
        assertScimError(await provider.send('PUT', path, '"ann"'), 400, 'invalidSyntax')
        assertScimError(await provider.send('PATCH', path, { Operations: 'none' }), 400, 'invalidSyntax')
        assertScimError(await provider.send('PATCH', path, patchOf({ op: 'rename' })), 400, 'invalidSyntax')
        assertScimError(await provider.send('POST', '/Users/.search', '{'), 400, 'invalidSyntax')
        assertScimError(await sendBulk(provider, 'none'), 400, 'invalidSyntax')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A path of a PATCH that is malformed, or names a sub-attribute of an attribute that has none, is an invalidPath.',
    coveredBy: {
      test: 'malformed paths and sub-attributes of simple attributes are invalidPath',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        for (const wrong of ['emails[type eq "work"', 'name.', '.name', 'name.given.name', 'title.initials']) {
          const change = patchOf({ op: 'replace', path: wrong, value: 'a' })
          assertScimError(await provider.send('PATCH', path, change), 400, 'invalidPath')
        }
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A PATCH without a target, because its filter has no matches or it has no path, is noTarget.',
    coveredBy: {
      test: 'a remove without a path, and a replace whose filter has no matches, are noTarget',
      async run(provider) {
        const { path } = await createUser(provider, 'ann', { emails: [{ value: 'ann@x.example', type: 'work' }] })
        const found = 'emails[value ew "@y.example"].display'
        for (const operation of [{ op: 'remove' }, { op: 'replace', path: found, value: 'Ann' }]) {
          assertScimError(await provider.send('PATCH', path, patchOf(operation)), 400, 'noTarget')
        }
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A value that is missing, or not valid for the attribute or parameter, is an invalidValue.',
    coveredBy: {
      test: 'missing and invalid values are invalidValue in every kind of request',
      async run(provider) {
        const { path } = await createUser(provider, 'ann')
        const wrong = user('ann', { active: 'perhaps' })
        const change = patchOf({ op: 'replace', path: 'active', value: 'perhaps' })
        assertScimError(await provider.send('GET', '/Users?count=many'), 400, 'invalidValue')
        const search = searchRequest({ startIndex: 'first' })
        assertScimError(await provider.send('POST', '/Users/.search', search), 400, 'invalidValue')
        assertScimError(await provider.send('POST', '/Users', wrong), 400, 'invalidValue')
        assertScimError(await provider.send('POST', '/Groups', { members: [] }), 400, 'invalidValue')
        assertScimError(await provider.send('PUT', path, wrong), 400, 'invalidValue')
        assertScimError(await provider.send('PATCH', path, change), 400, 'invalidValue')
        assertScimError(await provider.send('PATCH', path, patchOf({ op: 'add', path: 'title' })), 400, 'invalidValue')
      },
    },
  },
  {
    section: '3.12',
    level: 'SHOULD',
    text: 'A version of the protocol that is not supported is invalidVers.',
    coveredBy: {
      because: 'The version is part of the base URL: a URL with another version does not exist and returns 404.',
    },
  },
]
