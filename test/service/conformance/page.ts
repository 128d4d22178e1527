import type { Conformance, CoveringTest, Explanation, Requirement } from './requirement.ts'
import { isTested } from './requirement.ts'

const introduction = `# Conformance

The MUST and SHOULD requirements of RFC 7643, RFC 7644 and RFC 9865 for a service provider, in our words, and the test that
covers each. All tests run over HTTP, on SQLite and on PostgreSQL, against a directory of each [profile](ipsie.md#strict-directories):
tolerant, the default, and strict. Where a strict directory has a test of its own, it follows after “strict:”. \`npm run conformance\` runs
the tests and generates this page from them; a test fails when it is out of date.

[ipsie.md](ipsie.md) has the requirements of the SCIM interoperability profile and of IPSIE, which a strict directory meets.
`

/** The text of docs/conformance.md. */
export function conformancePage(all: readonly Conformance[]): string {
  return [introduction, deviations(all), ...all.map(sectionOf)].join('\n')
}

/** The deviations of tolerant directories, and the setting that ends each. */
function deviations(all: readonly Conformance[]): string {
  const rows = all.flatMap(({ rfc, requirements }) =>
    requirements.flatMap(({ section, deviation }) => {
      if (deviation === undefined) return []
      const { text, endedBy } = deviation
      const setting = typeof endedBy === 'string' ? `\`${endedBy}\`` : `none: ${endedBy.none}`
      return [`| RFC ${rfc} ${linkTo(rfc, section)} | ${cell(text)} | ${cell(setting)} |`]
    }),
  )
  const head = '| section | what a tolerant directory does | the setting that ends it |\n| --- | --- | --- |'
  return `## Deviations\n\n${head}\n${rows.join('\n')}\n`
}

function linkTo(rfc: number, section: string): string {
  return `[${section}](https://www.rfc-editor.org/rfc/rfc${rfc}#section-${section})`
}

function sectionOf({ rfc, title, folder, requirements }: Conformance): string {
  const rows = requirements.map((requirement) => rowOf(rfc, requirement))
  const head = '| section | level | requirement | covered by |\n| --- | --- | --- | --- |'
  const tested = requirements.filter(isTested).length
  const counts = `${requirements.length} requirements, ${tested} of them covered by the tests in \`test/service/conformance/${folder}\`.`
  return `## RFC ${rfc}: ${title}\n\n${counts}\n\n${head}\n${rows.join('\n')}\n`
}

function rowOf(rfc: number, requirement: Requirement): string {
  const { section, level, text, coveredBy } = requirement
  const coverage = [coverageOf(coveredBy), ...(coveredBy.strict ? [`strict: ${coverageOf(coveredBy.strict)}`] : [])]
  return `| ${linkTo(rfc, section)} | ${level} | ${cell(text)} | ${cell(coverage.join('; '))} |`
}

function coverageOf(covering: CoveringTest | Explanation): string {
  return 'test' in covering ? covering.test : `*${covering.because}*`
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
