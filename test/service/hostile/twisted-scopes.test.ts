import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pairs } from '../../support/extent.ts'
import { forEachEngine, forSuite } from '../../support/service.ts'
import { usesBy } from './support/routes.ts'
import { openScopedWorld, product, tenant, unknown } from './support/scoped-world.ts'

/** Spellings of a query value that two parsers may read differently. */
function twisted(name: string, ours: string, theirs: string): readonly string[] {
  const t = encodeURIComponent(theirs)
  return [
    ...[`${name}=${ours}&${name}=${t}`, `${name}=${t}&${name}=${ours}`, `${name}[]=${t}`, `${name}[x]=${t}`],
    ...[`${name}=${t.toUpperCase()}`, `${name.toUpperCase()}=${t}`, `${name}=${t}%20`, `${name}=%20${t}`],
    ...[`${name}=${t}%00`, `${name}=${ours}%00${t}`, `${name}=${ours},${t}`, `${name}=${ours}%2C${t}`, `${name}=`],
    ...[`${name}=${'x'.repeat(5000)}`, `${name}=*`, `${name}=%25`, `${name}=_____`, `${name}=null`, `${name}`],
    ...[`${name}=${ours}%27%20or%20%27a%27=%27a`, `${name}=${ours}%26${name}=${t}`, `${name}=${ours};${name}=${t}`],
    ...[`__proto__[${name}]=${t}`, `__proto__=${t}`, `constructor[prototype][${name}]=${t}`, `%74enant=${t}`],
    ...[`${name}=${ours}%0d%0a${t}`, `${name}=%C0%AE`, `${name}=%ff`, `${name}.x=${t}`, `%00${name}=${t}`],
  ]
}

forEachEngine((engine) => {
  const world = forSuite(() => openScopedWorld(engine))

  test('a malformed query never leaves the scope of a key', () =>
    world().untouched(async () => {
      const { use, own, others, assertSilent } = world()
      const [theirs] = others.slice(-1)
      assert(theirs !== undefined)
      const queries = [
        ...twisted('tenant', own.tenant, theirs.tenant),
        ...twisted('product', own.product, theirs.product),
        ...twisted('directoryId', own.directory.id, theirs.directory.id),
      ]
      const routes = usesBy('query').filter(({ method }) => method === 'GET')
      for (const [route, query] of pairs(routes, queries)) {
        const response = await use('both', route, own, `?${query}`)
        assert([200, 400, 403, 404, 414].includes(response.status), `${route.name} ${response.text}`)
        assertSilent(response, others, route.name)
      }
    }))

  test('a malformed query cannot delete the delivery log of another tenant', () =>
    world().untouched(async () => {
      const { send, own, others } = world()
      for (const { directory } of others) {
        const queries = [...twisted('directoryId', own.directory.id, directory.id), `directoryId=${directory.id}`]
        await Promise.all(queries.map((query) => send('both', 'DELETE', `/events?${query}`)))
      }
    }))

  test('a malformed body never leaves the scope of a key', () =>
    world().untouched(async () => {
      const { send } = world()
      const before = await world().inventory()
      const values = ['globex', 'ACME', 'acme ', ' acme', 'acme\0', '', null, 0, ['acme'], { acme: 'acme' }, true]
      const bodies = [
        (value: unknown) => ({ tenant: value }),
        (value: unknown) => ({ tenant: value, product }),
        (value: unknown) => ({ product: value }),
        (value: unknown) => ({ tenant, product: value }),
      ]
      for (const [value, bodyOf] of pairs(values, bodies)) {
        const response = await send('both', 'POST', '', bodyOf(value))
        assert.equal(response.status, 403, `${JSON.stringify(bodyOf(value))} ${response.text}`)
      }
      for (const text of [
        '[{"tenant":"globex","product":"erp"}]',
        '{"__proto__":{"tenant":"globex","product":"erp"}}',
        '{"constructor":{"prototype":{"tenant":"globex"}},"product":"erp"}',
        '"globex"',
        'null',
        '',
      ]) {
        const { status } = await send('both', 'POST', '', text, { 'content-type': 'application/json' })
        assert([400, 403].includes(status), `${text} ${status}`)
      }
      assert.deepEqual(await world().inventory(), before)
    }))

  test('if a body repeats a name, the last value counts and is the one that is checked', async () => {
    const { send } = world()
    const headers = { 'content-type': 'application/json' }
    const wrong = await send('both', 'POST', '', '{"tenant":"acme","tenant":"globex"}', headers)
    assert.equal(wrong.status, 403)
    const right = await send('both', 'POST', '', '{"tenant":"globex","tenant":"acme"}', headers)
    assert.deepEqual([right.status, right.body.data.tenant, right.body.data.product], [201, 'acme', 'crm'])
  })

  test('an update cannot move a directory to another tenant', async () => {
    const { send, own } = world()
    const body = { name: 'Moved', tenant: 'globex', product: 'erp', id: unknown, directory_id: unknown }
    assert.equal((await send('both', 'PATCH', `/${own.directory.id}`, body)).status, 400)
    const { body: after } = await send('both', 'GET', `/${own.directory.id}`)
    assert.deepEqual([after.data.id, after.data.tenant, after.data.product], [own.directory.id, tenant, product])
    assert.notEqual(after.data.name, 'Moved')
  })

  test('an id is checked in every spelling', () =>
    world().untouched(async () => {
      const { send, own, others, assertSilent } = world()
      for (const { directory, marks } of others) {
        const coded = [...directory.id].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
        const ids = [
          ...[coded, directory.id.toUpperCase(), `${directory.id}%20`, `${directory.id}%00`, `${directory.id}/`],
          ...[
            `${own.directory.id}%2F..%2F${directory.id}`,
            `${own.directory.id}/../${directory.id}`,
            `.//${directory.id}`,
          ],
          ...[
            `${own.directory.id}?id=${directory.id}`,
            `${directory.id};${own.directory.id}`,
            `%2e%2e%2f${directory.id}`,
          ],
        ]
        for (const id of ids) {
          for (const path of [`/${id}`, `/${id}/delivery`]) {
            const response = await send('both', 'GET', path)
            assert([200, 400, 404].includes(response.status), `${path} ${response.text}`)
            assert(!marks.some((mark) => response.text.includes(mark)), path)
          }
          assert.notEqual((await send('both', 'POST', `/${id}/pause`)).status, 200)
        }
        assertSilent(await send('both', 'HEAD', `/${directory.id}`), others, 'HEAD')
        assert.equal((await send('both', 'HEAD', `/${directory.id}`)).status, 404)
      }
    }))
})
