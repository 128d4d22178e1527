import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import type { Manifest, Values } from '../support/helm.ts'
import { mergeValues, renderChart, renderTemplates } from '../support/helm.ts'

const chart = fileURLToPath(new URL('../../deploy/helm/rollcall', import.meta.url))
const examples = new URL('../../deploy/helm/examples/', import.meta.url)
const docs = new URL('../../docs/', import.meta.url)

const minimal: Values = { existingSecret: 'rollcall', externalUrl: 'https://sync.example.com' }

async function exampleValues(name: string): Promise<Values> {
  return parse(await readFile(new URL(name, examples), 'utf8')) as Values
}

/** The object of a kind, and of a name if there are several. */
function oneOf(manifests: readonly Manifest[], kind: string): Manifest {
  const [found, ...others] = manifests.filter((one) => one.kind === kind)
  assert.ok(found !== undefined && others.length === 0, `one ${kind}`)
  return found
}

/** A part of an object, such as `spec.template.spec` or `containers.0.name`. */
function at(value: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((part, key) => (part as Record<string, unknown> | undefined)?.[key], value)
}

const kindsOf = (manifests: readonly Manifest[]) => manifests.map(({ kind }) => kind).toSorted()

test('the chart makes a deployment, its services and what protects them from the two values that it needs', async () => {
  const manifests = await renderChart(chart, minimal)
  assert.deepEqual(kindsOf(manifests), ['Deployment', 'PodDisruptionBudget', 'Service', 'Service', 'ServiceAccount'])
  const pod = at(oneOf(manifests, 'Deployment'), 'spec.template.spec')
  assert.deepEqual(at(pod, 'securityContext'), {
    ...{ runAsNonRoot: true, runAsUser: 1000, runAsGroup: 1000 },
    seccompProfile: { type: 'RuntimeDefault' },
  })
  assert.deepEqual(at(pod, 'containers.0.securityContext'), {
    ...{ allowPrivilegeEscalation: false, readOnlyRootFilesystem: true },
    capabilities: { drop: ['ALL'] },
  })
  assert.deepEqual(at(pod, 'containers.0.envFrom'), [{ secretRef: { name: 'rollcall' } }])
  assert.equal(at(pod, 'terminationGracePeriodSeconds'), 65)
  assert.equal(at(pod, 'containers.1'), undefined)
  assert.equal(at(pod, 'initContainers'), undefined)
})

test('every object has the labels of the release, and every selector names some of them', async () => {
  const manifests = await renderChart(chart, minimal, await exampleValues('network-policy.yaml'))
  const labels = at(oneOf(manifests, 'Deployment'), 'spec.template.metadata.labels')
  for (const manifest of manifests) {
    const own = at(manifest, 'metadata.labels') as Record<string, string> | undefined
    assert.equal(own?.['app.kubernetes.io/instance'], 'rollcall', manifest.kind)
    for (const path of ['spec.selector.matchLabels', 'spec.podSelector.matchLabels', 'spec.selector']) {
      const selector = at(manifest, path)
      if (selector === undefined || at(selector, 'matchLabels') !== undefined) continue
      assert.deepEqual({ ...(labels as object), ...(selector as object) }, labels, `${manifest.kind} ${path}`)
    }
  }
})

for (const { externalUrl, paths } of [
  { externalUrl: 'https://sync.example.com', paths: ['/'] },
  { externalUrl: 'https://sync.example.com/', paths: ['/'] },
  {
    externalUrl: 'https://sync.example.com:8443/sync/',
    paths: ['/sync', '/.well-known/oauth-authorization-server/sync'],
  },
  {
    externalUrl: 'https://sync.example.com/a/b',
    paths: ['/a/b', '/.well-known/oauth-authorization-server/a/b'],
  },
]) {
  test(`an Ingress and an HTTPRoute for ${externalUrl} serve ${paths.join(' and ')}`, async () => {
    const manifests = await renderChart(chart, minimal, {
      externalUrl,
      ingress: { enabled: true, className: 'nginx', tlsSecret: 'sync-tls' },
      httpRoute: { enabled: true, parentRefs: [{ name: 'public', namespace: 'gateways' }] },
    })
    const backend = { service: { name: 'rollcall', port: { name: 'http' } } }
    assert.deepEqual(at(oneOf(manifests, 'Ingress'), 'spec'), {
      ingressClassName: 'nginx',
      tls: [{ hosts: ['sync.example.com'], secretName: 'sync-tls' }],
      rules: [
        {
          host: 'sync.example.com',
          http: { paths: paths.map((path) => ({ path, pathType: 'Prefix', backend })) },
        },
      ],
    })
    assert.deepEqual(at(oneOf(manifests, 'HTTPRoute'), 'spec'), {
      parentRefs: [{ name: 'public', namespace: 'gateways' }],
      hostnames: ['sync.example.com'],
      rules: [
        {
          matches: paths.map((value) => ({ path: { type: 'PathPrefix', value } })),
          backendRefs: [{ name: 'rollcall', port: 80 }],
        },
      ],
    })
  })
}

test('a route may have its own host, timeouts and annotations', async () => {
  const httpRoute = {
    ...{ enabled: true, parentRefs: [{ name: 'public', sectionName: 'https' }] },
    ...{ host: 'internal.example.com', timeouts: { request: '0s' }, annotations: { team: 'identity' } },
  }
  const route = oneOf(await renderChart(chart, minimal, { httpRoute, service: { port: 8080 } }), 'HTTPRoute')
  assert.deepEqual(at(route, 'spec.hostnames'), ['internal.example.com'])
  assert.deepEqual(at(route, 'spec.rules.0.timeouts'), { request: '0s' })
  assert.deepEqual(at(route, 'spec.rules.0.backendRefs'), [{ name: 'rollcall', port: 8080 }])
  assert.deepEqual(at(route, 'metadata.annotations'), { team: 'identity' })
})

test('containers and init containers are added to each pod', async () => {
  const agent = { name: 'agent', image: 'agent:1' }
  const proxy = { name: 'proxy', image: 'proxy:1', restartPolicy: 'Always' }
  const manifests = await renderChart(chart, minimal, { extraContainers: [agent], extraInitContainers: [proxy] })
  const pod = at(oneOf(manifests, 'Deployment'), 'spec.template.spec')
  assert.equal(at(pod, 'containers.0.name'), 'rollcall')
  assert.deepEqual(at(pod, 'containers.1'), agent)
  assert.deepEqual(at(pod, 'initContainers'), [proxy])
})

test('settings may come from mounted files instead of a Secret', async () => {
  const files = { name: 'secrets', mountPath: '/run/secrets' }
  const manifests = await renderChart(chart, {
    externalUrl: 'https://sync.example.com',
    settings: { DATABASE_URL_FILE: '/run/secrets/url', DRAIN_SECONDS: '30' },
    extraVolumes: [{ name: 'secrets', csi: { driver: 'secrets-store.csi.k8s.io' } }],
    extraVolumeMounts: [files],
  })
  const pod = at(oneOf(manifests, 'Deployment'), 'spec.template.spec')
  assert.equal(at(pod, 'containers.0.envFrom'), undefined)
  const env = at(pod, 'containers.0.env') as { name: string; value: string }[]
  const values = Object.fromEntries(env.map(({ name, value }) => [name, value]))
  assert.deepEqual(values, {
    ...{ EXTERNAL_URL: 'https://sync.example.com', METRICS_PORT: '9464', HOST: '0.0.0.0' },
    ...{ DATABASE_URL: '', DATABASE_URL_FILE: '/run/secrets/url', DRAIN_SECONDS: '30' },
  })
  assert.deepEqual(at(pod, 'containers.0.volumeMounts.1'), files)
  assert.equal(at(pod, 'terminationGracePeriodSeconds'), 90)
})

test('on OpenShift, no user is named, and the rest of the security context stays', async () => {
  const manifests = await renderChart(chart, minimal, await exampleValues('openshift.yaml'))
  assert.deepEqual(at(oneOf(manifests, 'Deployment'), 'spec.template.spec.securityContext'), {
    ...{ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  })
})

test('the policy of the example allows names, the database, endpoints and Google, and no metadata service of a cloud', async () => {
  const manifests = await renderChart(chart, minimal, await exampleValues('network-policy.yaml'))
  const policy = at(oneOf(manifests, 'NetworkPolicy'), 'spec')
  assert.deepEqual(at(policy, 'policyTypes'), ['Ingress', 'Egress'])
  assert.deepEqual(at(policy, 'ingress'), [
    {
      ports: [{ port: 'http' }],
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'ingress-nginx' } } }],
    },
    {
      ports: [{ port: 'metrics' }],
      from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'monitoring' } } }],
    },
  ])
  const egress = at(policy, 'egress') as { ports: { port: number }[] }[]
  assert.deepEqual(
    egress.map(({ ports }) => ports.map(({ port }) => port)),
    [[53, 53], [5432], [8080], [443]],
  )
  assert.ok((at(policy, 'egress.3.to.0.ipBlock.except') as string[]).includes('169.254.0.0/16'))
})

test('the example of three processes needs fewer connections than it says that the server has', async () => {
  const values = await exampleValues('three-processes.yaml')
  const manifests = await renderChart(chart, values)
  const [, allowed] =
    /max_connections = (\d+)/.exec(await readFile(new URL('three-processes.yaml', examples), 'utf8')) ?? []
  const deployment = oneOf(manifests, 'Deployment')
  const env = at(deployment, 'spec.template.spec.containers.0.env') as { name: string; value: string }[]
  const pool = Number(env.find(({ name }) => name === 'DATABASE_POOL_SIZE')?.value)
  assert.equal(at(deployment, 'spec.replicas'), 3)
  assert.ok(Number(at(deployment, 'spec.replicas')) * (pool + 1) * 2 <= Number(allowed))
  assert.ok(kindsOf(manifests).includes('ServiceMonitor'))
})

for (const name of readdirSync(examples)) {
  test(`the example ${name} has no value that the chart does not know`, async () => {
    const known = parse(await readFile(`${chart}/values.yaml`, 'utf8')) as Values
    assert.deepEqual(unknownValues(await exampleValues(name), known), [])
  })
}

test('the values of docs/deployment.md render, and the chart knows each of them', async () => {
  const known = parse(await readFile(`${chart}/values.yaml`, 'utf8')) as Values
  const page = await readFile(new URL('deployment.md', docs), 'utf8')
  const blocks = [...page.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text = '']) => parse(text) as Values)
  assert.ok(blocks.length > 0)
  for (const values of blocks) {
    assert.deepEqual(unknownValues(values, known), [])
    await renderChart(chart, minimal, values)
  }
})

/** The names of values that the chart does not have; what is a list, a text or an empty map there has none of its own. */
function unknownValues(values: Values, known: Values, above = ''): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (!(name in known) && above !== 'settings.') return [above + name]
    const inner = known[name]
    const isMap = (one: unknown) => typeof one === 'object' && one !== null && !Array.isArray(one)
    return isMap(value) && isMap(inner) && Object.keys(inner as Values).length > 0
      ? unknownValues(value as Values, inner as Values, `${above}${name}.`)
      : []
  })
}

for (const { because, values, problem } of [
  { because: 'there is no public address', values: { existingSecret: 'rollcall' }, problem: /externalUrl/ },
  {
    because: 'a route has no gateway',
    values: { ...minimal, httpRoute: { enabled: true } },
    problem: /httpRoute\/parentRefs/,
  },
  {
    because: 'a container has no image',
    values: { ...minimal, extraContainers: [{ name: 'agent' }] },
    problem: /image/,
  },
  {
    because: 'a setting is a number',
    values: { ...minimal, settings: { DRAIN_SECONDS: 5 } },
    problem: /DRAIN_SECONDS/,
  },
]) {
  test(`the chart refuses values: ${because}`, async () => {
    await assert.rejects(renderChart(chart, values), problem)
  })
}

const render = (text: string, context: unknown = {}) => renderTemplates([{ name: 'one.yaml', text }], context)[0]?.text

for (const { template, context, text } of [
  {
    template: 'a {{- /* no */}} b\n  {{- if .x }} c {{- else if .y }} d {{ else }} e {{ end -}} \n f',
    context: { y: 1 },
    text: 'a b d f',
  },
  { template: '{{ range $k, $v := .m }}{{ $k }}={{ $v }};{{ end }}', context: { m: { b: 2, a: 1 } }, text: 'a=1;b=2;' },
  { template: '{{ range .l }}{{ . }}{{ $.x }}{{ else }}none{{ end }}', context: { l: [], x: 1 }, text: 'none' },
  { template: '{{ $a := "x" }}{{ with .y }}{{ $a }}{{ . }}{{ end }}', context: { y: 'z' }, text: 'xz' },
  { template: '{{ .a | default (printf "%s-%s" "b" .c) | quote }}', context: { a: '', c: 'c' }, text: '"b-c"' },
  {
    template: '{{ define "d" }}[{{ . }}]{{ end }}{{ include "d" .x | nindent 2 }}',
    context: { x: 'y' },
    text: '\n  [y]',
  },
  {
    template: '{{ if and .a (not .b) }}yes{{ end }}{{ if or .b .a }}or{{ end }}',
    context: { a: 1, b: 0 },
    text: 'yesor',
  },
  { template: '{{ add 60 (.s | default 5) }}', context: { s: '7' }, text: '67' },
]) {
  test(`the renderer of the tests renders ${JSON.stringify(template)} as Go does`, () => {
    assert.equal(render(template, context), text)
  })
}

for (const { template, problem } of [
  { template: '{{ lookup "v1" "Secret" }}', problem: /unknown function: lookup/ },
  { template: '{{ .missing }}', problem: /needs quote, toYaml or a default/ },
  { template: '{{ .missing.more }}', problem: /nothing has \.more/ },
  { template: '{{ .large }}', problem: /prints 5000000/ },
  { template: '{{ include "nothing" . }}', problem: /nothing defines nothing/ },
  { template: '{{ if .x }}', problem: /no end of if/ },
  { template: '{{ end }}', problem: /without a beginning/ },
  { template: '{{ (.x).y }}', problem: /unknown/ },
  { template: '{{ template "x" . }}', problem: /unknown function: template/ },
  { template: '{{ $x }}', problem: /\$x is not defined/ },
  { template: '{{ "open', problem: /no \}\}/ },
]) {
  test(`the renderer of the tests refuses ${template}`, () => {
    assert.throws(() => render(template, { large: 5_000_000 }), { message: problem })
  })
}

test('null removes a value of the chart, maps are merged, and lists are replaced', () => {
  const merged = mergeValues({ a: { b: 1, c: 2 }, l: [1], d: 1 }, { a: { b: null, e: 3 }, l: [], d: null })
  assert.deepEqual(merged, { a: { c: 2, e: 3 }, l: [] })
})
