import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { polisLibrary, polisVersion } from '../../tools/polis/library.ts'
import type { Peer } from './peer.ts'

/** Installs the library of Polis in a temporary folder, which is removed when it is disposed of. */
export async function openPolis(): Promise<Peer & AsyncDisposable> {
  const folder = await mkdtemp(join(tmpdir(), 'rollcall-polis-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.once('exit', remove)
  const manifest = join(folder, 'package.json')
  writeFileSync(manifest, '{}')
  const options = ['--no-audit', '--no-fund', '--ignore-scripts']
  execFileSync('npm', ['install', ...options, `${polisLibrary}@${polisVersion}`], { cwd: folder, stdio: 'ignore' })
  const library = createRequire(manifest).resolve(polisLibrary)
  return {
    // Its driver for SQLite would have to be compiled.
    ...{ name: 'Polis', kind: 'Polis', engines: ['postgres'], module: './polis.ts' },
    nodeOptions: [],
    env: { BENCH_POLIS_LIBRARY: pathToFileURL(library).href },
    authorization: 'Api-Key polis-api-key',
    statuses: { deleted: 200, groupChanged: 200 },
    async [Symbol.asyncDispose]() {
      process.off('exit', remove)
      remove()
    },
  }
}
