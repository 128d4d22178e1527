import assert from 'node:assert/strict'
import { assertScimError } from '../../../support/errors.ts'
import type { Provider, Requirement } from '../requirement.ts'
import { readEveryAttribute } from './definitions.ts'
import { createGroup, createUser, fieldsOf, pathOf, reread } from './resources.ts'

/** RFC 7643 §2.3.7: values that refer to another resource. */
export const referenceRequirements: readonly Requirement[] = [
  {
    section: '2.3.7',
    level: 'MUST',
    text: 'A reference is the absolute or relative URI of its target.',
    coveredBy: {
      test: "the `$ref` of a user's group and of a group's member are URIs",
      run: async (provider) => {
        const { references } = await userInGroup(provider)
        assert(references.every((reference) => URL.canParse(reference, provider.scimUrl)))
      },
    },
  },
  {
    section: '2.3.7',
    level: 'MUST',
    text: 'The base URI of a relative reference ends before the endpoint.',
    coveredBy: {
      test: "a `$ref`, resolved against the directory's base URL, is the endpoint and id below it",
      run: async (provider) => {
        const { user, group, references } = await userInGroup(provider)
        const resolved = references.map((reference) => new URL(reference, `${provider.scimUrl}/`).href)
        assert.deepEqual(resolved, [
          `${provider.scimUrl}/Groups/${group.body.id}`,
          `${provider.scimUrl}/Users/${user.body.id}`,
        ])
      },
    },
  },
  {
    section: '2.3.7',
    level: 'MUST',
    text: 'A reference to a resource is an HTTP URL.',
    coveredBy: {
      test: 'a `$ref` is an http or https URL',
      run: async (provider) => {
        const { references } = await userInGroup(provider)
        const schemes = references.map((reference) => new URL(reference, provider.scimUrl).protocol)
        assert(schemes.every((scheme) => scheme === 'http:' || scheme === 'https:'))
      },
    },
  },
  {
    section: '2.3.7',
    level: 'MUST',
    text: 'A GET of a reference returns its target.',
    coveredBy: {
      test: 'a GET of each `$ref` returns the group and the user',
      run: async (provider) => {
        const { user, group, references } = await userInGroup(provider)
        const responses = await Promise.all(references.map((reference) => get(provider, reference)))
        assert.deepEqual(
          responses.map(({ status, body }) => [status, body.id]),
          [
            [200, group.body.id],
            [200, user.body.id],
          ],
        )
      },
    },
  },
  {
    section: '2.3.7',
    level: 'MUST',
    text: 'A GET of a reference whose target is gone returns the matching status.',
    coveredBy: {
      test: 'a GET of the `$ref` of a deleted group returns 404',
      run: async (provider) => {
        const { group, references } = await userInGroup(provider)
        await provider.send('DELETE', pathOf(provider, group))
        assertScimError(await get(provider, references[0] ?? ''), 404)
      },
    },
  },
  {
    section: '2.3.7',
    level: 'MUST',
    text: 'References are case-sensitive.',
    coveredBy: {
      test: 'every attribute of type reference is defined as caseExact',
      run: async (provider) => {
        const references = (await readEveryAttribute(provider)).filter(({ type }) => type === 'reference')
        assert(references.length > 0)
        assert.deepEqual(
          references.filter((one) => one['caseExact'] !== true),
          [],
        )
      },
    },
  },
]

/** Creates a user in a group; returns the `$ref` from the user to the group, and from the group to the user. */
async function userInGroup(provider: Provider) {
  const user = await createUser(provider)
  const group = await createGroup(provider, { members: [{ value: user.body.id }] })
  const groups = fieldsOf(await reread(provider, user))['groups'] as readonly Record<string, unknown>[]
  const members = fieldsOf(await reread(provider, group))['members'] as readonly Record<string, unknown>[]
  return { user, group, references: [...groups, ...members].map(({ $ref }) => String($ref)) }
}

function get(provider: Provider, reference: string) {
  const address = new URL(reference, `${provider.scimUrl}/`).href
  return provider.send('GET', address.slice(provider.scimUrl.length))
}
