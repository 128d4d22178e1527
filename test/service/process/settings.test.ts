import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import type { Setting } from '../../../src/app/setting-kinds.ts'
import { readSettings, SettingsError, settingTable } from '../../../src/app/settings.ts'
import { settingPrefixes } from '../../../src/app/unknown-settings.ts'
import { runCommand, runHere } from '../../support/command.ts'

const key = 'a'.repeat(64)
const onPostgres = { DATABASE_URL: 'postgres://db.example/rollcall', API_KEYS: 'k'.repeat(16), ENCRYPTION_KEY: key }

/** The problems of an environment. */
function problemsOf(env: NodeJS.ProcessEnv): readonly string[] {
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
  ['API_KEY', 'API_KEYS'],
  ['API_KEY_FILE', 'API_KEYS_FILE'],
  ['DATABASE_URLS', 'DATABASE_URL'],
  ['DATABASE_URI', 'DATABASE_URL'],
  ['DATABASE_URL_FILES', 'DATABASE_URL_FILE'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['EXTERNAL_URLS', 'EXTERNAL_URL'],
  ['TRUSTED_PROXY', 'TRUST_PROXY'],
  ['PORTAL_COLOUR', 'PORTAL_COLOR'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
  ['ENCRYPTION_KEYS', 'ENCRYPTION_KEY'],
  ['METRICS_PORTS', 'METRICS_PORT'],
] as const) {
  test(`refuses the unknown setting ${name} and names ${meant}`, () => {
    assert.deepEqual(problemsOf({ [name]: '5' }), [`${name} is not a setting: did you mean ${meant}?`])
  })
}

for (const name of ['EXTERNAL_URL', 'LOG_LEVEL', 'DSYNC_WEBHOOK_TIMEOUT', 'DSYNC_EXTDIR_CLIENT_ID']) {
  test(`refuses a file for ${name}, which is no secret`, () => {
    assert.deepEqual(problemsOf({ [`${name}_FILE`]: '/run/secrets/value' }), [
      `${name}_FILE is not a setting: set ${name} itself, which is not read from a file.`,
    ])
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

test('variables of operating systems, platforms and other programs do not stop a start', () => {
  const names = commonVariables.trim().split(/\s+/)
  assert.ok(names.length > 200)
  for (const name of names) assert.deepEqual(problemsOf({ [name]: 'x' }), [], name)
  assert.deepEqual(problemsOf({ ...process.env, ...Object.fromEntries(names.map((name) => [name, 'x'])) }), [])
})

/** What shells, containers, platforms, CI systems and frameworks set. */
const commonVariables = `
  HOME HOSTNAME HOSTTYPE HOSTS LOGNAME USER USERNAME SHELL SHLVL PATH PWD OLDPWD TERM TERM_PROGRAM COLORTERM LANG LANGUAGE LC_ALL LC_CTYPE
  EDITOR VISUAL PAGER MAIL TZ TMPDIR TEMP TMP DISPLAY UID EUID IFS PPID PS1 PS4 HISTFILE HISTSIZE MACHTYPE OSTYPE OPTARG OPTIND _ WINDIR
  SystemRoot COMSPEC PATHEXT APPDATA LOCALAPPDATA PROGRAMFILES COMPUTERNAME USERPROFILE SSH_AUTH_SOCK SSH_CONNECTION SSH_CLIENT SUDO_USER
  XDG_RUNTIME_DIR XDG_CONFIG_HOME XDG_DATA_DIRS DBUS_SESSION_BUS_ADDRESS INVOCATION_ID JOURNAL_STREAM NOTIFY_SOCKET STATE_DIRECTORY
  CREDENTIALS_DIRECTORY LISTEN_FDS LISTEN_PID MAINPID WATCHDOG_USEC WSL_DISTRO_NAME WSL_INTEROP WSLENV
  http_proxy https_proxy no_proxy HTTP_PROXY HTTPS_PROXY NO_PROXY ALL_PROXY SSL_CERT_FILE SSL_CERT_DIR NODE_EXTRA_CA_CERTS
  NODE_ENV NODE_OPTIONS NODE_PATH NODE_VERSION YARN_VERSION NPM_TOKEN npm_config_cache npm_lifecycle_event npm_package_name INIT_CWD NVM_DIR
  NVM_BIN COREPACK_HOME PNPM_HOME UV_THREADPOOL_SIZE FORCE_COLOR NO_COLOR DEBUG CI TEST REST COST ROOT SORT POST CERT POD EXPORT REPORT
  KUBERNETES_PORT KUBERNETES_PORT_443_TCP KUBERNETES_PORT_443_TCP_ADDR KUBERNETES_SERVICE_HOST KUBERNETES_SERVICE_PORT POD_IP POD_NAME
  POD_NAMESPACE NODE_NAME NODE_IP SERVICE_ACCOUNT HOST_IP HOST_NAME HOST_FILE PORT_FILE REDIS_PORT REDIS_HOST REDIS_URL
  POSTGRES_PASSWORD POSTGRES_PASSWORD_FILE POSTGRES_USER POSTGRES_DB POSTGRES_HOST POSTGRES_PORT PGHOST PGPORT PGUSER PGPASSWORD PGDATABASE
  PGSSLMODE PGPASSFILE PGDATA PGSERVICE PGOPTIONS PGAPPNAME PGTZ DB_URL DB_HOST DB_PORT DB_NAME DB_USER DB_PASSWORD DATABASE_HOST
  DATABASE_PORT DATABASE_NAME DATABASE_USER DATABASE_USERNAME DATABASE_PASSWORD DATABASE_SSL DATABASE_CLIENT DATABASE_SCHEMA MYSQL_HOST
  MYSQL_ROOT_PASSWORD MONGO_URL MONGODB_URI TEST_DATABASE_URL SHADOW_DATABASE_URL DIRECT_URL
  AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY AWS_SESSION_TOKEN AWS_PROFILE AWS_ROLE_ARN AWS_EXECUTION_ENV ECS_CONTAINER_METADATA_URI
  GOOGLE_APPLICATION_CREDENTIALS GOOGLE_CLOUD_PROJECT GCP_PROJECT K_SERVICE K_REVISION K_CONFIGURATION AZURE_CLIENT_ID AZURE_TENANT_ID
  WEBSITE_HOSTNAME WEBSITES_PORT FUNCTIONS_WORKER_RUNTIME DYNO HEROKU_APP_NAME FLY_APP_NAME FLY_REGION RENDER RENDER_EXTERNAL_URL
  RENDER_EXTERNAL_HOSTNAME RAILWAY_ENVIRONMENT VERCEL VERCEL_URL CF_INSTANCE_PORT VCAP_SERVICES NOMAD_PORT_http CONSUL_HTTP_ADDR VAULT_ADDR
  VAULT_TOKEN DOCKER_HOST DOCKER_BUILDKIT COMPOSE_PROJECT_NAME CONTAINER_NAME
  GITHUB_ACTIONS GITHUB_TOKEN GITHUB_REPOSITORY GITHUB_SHA RUNNER_OS GITLAB_CI CI_JOB_ID CI_COMMIT_SHA BUILD_NUMBER JENKINS_URL
  OTEL_EXPORTER_OTLP_ENDPOINT OTEL_SERVICE_NAME OTEL_LOG_LEVEL DD_ENV DD_SERVICE DD_LOG_LEVEL DD_API_KEY SENTRY_DSN NEW_RELIC_LICENSE_KEY
  RAILS_ENV RACK_ENV RAILS_LOG_LEVEL SECRET_KEY_BASE APP_KEY APP_KEYS APP_URL APP_ENV APP_DEBUG APP_NAME LOG_CHANNEL DJANGO_SETTINGS_MODULE
  SECRET_KEY NEXTAUTH_URL NEXTAUTH_SECRET NEXT_PUBLIC_API_URL AUTH_SECRET JWT_SECRET SESSION_SECRET ENCRYPTION_SECRET OPENAI_API_KEY STRIPE_API_KEY
  API_URL API_HOST API_PORT API_TOKEN API_SECRET PUBLIC_URL BASE_URL EXTERNAL_HOST SERVER_PORT HTTP_PORT HTTPS_PORT ADMIN_TOKEN ADMIN_PORT
  METRICS_HOST METRICS_PATH LOG_FORMAT LOG_FILE LOG_DIR RUST_LOG RUST_BACKTRACE PYTHONPATH VIRTUAL_ENV JAVA_HOME GOPATH CARGO_HOME
  POLIS_API_KEY POLIS_ENCRYPTION_KEY JACKSON_API_KEYS JACKSON_EXTERNAL_URL ROLLCALL_API_KEY SMTP_HOST SMTP_PORT MAIL_HOST MAIL_PORT
`

const files = mkdtempSync(join(tmpdir(), 'rollcall-settings-'))
after(() => rmSync(files, { recursive: true }))

/** A file with a text, as a secret store mounts it. */
function fileWith(text: string): string {
  const file = join(files, randomUUID())
  writeFileSync(file, text)
  return file
}

test('every secret, key list and database address can be read from a file', () => {
  const secrets = Object.entries<Setting<unknown>>(settingTable).flatMap(([name, { isSecret }]) =>
    isSecret ? [name] : [],
  )
  const texts = {
    DATABASE_URL: 'postgres://u:p@db.example/rollcall',
    DATABASE_DIRECT_URL: 'postgres://u:p@direct.example/rollcall',
    API_KEYS: `${'k'.repeat(16)},${'l'.repeat(16)}`,
    ADMIN_ROOT_TOKEN: 't'.repeat(16),
    CONSOLE_OIDC_CLIENT_SECRET: 'console',
    ENCRYPTION_KEY: key,
    DSYNC_WEBHOOK_PROXY: 'http://user:password@proxy.example:3128',
    OPERATOR_WEBHOOK_URL: 'https://alerts.example/?token=a',
    OPERATOR_WEBHOOK_SECRET: 's'.repeat(16),
    OPERATOR_WEBHOOK_HEADERS: '{"X-Gateway-Key": "of the gateway"}',
    DSYNC_EXTDIR_CLIENT_SECRET: 'google',
  }
  assert.deepEqual(Object.keys(texts), secrets)
  const env = Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${name}_FILE`, fileWith(` ${text}\n`)]))
  const signIn = {
    CONSOLE_OIDC_ISSUER: 'https://a.example',
    CONSOLE_OIDC_CLIENT_ID: 'c',
    CONSOLE_OIDC_ADMINS: '@a.example',
  }
  const id = { DSYNC_EXTDIR_CLIENT_ID: 'id', ...signIn }
  assert.deepEqual(readSettings({ ...env, ...id }), readSettings({ ...texts, ...id }))
})

for (const { because, env, problem } of [
  {
    because: 'is set as well',
    env: { API_KEYS: 'k'.repeat(16), API_KEYS_FILE: fileWith('l'.repeat(16)) },
    problem: /^API_KEYS and API_KEYS_FILE are both set: remove one/,
  },
  {
    because: 'is not there',
    env: { DATABASE_URL_FILE: join(files, 'nothing') },
    problem: new RegExp(
      `^DATABASE_URL must be in the file ${files}/nothing that DATABASE_URL_FILE names, which cannot be read \\(ENOENT\\)\\.$`,
    ),
  },
  {
    because: 'is a folder',
    env: { DATABASE_URL_FILE: files },
    problem: /DATABASE_URL_FILE names, which cannot be read \(EISDIR\)/,
  },
  {
    because: 'is empty',
    env: { ADMIN_ROOT_TOKEN_FILE: fileWith(' \n') },
    problem: /ADMIN_ROOT_TOKEN_FILE names, which is empty/,
  },
  {
    because: 'has a bad value',
    env: { DATABASE_URL_FILE: fileWith('mysql://db') },
    problem: /^DATABASE_URL must begin with/,
  },
  {
    because: 'has a key on each line',
    env: { API_KEYS_FILE: fileWith(`${'k'.repeat(16)}\n${'l'.repeat(16)}\n`) },
    problem: /^API_KEYS must be keys .+ separated by single commas/,
  },
]) {
  test(`a file of a setting that ${because} is a problem`, () => {
    const problems = problemsOf(env)
    assert.equal(problems.length, 1)
    assert.match(problems[0] ?? '', problem)
  })
}

test('all problems of files are in the one list, and none quotes a secret', () => {
  const problems = problemsOf({
    PORT: 'x',
    API_KEYS_FILE: join(files, 'nothing'),
    ENCRYPTION_KEY_FILE: 'hunter2',
    ADMIN_ROOT_TOKEN_FILE: fileWith('hunter2'),
    DATABASE_URL: 'sqlite:hunter2.db',
    DATABASE_URL_FILE: fileWith('sqlite:hunter2.db'),
  })
  assert.deepEqual(
    problems.map((problem) => problem.split(' ')[0]),
    ['PORT', 'DATABASE_URL', 'API_KEYS', 'ADMIN_ROOT_TOKEN', 'ENCRYPTION_KEY'],
  )
  assert(!problems.join().includes('hunter2'))
})

test('NO_PROXY is also read in lower case', () => {
  assert.deepEqual(readSettings({ no_proxy: '.svc, 10.0.0.0/8' }).NO_PROXY, ['.svc', '10.0.0.0/8'])
  assert.deepEqual(readSettings({ no_proxy: '.svc', NO_PROXY: '.local' }).NO_PROXY, ['.local'])
})

test('an empty variable beside that of a file counts as unset', () => {
  const { DATABASE_URL } = readSettings({ ...onPostgres, DATABASE_URL: '', DATABASE_URL_FILE: fileWith('sqlite:x.db') })
  assert.equal(DATABASE_URL, 'sqlite:x.db')
})

test('commands and .env read secrets from files', async () => {
  const cwd = join(files, randomUUID())
  mkdirSync(cwd)
  writeFileSync(join(cwd, '.env'), `DATABASE_URL_FILE=${fileWith('sqlite:other.db')}\nAPI_KEYS_FILE=${files}/nothing\n`)
  const refused = await runCommand(['doctor'], { cwd })
  assert.match(refused.stdout, /API_KEYS must be in the file .+nothing that API_KEYS_FILE names/)
  assert.equal(refused.code, 1)
  const key = fileWith('k'.repeat(16))
  assert.equal((await runCommand(['migrate'], { cwd, env: { API_KEYS_FILE: key } })).code, 0)
  assert.ok(readdirSync(cwd).includes('other.db'))
})

for (const argv of [
  ['serve'],
  ['migrate'],
  ['backup', 'copy.db'],
  ['explain', 'ada'],
  ['requests'],
  ['audit', 'verify'],
  ['rotate-keys'],
  ['console-link'],
  ['doctor'],
]) {
  test(`rollcall ${argv.join(' ')} uses no other database when DATABASE_URL is misspelled`, async () => {
    const cwd = join(files, randomUUID())
    mkdirSync(cwd)
    const env = { DATABASE_URLS: 'postgres://db.example/rollcall' }
    const { code, stdout, stderr } = await runHere(argv, { cwd, env })
    assert.match(stdout + stderr, /DATABASE_URLS is not a setting: did you mean DATABASE_URL\?/)
    assert.notEqual(code, 0)
    assert.deepEqual(readdirSync(cwd), [])
  })
}

test('each prefix of unknown settings is that of a setting', () => {
  const names = Object.keys(settingTable)
  // A later version has settings of this kind.
  for (const prefix of settingPrefixes.filter((one) => one !== 'CONSOLE_OIDC_'))
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

test('signing in with an identity provider requires its settings, and the root token for emergencies', () => {
  const all = {
    CONSOLE_OIDC_ISSUER: 'https://id.example.com',
    CONSOLE_OIDC_CLIENT_ID: 'id',
    CONSOLE_OIDC_CLIENT_SECRET: 'secret',
    CONSOLE_OIDC_ADMINS: '@example.com',
    ADMIN_ROOT_TOKEN: 't'.repeat(16),
  }
  assert.deepEqual(problemsOf(all), [])
  assert.deepEqual(problemsOf({ ADMIN_ROOT_TOKEN: 't'.repeat(16) }), [])
  for (const name of Object.keys(all)) {
    const [present] = Object.keys(all).filter((one) => one !== name)
    assert.deepEqual(problemsOf({ ...all, [name]: '' }), [`${name} must be set when ${present} is.`])
  }
})

for (const [name, valid, invalid] of [
  [
    'CONSOLE_OIDC_ADMINS',
    ['ada@example.com', '@example.com', 'groups=Platform admins', 'ada@example.com, @a.example,roles=a=b'],
    ['ada', '@', 'ada@', '=x', 'groups=', 'ada@example.com,', '@a@b'],
  ],
  [
    'CONSOLE_OIDC_ISSUER',
    ['https://id.example.com', 'https://login.microsoftonline.com/6f1f2a3c/v2.0', 'http://localhost:8080/realms/a'],
    [
      ...[
        'http://id.example.com',
        'http://localhost.example.com',
        'https://id.example.com/.well-known/openid-configuration',
      ],
      ...['https://login.microsoftonline.com/common/v2.0', 'https://login.microsoftonline.com//Organizations/v2.0'],
    ],
  ],
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
  [
    'DSYNC_WEBHOOK_PROXY',
    [
      'http://proxy.example:3128',
      'https://proxy.example/',
      'http://user:p%40ss@10.0.0.1:3128',
      'http://[fd00::1]:3128',
    ],
    [
      ...['proxy.example:3128', 'socks5://proxy.example', 'http://', 'http://proxy.example/path', 'http://a b'],
      ...['http://proxy.example?a', 'http://proxy.example#a'],
    ],
  ],
  ['NO_PROXY', ['*', 'localhost,.svc,10.0.0.0/8, [::1]:443', 'anything at all'], []],
  ['DSYNC_WEBHOOK_CONCURRENCY', ['1', '256'], ['0', '257', 'many']],
  ['KEEP_ALIVE_SECONDS', ['1', '7200'], ['0', '7201', '72s']],
  ['DSYNC_WEBHOOK_LOGS_TTL', ['1', '365'], ['0', '366', '7d']],
  ['DSYNC_EXTDIR_API_URL', ['http://localhost:1'], ['localhost:1', 'admin.googleapis.com']],
  ['DSYNC_EXTDIR_CRON_INTERVAL', ['0', '604800'], ['-1', '604801', '1h']],
  ['DSYNC_EXTDIR_MAX_DELETE_PERCENT', ['0', '30', '100'], ['101', '30%']],
  ['POLIS_COMPAT', ['true', 'false'], ['yes', '1', 'TRUE']],
  ['MAX_DIRECTORIES_PER_TENANT', ['0', '1000'], ['-1', '1000001', 'many']],
  ['FEED_MAX_STREAMS', ['0', '500'], ['-1', '100001', 'many']],
  ['FEED_MAX_STREAMS_PER_KEY', ['0', '200'], ['-1', '100001', 'many']],
  ['FEED_MAX_STREAMS_PER_TENANT', ['0', '50'], ['-1', '100001', 'many']],
  ['SCIM_RATE_LIMIT', ['0', '25', '1000'], ['-1', '1', '24', '100001', 'many']],
  ['SCIM_BODY_LIMIT', ['1024', '16777216'], ['0', '16777217', '5MB']],
  ['LOG_LEVEL', ['info', 'silent', 'trace'], ['INFO', 'verbose']],
] as const) {
  test(`${name} accepts ${valid.length} valid values and rejects ${invalid.length} invalid ones`, () => {
    const needed = (problem: string) => problem.includes(' must be set when CONSOLE_OIDC_')
    for (const value of valid) {
      const problems = problemsOf({ [name]: value }).filter((problem) => !needed(problem))
      assert.deepEqual(problems, [], value)
    }
    for (const value of invalid) assert.equal(problemsOf({ [name]: value }).length, 1, value)
  })
}

test('every setting has a meaning', () => {
  for (const [name, { meaning }] of Object.entries(settingTable)) assert(meaning.length > 15, name)
})
