// Builds the web interface into console/dist: run when the repository is installed, and by hand with
// "npm run build:console". An installation without the development packages has no Vite and skips it.
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const root = fileURLToPath(new URL('.', import.meta.url))
const assets = new URL('dist/assets/', import.meta.url)
/** Smaller files are not worth compressed copies. */
const smallestCompressed = 1024

/** The packages that building needs; undefined when they are not installed. */
async function loadTools() {
  try {
    const [{ build }, { default: react }] = await Promise.all([import('vite'), import('@vitejs/plugin-react')])
    return { build, react }
  } catch (error) {
    if (error.code === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

async function compressAssets() {
  for (const name of await readdir(assets)) {
    const content = await readFile(new URL(name, assets))
    if (content.length < smallestCompressed) continue
    await writeFile(
      new URL(`${name}.gz`, assets),
      await promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
    )
    // The best quality takes ten seconds for the viewer of the API reference, and makes it a tenth smaller.
    const params = { [constants.BROTLI_PARAM_QUALITY]: content.length > 1_000_000 ? 9 : constants.BROTLI_MAX_QUALITY }
    await writeFile(new URL(`${name}.br`, assets), await promisify(brotliCompress)(content, { params }))
  }
}

/** The page at /docs, which shows the description of the API, and the script of its viewer: its package has it as a Fastify plugin. */
async function addReference() {
  const [{ default: Fastify }, { default: viewer }] = await Promise.all([
    import('fastify'),
    import('@scalar/fastify-api-reference'),
  ])
  const server = Fastify()
  await server.register(viewer, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
  const { statusCode, rawPayload } = await server.inject({ url: '/docs/js/scalar.js' })
  if (statusCode !== 200) throw new Error('The package of the API reference has its script at another path.')
  await writeFile(new URL('scalar.js', assets), rawPayload)
  const version = createHash('sha256').update(rawPayload).digest('hex').slice(0, 8)
  const page = await readFile(new URL('reference.html', import.meta.url), 'utf8')
  const icon = (await readdir(assets)).find((name) => /^icon-.*\.svg$/.test(name)) ?? ''
  const built = page.replace('__SCRIPT_VERSION__', version).replace('__ICON__', icon)
  await writeFile(new URL('dist/reference.html', import.meta.url), built)
}

/** The modules that run before the rest has been loaded: they are a file of their own, and import none of the others. */
const early =
  /console\/src\/(?:(?:console\/(?:early|pages)|portal\/(?:early|api|languages|storage)|api\/(?:http|waiting|loading))\.ts$)|preload-helper|rolldown\/runtime/

/** Names the chunk of what the pages of the console have in common, once somebody is signed in. */
function nameOfPages() {
  const found = new Set()
  return (id, context) => {
    const add = (one) => {
      // Through the index of Mantine, every component would be reached.
      if (found.has(one) || one.includes('@mantine')) return
      found.add(one)
      for (const imported of context.getModuleInfo(one)?.importedIds ?? []) add(imported)
    }
    add(`${root}src/console/routes.tsx`)
    return found.has(id) ? 'pages' : null
  }
}

/** Runs the early script as soon as it has arrived, rather than when all others have, and the style sheet. */
const runEarly = {
  name: 'run-early',
  transformIndexHtml: {
    order: 'post',
    handler(_html, { bundle }) {
      const { fileName } = Object.values(bundle).find(({ name }) => name === 'early')
      const attrs = { type: 'module', async: true, crossorigin: true, src: `__BASE_PATH__/console/${fileName}` }
      return [{ tag: 'script', attrs, injectTo: 'head' }]
    },
  },
}

const tools = await loadTools()
if (tools === undefined) {
  process.stdout.write('The console is not built: Vite is not installed.\n')
} else {
  // Each page is built by itself: it then loads what it needs at first in one file, and nothing that only the other needs.
  for (const page of ['index', 'setup']) {
    await tools.build({
      root,
      configFile: false,
      logLevel: 'warn',
      plugins: [tools.react(), runEarly],
      // The service replaces the placeholder in pages with the path of its address; files name each other relatively.
      experimental: {
        renderBuiltUrl: (file, { hostType }) =>
          hostType === 'html' ? `__BASE_PATH__/console/${file}` : { relative: true },
      },
      build: {
        outDir: 'dist',
        emptyOutDir: page === 'index',
        target: 'es2023',
        // Those that know light-dark() in CSS.
        cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
        // Inlined files would need a wider content security policy.
        assetsInlineLimit: 0,
        modulePreload: { polyfill: false },
        reportCompressedSize: false,
        chunkSizeWarningLimit: 1000,
        rolldownOptions: {
          input: `${root}/${page}.html`,
          output: {
            codeSplitting: {
              groups: [
                { name: 'early', test: early, priority: 3 },
                { name: 'first', tags: ['$initial'], priority: 2 },
                { name: nameOfPages(), debugName: 'pages', priority: 1 },
                // On a slow network, dozens of small files take longer than their code.
                { name: 'shared', minShareCount: 5 },
              ],
            },
          },
        },
      },
    })
  }
  await addReference()
  await compressAssets()
}
