import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DirectoryError } from '../../../src/directory/errors.ts'
import { effectiveMapping } from '../../../src/mapping/compiled.ts'
import type { MappingDocument } from '../../../src/mapping/document.ts'
import { parseMapping } from '../../../src/mapping/parse.ts'

const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const parse = (mapping: unknown, owner: 'directory' | 'product' = 'directory') =>
  parseMapping(mapping, owner, async () => {})

/** The refusals of a mapping; empty when it is accepted. */
async function refusals(mapping: unknown): Promise<readonly string[]> {
  try {
    await parse(mapping)
    return []
  } catch (error) {
    assert(error instanceof DirectoryError, String(error))
    return error.problems.length > 0 ? error.problems.map(({ message }) => message) : [error.message]
  }
}

const rule = (when: unknown, rest: object = { role: 'admin' }) => ({ roles: { rules: [{ id: 'r1', ...rest, when }] } })

test('a mapping with every part is accepted', async () => {
  const mapping = await parse({
    attributes: {
      department: { from: [`${enterprise}:department`, 'title'] },
      domain: { from: ['userName'], transform: ['lower', { after: '@' }] },
      phone: { from: ['phoneNumbers[type eq "work"].value'] },
      boss: { from: ['manager'] },
      tier: { from: ['urn:example:custom:1.0:User:tier'], transform: [{ map: { gold: 1 } }, { default: 0 }] },
    },
    roles: {
      mode: 'first',
      default: ['member'],
      keep_at_least: { admin: 1 },
      rules: [
        { id: 'r1', role: 'admin', when: { group: '0190' } },
        { role: 'billing', when: { filter: `${enterprise}:department eq "Finance"` } },
        { deny: 'admin', when: { group_name: 'Contractors', filter: 'userType eq "Contractor"' } },
      ],
    },
  })
  assert.deepEqual(
    mapping.roles?.rules.map(({ id, kind }) => [id, kind]),
    [
      ['r1', 'give'],
      ['r2', 'give'],
      ['r3', 'deny'],
    ],
  )
})

test('an empty mapping is accepted', async () => {
  assert.deepEqual(await parse({}), { attributes: [], roles: undefined })
})

for (const { what, mapping, says } of [
  { what: 'text', mapping: 'x', says: /send a JSON object/ },
  { what: 'an unknown field', mapping: { role: {} }, says: /^role: unknown; did you mean roles\?/ },
  {
    what: 'an unknown field of a rule',
    mapping: rule({ group: 'a' }, { rol: 'a', role: 'b' }),
    says: /rules\[0\] \(r1\).rol: unknown; did you mean role/,
  },
  {
    what: 'rules that are an object',
    mapping: { roles: { rules: {} } },
    says: /^roles.rules: an array of at most 1000/,
  },
  {
    what: 'a rule that is a text',
    mapping: { roles: { rules: ['admin'] } },
    says: /^roles.rules\[0\]: an object with role or deny/,
  },
  {
    what: 'a rule with role and deny',
    mapping: rule({ group: 'a' }, { role: 'a', deny: 'b' }),
    says: /\(r1\): name the role either/,
  },
  { what: 'a rule with neither', mapping: rule({ group: 'a' }, {}), says: /\(r1\): name the role either/ },
  {
    what: 'a rule without a condition',
    mapping: { roles: { rules: [{ role: 'a' }] } },
    says: /rules\[0\].when: an object/,
  },
  { what: 'an empty condition', mapping: rule({}), says: /when: name a group, a group_name or a filter/ },
  {
    what: 'a filter with a syntax error',
    mapping: rule({ filter: 'userType eq' }),
    says: /\(r1\).when.filter: .*filter/,
  },
  {
    what: 'a misspelled sub-attribute',
    mapping: rule({ filter: 'name.givnName eq "A"' }),
    says: /Did you mean name.givenName\?/,
  },
  {
    what: 'a filter on groups',
    mapping: rule({ filter: 'groups.value eq "a"' }),
    says: /name the group in group or group_name/,
  },
  {
    what: 'a filter on meta',
    mapping: rule({ filter: 'meta.lastModified gt "2026-01-01T00:00:00Z"' }),
    says: /meta cannot be used/,
  },
  {
    what: 'a filter inside of one on groups',
    mapping: rule({ filter: 'not (groups[display eq "a"])' }),
    says: /name the group in group/,
  },
  {
    what: 'a repeated id',
    mapping: { roles: { rules: [1, 2].map(() => ({ id: 'x', role: 'a', when: { group: 'g' } })) } },
    says: /rules\[1\] \(x\): another rule has this id/,
  },
  {
    what: 'keep_at_least of a role that nobody gets',
    mapping: { roles: { keep_at_least: { boss: 1 } } },
    says: /keep_at_least.boss: no rule gives this role/,
  },
  {
    what: 'keep_at_least of zero',
    mapping: { roles: { default: ['a'], keep_at_least: { a: 0 } } },
    says: /keep_at_least.a: a whole number/,
  },
  { what: 'a default that is an object', mapping: { roles: { default: [{}] } }, says: /^roles.default: an array/ },
  { what: 'an unknown mode', mapping: { roles: { mode: 'any' } }, says: /^roles.mode: all gives every role/ },
  {
    what: 'an attribute without sources',
    mapping: { attributes: { a: { from: [] } } },
    says: /^attributes.a.from: an array of 1 to 5/,
  },
  {
    what: 'an attribute that is a list',
    mapping: { attributes: { a: ['title'] } },
    says: /^attributes.a: an object with from/,
  },
  {
    what: 'a path with a syntax error',
    mapping: { attributes: { a: { from: ['emails[type'] } } },
    says: /^attributes.a.from\[0\]: Invalid path/,
  },
  {
    what: 'a complex attribute',
    mapping: { attributes: { a: { from: ['name'] } } },
    says: /name is complex: name one of its sub-attributes, .*givenName/,
  },
  {
    what: 'a whole extension',
    mapping: { attributes: { a: { from: [enterprise] } } },
    says: /names a whole extension/,
  },
  {
    what: 'groups as a source',
    mapping: { attributes: { a: { from: ['groups.display'] } } },
    says: /groups cannot be used here/,
  },
  {
    what: 'the password as a source',
    mapping: { attributes: { a: { from: ['password'] } } },
    says: /password cannot be used/,
  },
  {
    what: 'an unknown transform',
    mapping: { attributes: { a: { from: ['title'], transform: [{ rot13: true }] } } },
    says: /^attributes.a.transform: an array of at most 20 steps/,
  },
  {
    what: 'a name with a space',
    mapping: { attributes: { 'a b': { from: ['title'] } } },
    says: /a name has 1 to 100 letters/,
  },
  {
    what: 'too many rules',
    mapping: { roles: { rules: Array.from({ length: 1001 }, () => ({ role: 'a', when: { group: 'g' } })) } },
    says: /at most 1000/,
  },
  {
    what: 'too many conditions',
    mapping: {
      roles: {
        rules: Array.from({ length: 4 }, () => ({
          role: 'a',
          when: { filter: Array.from({ length: 1500 }, () => 'title pr').join(' or ') },
        })),
      },
    },
    says: /6000 conditions; at most 2000/,
  },
  {
    what: 'too much text',
    mapping: { attributes: { a: { from: ['title'], transform: [{ map: { a: 'x'.repeat(300_000) } }] } } },
    says: /at most 262144 characters/,
  },
]) {
  test(`a mapping is refused: ${what}`, async () => {
    const messages = await refusals(mapping)
    assert(
      messages.some((message) => says.test(message)),
      messages.join('\n'),
    )
  })
}

test('a mapping of a directory may extend that of its product, and keep roles which that one gives', async () => {
  const mapping = { extends: 'product', roles: { keep_at_least: { admin: 1 } } }
  assert.equal((await parse(mapping)).roles?.keepAtLeast.get('admin'), 1)
  await assert.rejects(parse(mapping, 'product'), /^DirectoryError: extends: the mapping of a product extends none/)
  await assert.rejects(parse({ extends: 'tenant' }), /extends: product, in the mapping of a directory/)
})

test('together, two mappings may exceed the limits of one', async () => {
  const filter = Array.from({ length: 2 }, (_, index) => `title eq "${index}"`).join(' or ')
  const large = (kind: string): MappingDocument => ({
    attributes: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`${kind}${n}`, { from: ['title'] }])),
    roles: { rules: Array.from({ length: 1_000 }, (_, n) => ({ role: `${kind}${n % 200}`, when: { filter } })) },
  })
  const [own, product] = [large('a'), large('b')]
  await parse(own)
  await parse(product, 'product')
  const { attributes, roles } = effectiveMapping(own, product)
  assert.deepEqual([attributes.length, roles?.rules.length], [200, 2_000])
})

test('a refusal names everything that is wrong', async () => {
  const messages = await refusals({
    attributes: { a: { from: ['name', 'emails[type'] } },
    roles: {
      rules: [
        { role: 'a', when: { filter: 'x' } },
        { role: 7, when: { group: 'g' } },
      ],
    },
  })
  assert.deepEqual(
    messages.map((message) => message.slice(0, message.indexOf(':'))),
    ['attributes.a.from[0]', 'attributes.a.from[1]', 'roles.rules[0].when.filter', 'roles.rules[1].role'],
  )
})

test('a refusal names the first twenty problems, and how many rules were not checked', async () => {
  const rules = Array.from({ length: 1_000 }, (_, n) => ({ role: 'a', when: { filter: `title eq ${n} (` } }))
  const messages = await refusals({ roles: { rules } })
  assert.equal(messages.length, 21)
  assert.match(messages[19] ?? '', /^roles\.rules\[19\]\.when\.filter: /)
  assert.equal(messages[20], 'roles.rules: the last 980 were not checked; fix these problems first.')
})

test('twenty problems, the last of which is in the last rule, are all there are', async () => {
  const rules = Array.from({ length: 20 }, () => ({ role: 'a', when: { filter: 'x' } }))
  assert.equal((await refusals({ roles: { rules } })).length, 20)
})

for (const [what, count, mapping] of [
  ['rules', 1_000, { roles: { rules: Array(1_000).fill({ role: 'a', when: { filter: 'title pr' } }) } }],
  [
    'attributes',
    100,
    { attributes: Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`a${n}`, { from: ['title'] }])) },
  ],
] as const) {
  test(`${count} ${what} are parsed twenty at a time`, async () => {
    let slices = 0
    await parseMapping(mapping, 'directory', async () => {
      slices += 1
    })
    assert(slices >= count / 20, `${slices} slices`)
  })
}

test('each rule with a problem takes a slice, and those that are not checked take none', async () => {
  let slices = 0
  const rules = Array(1_000).fill({ role: 'a', when: { filter: 'x' } })
  const parsed = parseMapping({ roles: { rules } }, 'directory', async () => {
    slices += 1
  })
  await assert.rejects(parsed)
  assert(slices >= 20 && slices <= 25, `${slices} slices`)
})
