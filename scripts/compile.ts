import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs a command in the repository and shows its output.
 *
 * @throws Error when it fails
 */
export function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, { cwd: root, stdio: 'inherit', shell: process.platform === 'win32' })
}

/**
 * Replaces a folder by the JavaScript of a project, and the files beside `src` and `tools` that are read at run time, such as
 * migrations. The relative paths are those of the repository.
 *
 * @param project the path of the TypeScript project in the repository
 * @param quick without checking types and without declarations
 */
export function compile(project: string, out: string, quick: boolean): void {
  rmSync(out, { recursive: true, force: true })
  const options = quick ? ['--noCheck', '--declaration', 'false'] : []
  run(join(root, 'node_modules/.bin/tsc'), ['-p', project, '--outDir', out, ...options])
  chmodSync(join(out, 'bin/rollcall.js'), 0o755)
  for (const folder of ['src', 'tools']) copyOtherFiles(folder, out)
}

/**
 * Adds `src/client` and `src/webhooks` as CommonJS to a folder, for products that cannot load ECMAScript modules: Node.js 20
 * before 20.19, Jest, and TypeScript with CommonJS. The declarations are those of the modules.
 *
 * @param out replaced if it exists
 * @param modules the folder of the compiled modules and their declarations, if they have any
 */
export function compileCommonJs(out: string, modules: string): void {
  rmSync(out, { recursive: true, force: true })
  const format = ['--module', 'commonjs', '--moduleResolution', 'bundler', '--verbatimModuleSyntax', 'false']
  const options = [...format, '--noCheck', '--declaration', 'false']
  run(join(root, 'node_modules/.bin/tsc'), ['-p', 'packages/client', '--outDir', out, ...options])
  writeFileSync(join(out, 'package.json'), '{ "type": "commonjs" }\n')
  for (const folder of ['client', 'webhooks']) {
    for (const name of readdirSync(join(modules, folder))) {
      if (name.endsWith('.d.ts')) cpSync(join(modules, folder, name), join(out, folder, name))
    }
  }
}

function copyOtherFiles(folder: string, out: string): void {
  for (const path of readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, path)
    if (/\.\w+$/.test(path) && !path.endsWith('.ts')) cpSync(join(root, file), join(out, file))
  }
}
