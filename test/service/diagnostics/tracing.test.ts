import assert from 'node:assert/strict'
import { AsyncLocalStorage } from 'node:async_hooks'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { after, test } from 'node:test'
import type { Context, ContextManager } from '@opentelemetry/api'
import { context, ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { createRollcall } from '../../../src/index.ts'
import { openTracing } from '../../../src/tracing/tracing.ts'
import { dataOf } from '../../support/delivery.ts'
import { startReceiver } from '../../support/receiver.ts'
import { forEachEngine, openTestDatabase, startTestService } from '../../support/service.ts'

const exporter = new InMemorySpanExporter()

function loadSdk(): void {
  trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }))
}

test('without an SDK there is no tracing', async () => {
  assert.equal(await openTracing('1.0.0'), undefined)
  loadSdk()
})

after(() => trace.disable())

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736'
const caller = '00f067aa0ba902b7'

const traceOf = (digit: string) => digit.repeat(32)
const from = (digit: string) => `00-${traceOf(digit)}-${caller}-01`
const bulkOf = (Operations: readonly object[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
  Operations,
})

forEachEngine((engine) => {
  test('the request, the commit and the delivery of its event are one trace, which the endpoint continues', async () => {
    await using receiver = await startReceiver()
    await using service = await startTestService(engine)
    const directory = await service.createDirectory({ ...receiver.endpoint })
    exporter.reset()
    const headers = { traceparent: `00-${traceId}-${caller}-01`, tracestate: 'vendor=value' }
    const created = await service.scim(directory, 'POST', '/Users', { userName: 'bjensen' }, headers)
    await receiver.firstEvents(directory.id, 1)
    const [received] = receiver.attempts
    await service.close()

    const spans = new Map(exporter.getFinishedSpans().map((span) => [span.name, span]))
    const request = spans.get('POST /api/scim/v2.0/:directoryId/Users')
    const commit = spans.get('commit createUser')
    const delivery = spans.get('deliver events')
    assert(request && commit && delivery, [...spans.keys()].join())
    assert.equal(request.parentSpanContext?.spanId, caller)
    assert.equal(commit.parentSpanContext?.spanId, request.spanContext().spanId)
    assert.equal(delivery.parentSpanContext?.spanId, commit.spanContext().spanId)
    for (const span of [request, commit, delivery]) {
      assert.equal(span.spanContext().traceId, traceId)
      assert.equal(span.attributes['rollcall.request_id'], created.headers['x-request-id'])
    }
    assert.equal(request.attributes['http.response.status_code'], 201)
    assert.equal(delivery.attributes['http.response.status_code'], received?.status)
    assert.equal(received?.headers['traceparent'], `00-${traceId}-${delivery.spanContext().spanId}-01`)
    assert.equal(received?.headers['tracestate'], 'vendor=value')
    const texts = JSON.stringify([...spans.values()].map(({ name, attributes }) => [name, attributes]))
    assert(!texts.includes('bjensen') && !texts.includes(directory.scim.secret), texts)
  })

  test('after a restart, events are delivered in the traces of their commits, regardless of the kind of commit', async () => {
    await using receiver = await startReceiver()
    await using database = await openTestDatabase(engine)
    const batches = {
      DSYNC_WEBHOOK_BATCH_SIZE: '10',
      DSYNC_REMOVAL_LIMIT_PERCENT: '0',
      DSYNC_REMOVAL_LIMIT_MINIMUM: '0',
    }
    trace.disable()
    await using untraced = await startTestService(database, batches)
    const directory = await untraced.createDirectory(receiver.endpoint)
    await untraced.scim(directory, 'POST', '/Users', { userName: 'ann' }, { traceparent: from('1') })
    await untraced.close()
    loadSdk()

    await using before = await startTestService(database, batches)
    const bulkId = 'cleo'
    const Operations = [{ method: 'POST', path: '/Users', bulkId, data: { userName: 'cleo' } }]
    const bob = await before.scim(directory, 'POST', '/Users', { userName: 'bob' }, { traceparent: from('2') })
    await before.scim(directory, 'POST', '/Bulk', bulkOf(Operations), { traceparent: from('3') })
    await before.scim(directory, 'DELETE', `/Users/${bob.body.id}`, undefined, { traceparent: from('4') })
    const discard = `/${directory.id}/hold/discard`
    dataOf(await before.api('POST', discard, undefined, { traceparent: from('5') }))
    await before.close()
    exporter.reset()

    await using after = await startTestService(database, batches)
    dataOf(await after.api('POST', '/cron/process-events'))
    const [attempt] = receiver.attempts
    const [delivery] = exporter.getFinishedSpans().filter(({ name }) => name === 'deliver events')
    assert.equal(delivery?.attributes['rollcall.events'], attempt?.events.length)
    const linked = delivery?.links.map(({ context }) => context.traceId)
    assert.deepEqual([delivery?.spanContext().traceId, linked], [traceOf('2'), [traceOf('3'), traceOf('5')]])
    assert.equal(attempt?.headers['traceparent'], `00-${traceOf('2')}-${delivery?.spanContext().spanId}-01`)
  })
})

test('an invalid traceparent is ignored', async () => {
  await using service = await startTestService('sqlite')
  for (const traceparent of ['x', `00-${'0'.repeat(32)}-${caller}-01`, `ff-${traceId}-${caller}-01`]) {
    exporter.reset()
    await service.api('GET', '/providers', undefined, { traceparent })
    await service.request('GET', '/healthz')
    const spans = exporter.getFinishedSpans()
    assert.deepEqual(
      spans.map(({ name, parentSpanContext }) => [name, parentSpanContext]),
      [['GET /api/v1/directory-sync/providers', undefined]],
    )
  }
})

/** As SDKs register one for Node.js. */
function contextManager(): ContextManager {
  const active = new AsyncLocalStorage<Context>()
  return {
    active: () => active.getStore() ?? ROOT_CONTEXT,
    with: (given, run, self, ...args) => active.run(given, () => Reflect.apply(run, self, args)),
    bind: (_given, target) => target,
    enable() {
      return this
    },
    disable() {
      return this
    },
  }
}

test('in a product, Rollcall continues its spans, onEvent continues those of Rollcall, and no client is traced twice', async () => {
  context.setGlobalContextManager(contextManager())
  const instrument = () => trace.getTracer('instrumentation of undici').startSpan('second span of a delivery').end()
  subscribe('undici:request:create', instrument)
  try {
    await using receiver = await startReceiver()
    const called = Promise.withResolvers<string | undefined>()
    const rollcall = await createRollcall({
      databaseUrl: 'sqlite::memory:',
      externalUrl: 'http://localhost',
      onEvent: () => called.resolve(trace.getActiveSpan()?.spanContext().spanId),
    })
    const { data } = await rollcall.directories.create({ tenant: 'acme', product: 'crm', ...receiver.endpoint })
    const product = trace.getTracer('product').startSpan('the product')
    exporter.reset()
    await context.with(trace.setSpan(ROOT_CONTEXT, product), () =>
      rollcall.fetch(
        new Request(`${data?.scim.endpoint}/Users`, {
          method: 'POST',
          headers: {
            authorization: `Bearer ${data?.scim.secret}`,
            'content-type': 'application/scim+json',
            traceparent: `00-${product.spanContext().traceId}-${caller}-01`,
          },
          body: JSON.stringify({ userName: 'bjensen' }),
        }),
      ),
    )
    const active = await called.promise
    await receiver.firstEvents(data?.id ?? '', 1)
    await rollcall.close()
    const spans = exporter.getFinishedSpans()
    const namesWithParents = spans.map(({ name, parentSpanContext }) => {
      const parent = spans.find((span) => span.spanContext().spanId === parentSpanContext?.spanId)
      return `${name} of ${parent?.name ?? (parentSpanContext?.spanId === product.spanContext().spanId ? 'the product' : '')}`
    })
    assert.deepEqual(namesWithParents.toSorted(), [
      'POST /api/scim/v2.0/:directoryId/Users of the product',
      'commit createUser of POST /api/scim/v2.0/:directoryId/Users',
      'deliver events of commit createUser',
      'deliver events of commit createUser',
    ])
    const activeSpan = spans.find((span) => span.spanContext().spanId === active)
    assert.equal(activeSpan?.name, 'deliver events', 'the span that is active in onEvent')
  } finally {
    unsubscribe('undici:request:create', instrument)
    context.disable()
  }
})
