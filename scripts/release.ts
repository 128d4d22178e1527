/**
 * Checks that the version in package.json can be released, and packs it. Publishes nothing.
 *
 *     npm run release
 */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { version } from '../src/version.ts'
import { changelogProblems } from './changelog.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

function git(...args: readonly string[]): string {
  return execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim()
}

/** Runs a script of package.json, with its output. It throws when the script fails. */
function run(...args: readonly string[]): void {
  console.log(`\n$ npm ${args.join(' ')}`)
  execFileSync('npm', args, { cwd: root, stdio: 'inherit' })
}

/** Sentences that say why the files do not fit a release. */
function findProblems(): string[] {
  return [
    ...(git('status', '--porcelain') === '' ? [] : ['Commit all changes, or remove them: git status shows some.']),
    ...(git('tag', '--list', `v${version}`) === '' ? [] : [`There is a tag v${version}: raise the version.`]),
    ...changelogProblems(readFileSync(new URL('../CHANGELOG.md', import.meta.url), 'utf8'), version),
  ]
}

const problems = findProblems()
if (problems.length > 0) {
  console.error(`Rollcall ${version} cannot be released:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
  process.exit(1)
}
for (const script of ['generate', 'check', 'docs', 'test']) run('run', script)
run('pack')
run('pack', '--workspace', 'rollcall-client')
console.log(`
Rollcall ${version} is checked and packed. Nothing is published. What is left to do:

  npm run examples                       each example works with the package
  git tag --annotate v${version} --message "Rollcall ${version}"
  git push origin v${version}
  npm publish rollcall-${version}.tgz
  npm publish rollcall-client-${version}.tgz
  docker build --tag rollcall:${version} .   and push it to your registry
  a release on GitHub, with the section ${version} of CHANGELOG.md
  then, if it is the first one: README.md and docs/ say that the package is not published`)
