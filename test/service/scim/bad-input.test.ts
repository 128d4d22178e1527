import { test } from 'node:test'
import { assertApiError, assertScimError } from '../../support/errors.ts'
import { ellipticKey, keyFile, longKey, publicKey, shortKey } from '../../support/key-file.ts'
import { forEachEngine, forSuite, startTestService } from '../../support/service.ts'

const nul = '\u0000'
const long = (length: number) => 'x'.repeat(length)
const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
const jsonType = { 'content-type': 'application/json' }

/** A request to the directory-sync API; `{id}`, `{user}` and `{group}` in its path are those of the suite. */
interface ApiCase {
  readonly because: string
  readonly request: readonly [method: string, path: string, body?: unknown, headers?: Record<string, string>]
  readonly status: number
}

const required = { tenant: 'acme', product: 'crm' }
const create = (fields: unknown): ApiCase['request'] => ['POST', '', fields]
const patch = (fields: unknown): ApiCase['request'] => ['PATCH', '/{id}', fields]
const get = (path: string): ApiCase['request'] => ['GET', path]

type Row = Pick<ApiCase, 'because' | 'request'>
const withStatus = (status: number, rows: readonly Row[]): ApiCase[] => rows.map((row) => ({ ...row, status }))

const apiCases: readonly ApiCase[] = [
  ...withStatus(400, [
    { because: 'a body that is not JSON', request: create('{"tenant":') },
    { because: 'an empty body', request: ['POST', '', '', jsonType] },
    { because: 'no body', request: ['POST', ''] },
    { because: 'a list', request: create([required]) },
    { because: 'text', request: create('"acme"') },
    { because: 'null', request: create('null') },
    { because: 'a number', request: create('1e999') },
    { because: 'a body that is nested too deeply', request: create(`{"name":${deep(65)}}`) },
    { because: 'a body that is nested a hundred thousand deep', request: create(deep(100_000)) },
    { because: 'an attribute __proto__', request: create('{"__proto__":{"tenant":"acme","product":"crm"}}') },
    { because: 'an attribute __proto__ in escapes', request: create('{"\\u005f_proto__":{"tenant":"a"}}') },
    { because: 'an attribute __proto__ within', request: create('{"tenant":"a","product":"b","x":{"__proto__":1}}') },
    { because: 'no tenant', request: create({ product: 'crm' }) },
    { because: 'no product', request: create({ tenant: 'acme' }) },
    { because: 'an empty tenant', request: create({ ...required, tenant: '' }) },
    { because: 'a tenant with a colon', request: create({ ...required, tenant: 'acme:emea' }) },
    { because: 'a product with a colon', request: create({ ...required, product: ':' }) },
    { because: 'a tenant that is a number', request: create({ ...required, tenant: 7 }) },
    { because: 'a tenant that is a list', request: create({ ...required, tenant: ['acme'] }) },
    { because: 'a tenant that is an object', request: create({ ...required, tenant: { toString: 'acme' } }) },
    { because: 'a tenant that is null', request: create({ ...required, tenant: null }) },
    { because: 'a tenant that is too long', request: create({ ...required, tenant: long(201) }) },
    { because: 'a tenant with NUL', request: create({ ...required, tenant: `ac${nul}me` }) },
    { because: 'a tenant with a lone surrogate', request: create('{"tenant":"\\ud800","product":"crm"}') },
    { because: 'a name that is too long', request: create({ ...required, name: long(201) }) },
    { because: 'a name with NUL', request: create({ ...required, name: `a${nul}` }) },
    { because: 'a name with a lone surrogate', request: create('{"tenant":"a","product":"b","name":"\\udfff"}') },
    { because: 'a name that is an object', request: create({ ...required, name: {} }) },
    { because: 'an empty name', request: create({ ...required, name: '' }) },
    { because: 'an unknown type', request: create({ ...required, type: 'okta' }) },
    { because: 'a type named like a property of every object', request: create({ ...required, type: 'constructor' }) },
    { because: 'a type that is a list', request: create({ ...required, type: ['okta-scim-v2'] }) },
    { because: 'a webhook_url that is not a URL', request: create({ ...required, webhook_url: 'nowhere' }) },
    { because: 'a webhook_url of another scheme', request: create({ ...required, webhook_url: 'ftp://example.com' }) },
    {
      because: 'a webhook_url with a password',
      request: create({ ...required, webhook_url: 'https://a:b@c.example' }),
    },
    { because: 'a webhook_url with NUL', request: create({ ...required, webhook_url: `https://a.example/${nul}` }) },
    {
      because: 'a webhook_url that is too long',
      request: create({ ...required, webhook_url: `https://a.example/${long(2000)}` }),
    },
    { because: 'a webhook_url that is a number', request: create({ ...required, webhook_url: 1 }) },
    { because: 'a webhook_secret alone', request: create({ ...required, webhook_secret: 'long enough' }) },
    {
      because: 'a whsec_ secret without bytes',
      request: create({ ...required, webhook_url: 'https://a.example', webhook_secret: 'whsec_' }),
    },
    {
      because: 'a whsec_ secret of less than a byte',
      request: create({ ...required, webhook_url: 'https://a.example', webhook_secret: 'whsec_A' }),
    },
    {
      because: 'a whsec_ secret that is not base64',
      request: create({ ...required, webhook_url: 'https://a.example', webhook_secret: 'whsec_not base64' }),
    },
    {
      because: 'an extdir token that is too long',
      request: create({ ...required, type: 'extdir', extdir_access_token: long(4001) }),
    },
    {
      because: 'an extdir domain that is a list',
      request: create({ ...required, type: 'extdir', extdir_domain: ['a'] }),
    },
    ...[
      'acme',
      '@acme.example',
      'a@acme.example',
      'https://acme.example',
      'acme..example',
      '-a.example',
      'acme.example.',
    ]
      .concat('*.acme.example', 'acme .example', `acme.example${nul}`, `${long(64)}.example`, 'äcme.example')
      .map((domain) => ({
        because: `an extdir domain that is not a host name: ${JSON.stringify(domain).slice(0, 25)}`,
        request: create({ ...required, type: 'extdir', extdir_domain: domain }),
      })),
    ...[
      ['that is a list', []],
      ['that is a number', 7],
      ['that is no JSON', '{"type":'],
      ['that is null in JSON', 'null'],
      ['of another type', { ...keyFile, type: 'authorized_user' }],
      ['without a type', { ...keyFile, type: undefined }],
      ['without an address', { ...keyFile, client_email: undefined }],
      ['whose address is none', { ...keyFile, client_email: 'a b@c' }],
      ['without a key', { ...keyFile, private_key: undefined }],
      [
        'whose key is none',
        { ...keyFile, private_key: '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n' },
      ],
      ['whose key is public', { ...keyFile, private_key: publicKey }],
      ['whose key cannot sign as Google wants', { ...keyFile, private_key: ellipticKey }],
      ['whose key is too short', { ...keyFile, private_key: shortKey }],
      ['whose key takes seconds to sign with', { ...keyFile, private_key: longKey() }],
      ['whose key has a bad id', { ...keyFile, private_key_id: `a${nul}` }],
      ['whose subject is no address', { ...keyFile, subject: 'admin' }],
      ['that is too long', { ...keyFile, more: long(8192) }],
      ['that is too long as text', JSON.stringify({ ...keyFile, more: long(8192) })],
    ].map(([what, account]) => ({
      because: `a service account ${what}`,
      request: create({
        ...required,
        type: 'extdir',
        extdir_subject: 'admin@acme.example',
        extdir_service_account: account,
      }),
    })),
    ...[
      'sales@acme.example',
      ['a b@acme.example'],
      ['a/b'],
      ['@acme.example'],
      ['a@b@c.example'],
      [`a${nul}@acme.example`],
      [''],
      [7],
      [`${long(320)}@c`],
      Array.from({ length: 101 }, (_, n) => `group-${n}`),
    ].map((groups) => ({
      because: `extdir groups that are not addresses or ids: ${JSON.stringify(groups).slice(0, 20)}`,
      request: create({ ...required, type: 'extdir', extdir_groups: groups }),
    })),
    ...['/Press', ['Press'], [''], [`/a${nul}`], [7], [`/${long(500)}`], Array.from({ length: 101 }, () => '/')].map(
      (units) => ({
        because: `extdir units that are not paths: ${JSON.stringify(units).slice(0, 20)}`,
        request: create({ ...required, type: 'extdir', extdir_org_units: units }),
      }),
    ),
    {
      because: 'a service account without a subject',
      request: create({ ...required, type: 'extdir', extdir_service_account: keyFile }),
    },
    {
      because: 'a subject without a service account',
      request: create({ ...required, type: 'extdir', extdir_subject: 'admin@acme.example' }),
    },
    ...['admin', 'a@b@c', '@', 'a b@c.example', `a${nul}@c.example`, ['a@b.example'], `${long(320)}@c`].map(
      (subject) => ({
        because: `a subject that is not an email address: ${JSON.stringify(subject).slice(0, 20)}`,
        request: create({ ...required, type: 'extdir', extdir_service_account: keyFile, extdir_subject: subject }),
      }),
    ),

    { because: 'no field to change', request: patch({}) },
    { because: 'fields that cannot be changed', request: patch({ tenant: 'other', type: 'extdir' }) },
    { because: 'a list', request: patch([]) },
    { because: 'a flag that is a number', request: patch({ deactivated: 1 }) },
    { because: 'a flag that is neither true nor false', request: patch({ log_webhook_events: 'yes' }) },
    { because: 'a name that is null', request: patch({ name: null }) },
    { because: 'a grace that is negative', request: ['POST', '/{id}/rotate-secret', { grace_seconds: -1 }] },
    { because: 'a grace that is not a whole number', request: ['POST', '/{id}/rotate-secret', { grace_seconds: 1.5 }] },
    { because: 'an infinite grace', request: ['POST', '/{id}/rotate-secret', '{"grace_seconds":1e400}'] },
    { because: 'a grace that is text', request: ['POST', '/{id}/rotate-secret', { grace_seconds: 'soon' }] },
    { because: 'a grace in a list', request: ['POST', '/{id}/rotate-secret', [60]] },

    { because: 'no scope', request: get('') },
    { because: 'half a scope', request: get('?tenant=acme') },
    { because: 'the other half of a scope', request: get('?product=crm') },
    { because: 'an empty scope', request: get('?tenant=&product=') },
    { because: 'a scope given twice', request: get('?tenant=acme&tenant=zeta&product=crm') },
    { because: 'a tenant with a colon', request: get('?tenant=ac:me&product=crm') },
    { because: 'a tenant with %00', request: get('?tenant=ac%00me&product=crm') },
    { because: 'a tenant that is too long', request: get(`?tenant=${long(201)}&product=crm`) },
    { because: 'no product', request: get('/product') },
    { because: 'a product with %00', request: get('/product?product=%00') },
    { because: 'a product given twice', request: get('/product?product=a&product=b') },
    ...['/users', '/groups', '/users/{user}', '/groups/{group}', '/groups/{group}/members'].flatMap((path): Row[] => [
      { because: 'no scope', request: get(path) },
      { because: 'a tenant without its product', request: get(`${path}?tenant=acme`) },
      { because: 'a tenant with a colon', request: get(`${path}?tenant=a:b&product=crm`) },
      { because: 'a tenant with %00', request: get(`${path}?tenant=%00&product=crm`) },
      { because: 'a directoryId given twice', request: get(`${path}?directoryId={id}&directoryId={id}`) },
      { because: 'an empty directoryId', request: get(`${path}?directoryId=`) },
      { because: 'a directoryId that is too long', request: get(`${path}?directoryId=${long(101)}`) },
    ]),
    ...[
      '?tenant=acme&product=crm',
      '/product?product=crm',
      '/users?directoryId={id}',
      '/groups?directoryId={id}',
      '/groups/{group}/members?directoryId={id}',
    ].flatMap((path): Row[] => [
      { because: 'a negative offset', request: get(`${path}&pageOffset=-1`) },
      { because: 'an offset that is a fraction', request: get(`${path}&pageOffset=1.5`) },
      { because: 'an offset that is text', request: get(`${path}&pageOffset=first`) },
      { because: 'an offset in other digits', request: get(`${path}&pageOffset=%D9%A1`) },
      { because: 'an offset of 400 digits', request: get(`${path}&pageOffset=${'9'.repeat(400)}`) },
      { because: 'an offset above the largest safe integer', request: get(`${path}&pageOffset=9007199254740993`) },
      { because: 'an empty offset', request: get(`${path}&pageOffset=`) },
      { because: 'an offset given twice', request: get(`${path}&pageOffset=0&pageOffset=1`) },
      { because: 'a limit of 0', request: get(`${path}&pageLimit=0`) },
      { because: 'a limit that is too large', request: get(`${path}&pageLimit=1001`) },
      { because: 'a limit that is not a decimal number', request: get(`${path}&pageLimit=0x10`) },
      { because: 'a limit with %00', request: get(`${path}&pageLimit=1%00`) },
      { because: 'a text that is not a token', request: get(`${path}&pageToken=next`) },
      { because: 'an empty token', request: get(`${path}&pageToken=`) },
      { because: 'a token that is too long', request: get(`${path}&pageToken=${long(501)}`) },
      {
        because: 'a token beside an offset',
        request: get(`${path}&pageOffset=1&pageToken=${token([1, 'a', 1, 'b'])}`),
      },
      { because: 'a token with text for a number', request: get(`${path}&pageToken=${token(['1', 'a', 1, 'b'])}`) },
      { because: 'a token with a number for text', request: get(`${path}&pageToken=${token([1, 2, 1, 'b'])}`) },
      { because: 'a token with NUL', request: get(`${path}&pageToken=${token([1, nul, 1, nul])}`) },
      {
        because: 'a token with a lone surrogate',
        request: get(`${path}&pageToken=${token([1, '\ud800', 1, '\ud800'])}`),
      },
      {
        because: 'a token with a number out of range',
        request: get(`${path}&pageToken=${token([2 ** 60, 'a', 1, 'b'])}`),
      },
    ]),
    { because: 'a path whose percent-encoding is broken', request: get('/%E0%A4%A') },
  ]),

  { because: 'an unknown directory', request: get('/01900000-0000-7000-8000-000000000000'), status: 404 },
  { because: 'an id that is not a UUID', request: get('/constructor'), status: 404 },
  { because: 'an id with %00', request: get('/%00'), status: 404 },
  { because: 'an id that is not UTF-8', request: get('/%ED%A0%80'), status: 400 },
  { because: 'a very long id', request: get(`/${long(599)}`), status: 404 },
  { because: 'an id that is far too long', request: get(`/${long(5000)}`), status: 404 },
  { because: 'an id with %00', request: ['PATCH', '/a%00', { name: 'x' }], status: 404 },
  { because: 'an id with %00', request: ['DELETE', '/a%00'], status: 404 },
  { because: 'an id with %00', request: ['POST', '/a%00/rotate-secret'], status: 404 },
  { because: 'a user id with %00', request: get('/users/%00?directoryId={id}'), status: 404 },
  { because: 'a group id with %00', request: get('/groups/%00?directoryId={id}'), status: 404 },
  { because: 'a group id with %00', request: get('/groups/%00/members?directoryId={id}'), status: 404 },
  { because: 'a user id with a quote', request: get("/users/'%20or%201=1--?directoryId={id}"), status: 404 },
  { because: 'a directoryId with %00', request: get('/users?directoryId=%00'), status: 404 },
  { because: 'an unknown directoryId', request: get('/groups?directoryId=nobody'), status: 404 },
  { because: 'a method that the directory has not', request: ['PUT', '/{id}', { name: 'x' }], status: 405 },
  { because: 'a method that the users have not', request: ['PUT', '/users', { name: 'x' }], status: 405 },
  { because: 'an address without a route', request: get('/users/a/b/c'), status: 404 },
  { because: 'a body that is too large', request: create({ ...required, name: long(300_000) }), status: 413 },
  {
    because: 'a body of another type',
    request: ['POST', '', 'tenant=acme', { 'content-type': 'application/x-www-form-urlencoded' }],
    status: 415,
  },
  {
    because: 'a body of an unknown type',
    request: ['PATCH', '/{id}', '{}', { 'content-type': 'nonsense' }],
    status: 415,
  },
  { because: 'a body without a type', request: ['POST', '', Buffer.from('{}'), { 'content-type': '' }], status: 415 },
]

function token(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url')
}

/** A request to a directory's SCIM endpoint. */
interface ScimCase extends ApiCase {
  readonly scimType?: string | undefined
}

const user = (fields: unknown): ApiCase['request'] => ['POST', '/Users', fields]
const group = (fields: unknown): ApiCase['request'] => ['POST', '/Groups', fields]
const named = { userName: 'someone' }
const find = (filter: string): ApiCase['request'] => ['GET', `/Users?filter=${encodeURIComponent(filter)}`]
const change = (...operations: readonly unknown[]): ApiCase['request'] => [
  'PATCH',
  '/Users/{user}',
  { Operations: operations },
]
const members = (value: unknown): ApiCase['request'] => [
  'PATCH',
  '/Groups/{group}',
  { Operations: [{ op: 'add', path: 'members', value }] },
]

const refusals = (scimType: string, rows: readonly Row[]): ScimCase[] =>
  rows.map((row) => ({ ...row, status: 400, scimType }))

const scimCases: readonly ScimCase[] = [
  ...refusals('invalidSyntax', [
    { because: 'a body that is not JSON', request: user('{"userName":') },
    { because: 'bytes that are not UTF-8', request: user(Buffer.from([0xff, 0xfe, 0x00, 0x7b])) },
    { because: 'no body', request: ['POST', '/Users'] },
    { because: 'a body of whitespace', request: user('  \n') },
    { because: 'a list', request: user([named]) },
    { because: 'text', request: user('"someone"') },
    { because: 'null', request: user('null') },
    { because: 'a list for a group', request: group([]) },
    { because: 'a body that is nested too deeply', request: user(`{"userName":"a","x":${deep(65)}}`) },
    { because: 'a body that is nested a million deep', request: user(deep(1_000_000)) },
    { because: 'an attribute __proto__', request: user('{"userName":"a","__proto__":{"active":false}}') },
    { because: 'an attribute __proto__ in escapes', request: user('{"userName":"a","__pr\\u006fto__":{}}') },
    { because: 'an attribute __proto__ in a list', request: user('{"userName":"a","emails":[{"__proto__":1}]}') },
    { because: 'a PATCH that is a list', request: ['PATCH', '/Users/{user}', []] },
    { because: 'a PATCH without operations', request: ['PATCH', '/Users/{user}', {}] },
    { because: 'a PATCH with an empty list of operations', request: ['PATCH', '/Users/{user}', { Operations: [] }] },
    { because: 'operations that are an object', request: ['PATCH', '/Users/{user}', { Operations: { op: 'add' } }] },
    { because: 'an operation that is null', request: change(null) },
    { because: 'an unknown op', request: change({ op: 'upsert', path: 'title', value: 'a' }) },
    { because: 'no op', request: change({ path: 'title', value: 'a' }) },
    { because: 'an op that is null', request: change({ op: null, path: 'title', value: 'a' }) },
    { because: 'an op that is a number', request: change({ op: 1, path: 'title', value: 'a' }) },
    { because: 'a search that is a list', request: ['POST', '/Users/.search', []] },
  ]),
  ...refusals('invalidValue', [
    { because: 'no userName', request: user({}) },
    { because: 'a userName that is null', request: user({ userName: null }) },
    { because: 'a userName of white space', request: user({ userName: ' \t\u00a0' }) },
    { because: 'a userName of white space', request: change({ op: 'replace', path: 'userName', value: ' ' }) },
    { because: 'a group name of white space', request: group({ displayName: ' \n' }) },
    {
      because: 'the schema of a group',
      request: user({ ...named, schemas: ['urn:ietf:params:scim:schemas:core:2.0:Group'] }),
    },
    {
      because: 'the schema of a user',
      request: group({ schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], userName: 'a', displayName: 'a' }),
    },
    {
      because: 'the schema of a user',
      request: [
        'PUT',
        '/Groups/{group}',
        { schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'], displayName: 'a' },
      ],
    },
    { because: 'schemas that are a number', request: user({ ...named, schemas: 5 }) },
    { because: 'a lone surrogate', request: user('{"userName":"a\\ud800"}') },
    { because: 'a lone surrogate', request: user('{"userName":"a","title":"\\udc00b"}') },
    { because: 'a lone surrogate in a name', request: user('{"userName":"a","badge":{"\\ud800":1}}') },
    { because: 'a lone surrogate', request: group('{"displayName":"\\ud800"}') },
    { because: 'a lone surrogate in a member', request: group('{"displayName":"a","members":[{"value":"\\ud800"}]}') },
    {
      because: 'a lone surrogate',
      request: ['PATCH', '/Users/{user}', '{"Operations":[{"op":"add","path":"title","value":"\\uDFFF"}]}'],
    },
    { because: 'an integer that would lose digits', request: user('{"userName":"a","badge":9007199254740993}') },
    { because: 'an infinite number', request: user('{"userName":"a","urn:acme:1.0:User":{"level":1e999}}') },
    {
      because: 'an integer that would lose digits',
      request: ['PATCH', '/Users/{user}', '{"Operations":[{"op":"add","value":{"badge":-12345678901234567890}}]}'],
    },
    { because: 'an extension whose URN is none', request: user({ ...named, 'urn:x': { level: 1 } }) },
    { because: 'an extension whose URN has a blank', request: user({ ...named, 'urn:acme:a b': { level: 1 } }) },
    { because: 'an extension whose URN is too long', request: user({ ...named, [`urn:acme:${long(300)}`]: { a: 1 } }) },
    { because: 'a list sorted by password', request: ['GET', '/Users?sortBy=password'] },
    { because: 'a list sorted by password', request: ['POST', '/.search', { sortBy: 'PASSWORD' }] },
    { because: 'a userName that is a list of objects', request: user({ userName: [{}, {}] }) },
    { because: 'a userName that is an object', request: user({ userName: { value: 'a', type: 'work' } }) },
    { because: 'a userName that is too long', request: user({ userName: long(513) }) },
    { because: 'a userName that is as long as a body allows', request: user({ userName: long(786_432) }) },
    { because: 'a userName with NUL', request: user({ userName: `a${nul}b` }) },
    { because: 'an externalId that is too long', request: user({ ...named, externalId: long(513) }) },
    { because: 'an externalId with NUL', request: user({ ...named, externalId: nul }) },
    { because: 'a displayName that is too long', request: user({ ...named, displayName: long(513) }) },
    { because: 'a displayName with NUL', request: user({ ...named, displayName: nul }) },
    { because: 'an email address that is too long', request: user({ ...named, emails: [{ value: long(513) }] }) },
    { because: 'an email address with NUL', request: user({ ...named, emails: [{ value: `a${nul}` }] }) },
    { because: 'emails that are a boolean', request: user({ ...named, emails: true }) },
    { because: 'a userName that is a list of two', request: user({ userName: ['someone', 'else'] }) },
    { because: 'a name that is a list of text', request: change({ op: 'add', path: 'name', value: ['a'] }) },
    { because: 'a title that is a number with an exponent', request: user({ ...named, title: 1e300 }) },
    { because: 'a name that is a list of numbers', request: user({ ...named, name: [1, 2] }) },
    { because: 'a name that is text', request: user({ ...named, name: 'Some One' }) },
    { because: 'an active that is neither true nor false', request: user({ ...named, active: 'perhaps' }) },
    { because: 'no displayName', request: group({}) },
    { because: 'a group name that is too long', request: group({ displayName: long(513) }) },
    { because: 'a group name with NUL', request: group({ displayName: nul }) },
    { because: 'a group externalId with NUL', request: group({ displayName: 'a', externalId: nul }) },
    { because: 'a group name that is an object', request: group({ displayName: {} }) },
    { because: 'a member without a value', request: group({ displayName: 'a', members: [{ display: 'b' }] }) },
    { because: 'members that are a boolean', request: group({ displayName: 'a', members: true }) },
    { because: 'a member that is a list', request: members([['a']]) },
    { because: 'a member whose value is an object', request: members([{ value: {} }]) },
    { because: 'a PATCH to a userName with NUL', request: change({ op: 'replace', path: 'userName', value: nul }) },
    { because: 'a PATCH that removes the userName', request: change({ op: 'replace', path: 'userName', value: null }) },
    { because: 'an add without a value', request: change({ op: 'add', path: 'title' }) },
    { because: 'a value that is not an object, without a path', request: change({ op: 'add', value: 5 }) },
    { because: 'a count that is text', request: ['GET', '/Users?count=many'] },
    { because: 'a count that is a fraction', request: ['GET', '/Users?count=1.5'] },
    { because: 'a startIndex with %00', request: ['GET', '/Users?startIndex=1%00'] },
    { because: 'a startIndex given twice', request: ['GET', '/Users?startIndex=1&startIndex=2'] },
    { because: 'an unknown sortOrder', request: ['GET', '/Users?sortOrder=random'] },
    { because: 'attributes that are a number', request: ['POST', '/Users/.search', { attributes: [1] }] },
    { because: 'attributes and excludedAttributes', request: ['GET', '/Users?attributes=id&excludedAttributes=id'] },
    {
      because: 'too many operations',
      request: change(...Array.from({ length: 1001 }, () => ({ op: 'add', path: 'title', value: 'a' }))),
    },
  ]),
  ...refusals('invalidFilter', [
    { because: 'an empty filter', request: ['GET', '/Users?filter='] },
    { because: 'a filter given twice', request: ['GET', '/Users?filter=active%20eq%20true&filter=active%20eq%20true'] },
    { because: 'a raw NUL', request: ['GET', '/Users?filter=userName%20eq%20%22%00%22'] },
    { because: 'half a filter', request: find('userName eq') },
    { because: 'an unknown operator', request: find('userName is "a"') },
    { because: 'a text that is not closed', request: find('userName eq "a') },
    { because: 'an unknown sub-attribute', request: find('name.favouriteColour eq "red"') },
    { because: 'an attribute with a name that none can have', request: find('favourite-Colour.is.red eq "a"') },
    { because: 'a lone surrogate', request: find('externalId eq "\\ud800"') },
    { because: 'a parenthesis that is not closed', request: find('(userName eq "a"') },
    {
      because: 'a filter that is too long',
      request: ['POST', '/Users/.search', { filter: `userName eq "${long(65_536)}"` }],
    },
    {
      because: 'a filter that is nested too deeply',
      request: find(`${'('.repeat(60)}active eq true${')'.repeat(60)}`),
    },
    {
      because: 'a filter of too many terms',
      request: ['POST', '/Users/.search', { filter: Array.from({ length: 1501 }, () => 'id pr').join(' or ') }],
    },
    { because: 'a filter that is a list', request: ['POST', '/Users/.search', { filter: ['userName eq "a"'] }] },
  ]),
  ...refusals('invalidPath', [
    { because: 'a path that is not closed', request: change({ op: 'replace', path: 'emails[type eq', value: 'a' }) },
    {
      because: 'a path to a sub-attribute of a text',
      request: change({ op: 'add', path: 'title.colour', value: 'red' }),
    },
    { because: 'a path to __proto__', request: change({ op: 'add', path: '__proto__', value: { a: 1 } }) },
    { because: 'a path to a URN that is none', request: change({ op: 'add', path: 'urn:x:a b:c', value: 1 }) },
    { because: 'a path that is a number', request: change({ op: 'add', path: 5, value: 'a' }) },
    { because: 'a very long path', request: change({ op: 'add', path: long(100_000), value: 'a' }) },
  ]),
  { because: 'a removal without a path', request: change({ op: 'remove' }), status: 400, scimType: 'noTarget' },
  {
    because: 'a read-only attribute',
    request: change({ op: 'replace', path: 'id', value: 'a' }),
    status: 400,
    scimType: 'mutability',
  },
  {
    because: 'a path whose percent-encoding is broken',
    request: ['GET', '/Users/%E0%A4%A'],
    status: 400,
    scimType: 'invalidSyntax',
  },
  { because: 'a user that nobody has', request: ['GET', '/Users/nobody'], status: 404 },
  { because: 'a user id with %00', request: ['GET', '/Users/%00'], status: 404 },
  { because: 'a user id with %00', request: ['PUT', '/Users/a%00', named], status: 404 },
  {
    because: 'a user id with %00',
    request: ['PATCH', '/Users/a%00', { Operations: [{ op: 'add', path: 'title', value: 'a' }] }],
    status: 404,
  },
  { because: 'a user id with %00', request: ['DELETE', '/Users/a%00'], status: 404 },
  { because: 'a group id with %00', request: ['GET', '/Groups/%00'], status: 404 },
  { because: 'a group id with %00', request: ['PUT', '/Groups/%00', { displayName: 'a', members: [] }], status: 404 },
  {
    because: 'a group id with %00',
    request: ['PATCH', '/Groups/%00', { Operations: [{ op: 'remove', path: 'members' }] }],
    status: 404,
  },
  { because: 'a group id with %00', request: ['DELETE', '/Groups/%00'], status: 404 },
  { because: 'a very long user id', request: ['GET', `/Users/${long(599)}`], status: 404 },
  { because: 'a user id that is far too long', request: ['GET', `/Users/${long(5000)}`], status: 404 },
  { because: 'a resource type that is none', request: ['GET', '/Devices'], status: 404 },
  { because: 'a definition that is none', request: ['GET', '/Schemas/constructor'], status: 404 },
  { because: 'a resource type that objects have', request: ['GET', '/ResourceTypes/__proto__'], status: 404 },
  { because: 'a body that is too large', request: user({ ...named, title: long(5_300_000) }), status: 413 },
  { because: 'a text that no resource can hold', request: user({ ...named, title: long(786_433) }), status: 413 },
  { because: 'a body of too many values', request: user({ ...named, emails: Array(300_000).fill(0) }), status: 413 },
  {
    because: 'a body of too many values, with an escape sequence and a name that resembles __proto__',
    request: user({ ...named, '"__proto__': '\u0000', emails: Array(900_000).fill(0) }),
    status: 413,
  },
  {
    because: 'a body of too many different names',
    request: user({ ...named, badges: Array.from({ length: 10_050 }, (_, index) => ({ [`n${index}`]: 0 })) }),
    status: 413,
  },
  {
    because: 'a body of another type',
    request: ['POST', '/Users', 'a,b', { 'content-type': 'text/csv' }],
    status: 415,
  },
  { because: 'a method that the collection has not', request: ['DELETE', '/Users'], status: 405 },
  { because: 'a method that the resource has not', request: ['POST', '/Users/{user}', named], status: 405 },
]

/** Unusual, but valid input. */
const oddCases: readonly ScimCase[] = [
  {
    because: 'a text with NUL that no index holds',
    request: user({ userName: 'odd-1', title: `a${nul}b` }),
    status: 201,
  },
  {
    because: 'a given name with NUL',
    request: user({ userName: 'odd-2', name: { givenName: nul, familyName: nul } }),
    status: 201,
  },
  {
    because: 'attributes that objects have',
    request: user({ userName: 'odd-4', constructor: 'a', toString: 1, hasOwnProperty: null }),
    status: 201,
  },
  {
    because: 'an unknown attribute with NUL in its name',
    request: user({ userName: 'odd-5', [`a${nul}b`]: nul }),
    status: 201,
  },
  {
    because: 'numbers close to zero, of many digits and at the bounds',
    request: user('{"userName":"odd-6","x":-1e-999,"y":0.12345678901234567890,"z":9007199254740991}'),
    status: 201,
  },
  {
    because: 'a name as long as an index holds',
    request: user({ userName: 'é'.repeat(512), displayName: '界'.repeat(512) }),
    status: 201,
  },
  {
    because: 'a very long given name',
    request: user({ userName: 'odd-7', name: { givenName: long(100_000) } }),
    status: 201,
  },
  {
    because: 'members with NUL',
    request: group({ displayName: 'odd', members: [{ value: nul }, { value: long(10_000) }] }),
    status: 201,
  },
  { because: 'a member added with NUL', request: members([{ value: nul }, { value: `{user}${nul}` }]), status: 204 },
  {
    because: 'a member removed with NUL',
    request: ['PATCH', '/Groups/{group}', { Operations: [{ op: 'remove', path: `members[value eq "\\u0000"]` }] }],
    status: 204,
  },
  { because: 'a filter for NUL', request: find('userName eq "\\u0000"'), status: 200 },
  { because: 'a filter for an id with NUL', request: find('id eq "\\u0000"'), status: 200 },
  { because: 'a filter for a group of NUL', request: find('groups eq "\\u0000"'), status: 200 },
  {
    because: 'a filter for an email address with NUL',
    request: find('emails.value eq "\\u0000" and active eq true'),
    status: 200,
  },
  {
    because: 'a filter for a member with NUL',
    request: ['GET', `/Groups?filter=${encodeURIComponent('members eq "\\u0000"')}`],
    status: 200,
  },
  {
    because: 'a filter for a very long name',
    request: ['POST', '/Users/.search', { filter: `userName eq "${long(65_500)}"` }],
    status: 200,
  },
  {
    because: 'a startIndex beyond all numbers',
    request: ['GET', `/Users?startIndex=${'9'.repeat(400)}&count=${'9'.repeat(400)}`],
    status: 200,
  },
  {
    because: 'a startIndex below all numbers',
    request: ['GET', `/Users?startIndex=-${'9'.repeat(400)}&count=-5`],
    status: 200,
  },
  {
    because: 'parameters that objects have',
    request: ['GET', '/Users?__proto__=a&constructor=b&toString=c'],
    status: 200,
  },
  {
    because: 'attributes that are none',
    request: ['GET', '/Users?attributes=%00,__proto__,constructor,a.b.c'],
    status: 200,
  },
  {
    because: 'the parameters of a list for one resource',
    request: ['GET', '/Users/{user}?filter=nonsense&count=many'],
    status: 200,
  },
  {
    because: 'a conditional request without a tag',
    request: ['GET', '/Users/{user}', undefined, { 'if-none-match': ',,"' }],
    status: 200,
  },
]

/** A service with a directory, a user and a group. */
async function openSubject(engine: Parameters<typeof startTestService>[0]) {
  const service = await startTestService(engine)
  const directory = await service.createDirectory()
  const member = await service.scim(directory, 'POST', '/Users', { userName: 'subject' })
  const team = await service.scim(directory, 'POST', '/Groups', {
    displayName: 'subjects',
    members: [{ value: member.body.id }],
  })
  const ids = { '{id}': directory.id, '{user}': member.body.id, '{group}': team.body.id }
  const inPath = (path: string) => Object.entries(ids).reduce((text, [name, id]) => text.replaceAll(name, id), path)
  return { service, directory, inPath, [Symbol.asyncDispose]: (): PromiseLike<void> => service[Symbol.asyncDispose]() }
}

forEachEngine((engine) => {
  const subject = forSuite(() => openSubject(engine))
  const shown = ([method, path]: ApiCase['request']) =>
    `${method} ${path.length > 80 ? `${path.slice(0, 80)}…` : path || '/'}`

  for (const { because, request, status } of apiCases) {
    test(`the API answers ${shown(request)} with ${status}: ${because}`, async () => {
      const { service, inPath } = subject()
      const [method, path, body, headers] = request
      assertApiError(await service.api(method, inPath(path), body, headers), status)
    })
  }
  for (const { because, request, status, scimType } of scimCases) {
    test(`SCIM answers ${shown(request)} with ${status} ${scimType ?? ''}: ${because}`, async () => {
      const { service, directory, inPath } = subject()
      const [method, path, body, headers] = request
      assertScimError(await service.scim(directory, method, inPath(path), body, headers), status, scimType)
    })
  }
  for (const { because, request, status } of oddCases) {
    test(`SCIM answers ${shown(request)} with ${status}: ${because} is unusual, but valid`, async () => {
      const { service, directory, inPath } = subject()
      const [method, path, body, headers] = request
      const response = await service.scim(directory, method, inPath(path), body, headers)
      if (response.status !== status) throw new Error(`answered ${response.status} ${response.text.slice(0, 500)}`)
    })
  }
})
