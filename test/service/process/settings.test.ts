import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings, SettingsError, settingTable } from '../../../src/app/settings.ts'
import { settingPrefixes } from '../../../src/app/unknown-settings.ts'

const key = 'a'.repeat(64)
const onPostgres = { DATABASE_URL: 'postgres://db.example/rollcall', API_KEYS: 'k'.repeat(16), ENCRYPTION_KEY: key }

/** The problems of an environment. */
function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readSettings(env)
    return []
  } catch (error) {
    assert(error instanceof SettingsError)
    return error.problems
  }
}

test('an empty environment gives the defaults: the embedded database and port 5225', () => {
  const { PORT, HOST, DATABASE_URL, API_KEYS, EXTERNAL_URL, LOG_LEVEL } = readSettings({})
  assert.deepEqual(
    { PORT, HOST, DATABASE_URL, API_KEYS, EXTERNAL_URL, LOG_LEVEL },
    {
      PORT: 5225,
      HOST: '127.0.0.1',
      DATABASE_URL: 'sqlite:./data/rollcall.db',
      API_KEYS: [],
      EXTERNAL_URL: undefined,
      LOG_LEVEL: 'info',
    },
  )
})

test('an empty value counts as unset', () => {
  assert.deepEqual(readSettings({ PORT: '', API_KEYS: '  ', ENCRYPTION_KEY: '' }), readSettings({}))
})

test('all problems are reported together, in sentences that name the setting', () => {
  const problems = problemsOf({
    PORT: '70000',
    EXTERNAL_URL: 'rollcall.example',
    DATABASE_URL: 'mysql://localhost/rollcall',
    API_KEYS: 'one,,two',
    ENCRYPTION_KEY: 'not a key',
    DSYNC_WEBHOOK_TIMEOUT: 'long',
    ACCESS_LOG: '2',
    LOG_LEVEL: 'loud',
  })
  assert.deepEqual(
    problems.map((problem) => problem.split(' ')[0]),
    [
      ...['PORT', 'EXTERNAL_URL', 'DATABASE_URL', 'API_KEYS', 'ENCRYPTION_KEY', 'DSYNC_WEBHOOK_TIMEOUT'],
      ...['ACCESS_LOG', 'LOG_LEVEL'],
    ],
  )
  for (const problem of problems) assert.match(problem, /^[A-Z_]+ must .+\.$/)
})

for (const [name, meant] of [
  ['DSYNC_WEBHOOK_TIMEOUTS', 'DSYNC_WEBHOOK_TIMEOUT'],
  ['DSYNC_WEBHOOK_LOG_TTL', 'DSYNC_WEBHOOK_LOGS_TTL'],
  ['SCIM_RATELIMIT', 'SCIM_RATE_LIMIT'],
  ['FEED_MAX_STREAM', 'FEED_MAX_STREAMS'],
  ['EVENT_RETENTION_DAY', 'EVENT_RETENTION_DAYS'],
  ['RETURN_WINDOW_DAY', 'RETURN_WINDOW_DAYS'],
  ['ADMIN_ROOT_TOKENS', 'ADMIN_ROOT_TOKEN'],
] as const) {
  test(`refuses the unknown setting ${name} and names ${meant}`, () => {
    assert.deepEqual(problemsOf({ [name]: '5' }), [`${name} is not a setting: did you mean ${meant}?`])
  })
}

test('refuses an unknown setting that resembles none', () => {
  assert.deepEqual(problemsOf({ DSYNC_COLOUR: 'red' }), ['DSYNC_COLOUR is not a setting: remove it.'])
})

test('ignores variables of other programs, and empty ones', () => {
  const others = { PATH: '/bin', DATABASE_HOST: 'db', SCIM_SERVICE_HOST: '10.0.0.1', SCIM_PORT: 'tcp://10.0.0.1:80' }
  const ports = {
    SCIM_PORT_80_TCP: 'tcp://10.0.0.1:80',
    SCIM_PORT_80_TCP_ADDR: '10.0.0.1',
    SCIM_SERVICE_PORT_HTTP: '80',
  }
  assert.deepEqual(problemsOf({ ...others, ...ports, DSYNC_COLOUR: '' }), [])
})

test('each prefix of unknown settings is that of a setting', () => {
  const names = Object.keys(settingTable)
  for (const prefix of settingPrefixes)
    assert.ok(
      names.some((name) => name.startsWith(prefix)),
      prefix,
    )
})

test('problems do not quote values, which may be secrets', () => {
  const problems = problemsOf({ API_KEYS: 'hunter2,', ENCRYPTION_KEY: 'hunter2', DATABASE_URL: 'db://u:hunter2@a' })
  assert.equal(problems.length, 3)
  assert(!problems.join().includes('hunter2'))
})

for (const missing of ['API_KEYS', 'ENCRYPTION_KEY'] as const) {
  test(`PostgreSQL requires ${missing}`, () => {
    assert.match(
      problemsOf({ ...onPostgres, [missing]: '' }).join(),
      new RegExp(`^${missing} must be set when .+PostgreSQL`),
    )
  })
}

test('PostgreSQL requires no other settings', () => {
  assert.deepEqual(problemsOf(onPostgres), [])
  assert.deepEqual(problemsOf({ ...onPostgres, DATABASE_URL: 'postgresql://user:pass@db.example:5432/rollcall' }), [])
})

for (const [name, missing] of [
  ['DSYNC_EXTDIR_CLIENT_ID', 'DSYNC_EXTDIR_CLIENT_SECRET'],
  ['DSYNC_EXTDIR_CLIENT_SECRET', 'DSYNC_EXTDIR_CLIENT_ID'],
] as const) {
  test(`${name} requires ${missing}`, () => {
    assert.deepEqual(problemsOf({ [name]: 'a' }), [`${missing} must be set when ${name} is.`])
    assert.deepEqual(problemsOf({ [name]: 'a', [missing]: 'b' }), [])
  })
}

for (const [name, valid, invalid] of [
  ['PORT', ['0', '5225', '65535'], ['-1', '65536', '1.5', '0x10', '1e3', 'http']],
  [
    'EXTERNAL_URL',
    ['https://a.example', 'http://localhost:5225/rollcall'],
    ['ftp://a.example', 'a.example', 'https://a.example/?b', 'https://a.example/#b'],
  ],
  [
    'TRUST_PROXY',
    ['0', '1', '16', '127.0.0.1', '::1', '10.0.0.0/8, 192.168.1.1', 'fd00::/8,10.1.2.3/32'],
    [
      '17',
      '-1',
      '1.5',
      'true',
      '*',
      'loopback',
      '10.0.0.0/33',
      '10.0.0.0/0',
      '::/0',
      '10.0.0',
      '10.0.0.1,',
      'fe80::1%eth0',
    ],
  ],
  [
    'CORS_ORIGINS',
    ['https://a.example', 'http://localhost:3000', 'https://a.example, https://b.example:8443'],
    [
      '*',
      'null',
      'a.example',
      'https://a.example/',
      'https://a.example/b',
      'https://A.example',
      'https://*.a.example',
      'https://a.example,',
      'ftp://a.example',
      'https://a.example:443',
    ],
  ],
  [
    'ADMIN_ROOT_TOKEN',
    ['a'.repeat(16), '~!"#$%&/()=?+*-_', 'a'.repeat(1024)],
    [
      'a'.repeat(15),
      'a'.repeat(1025),
      'with blanks in between',
      'with-ümlauts-in-it',
      'with\ta-tab-in-between',
      'with-a-\u0000-in-between',
    ],
  ],
  ['DATABASE_URL', ['sqlite:a.db', 'sqlite:/var/lib/a.db'], ['sqlite:', 'file:a.db', 'postgres://', 'redis://a']],
  [
    'DATABASE_DIRECT_URL',
    ['postgres://a', 'postgres://a:5432,b:5432/db?target_session_attrs=read-write'],
    ['sqlite:a.db', 'postgres://a,/db', 'postgres://a/db?sslmode=on', 'postgres://a/db?charset=utf8'],
  ],
  [
    'API_KEYS',
    ['a'.repeat(16), `${'a'.repeat(32)}, ${'b'.repeat(16)}`],
    ['a'.repeat(15), `${'a'.repeat(16)},`, ',', `${'a'.repeat(16)},,${'b'.repeat(16)}`, `${'a'.repeat(16)},short`],
  ],
  [
    'ENCRYPTION_KEY',
    [key, Buffer.alloc(32).toString('base64'), `${key},${key}`],
    [key.slice(1), `${key},x`, Buffer.alloc(31).toString('base64')],
  ],
  ['DSYNC_WEBHOOK_TIMEOUT', ['100', '15000'], ['99', '120001', '15s']],
  [
    'DSYNC_WEBHOOK_SIGNATURE_HEADER',
    ['X-Signature', 'signature', 'BoxyHQ-Signature,Ory-Polis-Signature'],
    [
      ...['X Signature', 'X-Signature:', '-x', 'x\nb', 'X-Signature,', 'X-Signature,Host'],
      ...['Content-Type', 'content-length', 'Host', 'Connection', 'Transfer-Encoding', 'User-Agent', 'Authorization'],
      ...[
        'webhook-id',
        'Webhook-Timestamp',
        'webhook-signature',
        'Expect',
        'Accept-Encoding',
        'X-Forwarded-For',
        'Cookie',
      ],
    ],
  ],
  [
    'DSYNC_WEBHOOK_ALLOW_PRIVATE',
    ['10.0.0.0/8', '127.0.0.1, ::1', 'fd00::/8', 'localhost', 'events.internal,my_app.svc.cluster.local.', 'web'],
    ['10.0.0.0/33', '10.0.0', 'http://events.internal', 'events.internal:8080', 'a,,b', '*.internal', 'true false'],
  ],
  ['DSYNC_WEBHOOK_LOGS_TTL', ['1', '365'], ['0', '366', '7d']],
  ['DSYNC_EXTDIR_API_URL', ['http://localhost:1'], ['localhost:1', 'admin.googleapis.com']],
  ['DSYNC_EXTDIR_CRON_INTERVAL', ['0', '604800'], ['-1', '604801', '1h']],
  ['DSYNC_EXTDIR_MAX_DELETE_PERCENT', ['0', '30', '100'], ['101', '30%']],
  ['POLIS_COMPAT', ['true', 'false'], ['yes', '1', 'TRUE']],
  ['MAX_DIRECTORIES_PER_TENANT', ['0', '1000'], ['-1', '1000001', 'many']],
  ['FEED_MAX_STREAMS', ['0', '500'], ['-1', '100001', 'many']],
  ['FEED_MAX_STREAMS_PER_KEY', ['0', '200'], ['-1', '100001', 'many']],
  ['FEED_MAX_STREAMS_PER_TENANT', ['0', '50'], ['-1', '100001', 'many']],
  ['SCIM_RATE_LIMIT', ['0', '1000'], ['-1', '100001', 'many']],
  ['SCIM_BODY_LIMIT', ['1024', '16777216'], ['0', '16777217', '5MB']],
  ['LOG_LEVEL', ['info', 'silent', 'trace'], ['INFO', 'verbose']],
] as const) {
  test(`${name} accepts ${valid.length} valid values and rejects ${invalid.length} invalid ones`, () => {
    for (const value of valid) assert.deepEqual(problemsOf({ [name]: value }), [], value)
    for (const value of invalid) assert.equal(problemsOf({ [name]: value }).length, 1, value)
  })
}

test('every setting has a meaning', () => {
  for (const [name, { meaning }] of Object.entries(settingTable)) assert(meaning.length > 15, name)
})
