import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { forSuite, startTestService } from '../../support/service.ts'

const service = forSuite(() => startTestService('sqlite', { METRICS_PORT: '0', LOG_LEVEL: 'info' }))

/** The address of the metrics, from the log. */
async function metricsAddress(): Promise<string> {
  const { msg } = await service().logged(({ msg }) => /^\/metrics is on port/.test(String(msg)))
  return `http://127.0.0.1:${/\d+$/.exec(String(msg))?.[0]}`
}

/** The type of every metric, by its name. */
async function metricTypes(): Promise<Map<string, string>> {
  const text = await (await fetch(`${await metricsAddress()}/metrics`)).text()
  return new Map([...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type]))
}

test('METRICS_PORT serves the metrics, and the main port no longer does', async () => {
  const address = await metricsAddress()
  const metrics = await fetch(`${address}/metrics`)
  assert.equal(metrics.status, 200)
  assert.match(String(metrics.headers.get('content-type')), /^text\/plain; version=0\.0\.4/)
  assert.match(await metrics.text(), /^rollcall_build_info\{version="[^"]+"\} 1$/m)
  for (const [method, path] of [
    ['GET', '/'],
    ['GET', '/healthz'],
    ['POST', '/metrics'],
  ]) {
    assert.equal((await fetch(address + path, { method: method ?? '' })).status, 404, path)
  }
  assert.equal((await service().request('GET', '/metrics')).status, 404)
  const { paths }: { paths: object } = JSON.parse((await service().request('GET', '/openapi.json')).text)
  assert(!('/metrics' in paths))
})

test('a METRICS_PORT that is in use ends the start with a message that names it', async () => {
  const port = new URL(service().origin).port
  await assert.rejects(startTestService('sqlite', { METRICS_PORT: port }), {
    message: `Port ${port} is in use: stop the other process, or set METRICS_PORT to another port.`,
  })
})

test('the metrics are named by the conventions of Prometheus', async () => {
  const types = [...(await metricTypes())].filter(([name]) => name.startsWith('rollcall_'))
  assert(types.length > 8)
  for (const [name, type] of types) {
    assert.match(name, /^[a-z][a-z0-9]*(_[a-z0-9]+)+$/)
    assert.equal(name.endsWith('_total'), type === 'counter', `${name}: counters, and only they, end in _total`)
    assert.doesNotMatch(
      name,
      /_(ms|milliseconds|minutes|hours|kb|mb|percent|count|sum|bucket|counter|gauge|histogram)(_|$)/,
    )
    if (type === 'histogram') assert.match(name, /_(seconds|bytes)$/, `${name}: histograms end in their unit`)
  }
})

const read = (file: string) => readFile(new URL(`../../../${file}`, import.meta.url), 'utf8')

const [rules, ruleTests] = ['deploy/prometheus/alerts.yaml', 'deploy/prometheus/alerts.test.yaml'] as const
const deployed: readonly string[] = [rules, ruleTests, 'deploy/grafana/dashboard.json']
for (const file of [...deployed, 'docs/monitoring.md', 'docs/scaling.md']) {
  test(`${file} names existing metrics`, async () => {
    const text = await read(file)
    const used = new Set(text.match(/\b(rollcall|nodejs|process)_[a-z0-9_]+/g))
    const types = await metricTypes()
    assert(used.size > (deployed.includes(file) ? 5 : 0))
    for (const name of used) {
      const histogram = name.replace(/_(count|sum|bucket)$/, '')
      assert(types.has(name) || types.get(histogram) === 'histogram', `${name} is not in /metrics`)
    }
  })
}

test('every alert has a test, and a row in docs/monitoring.md', async () => {
  const [text, tests, page] = await Promise.all([rules, ruleTests, 'docs/monitoring.md'].map(read))
  const alerts = [...(text ?? '').matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)
  assert(alerts.length > 15)
  for (const name of alerts) {
    assert(tests?.includes(`"${name}"`), `${name} fires in no test of ${ruleTests}`)
    assert(page?.includes(`\`${name}\``), `docs/monitoring.md does not say what ${name} means`)
  }
})
