/** A section of the changelog: a version, and the day of its release. */
interface Section {
  readonly title: string
  readonly text: string
}

/** The sections of a changelog, newest first. */
function sectionsOf(changelog: string): Section[] {
  return changelog
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [title = '', ...lines] = section.split('\n')
      return { title, text: lines.join('\n').trim() }
    })
}

/** Sentences that say why a changelog does not fit the release of a version; none if it does. */
export function changelogProblems(changelog: string, version: string): string[] {
  const [unreleased, newest] = sectionsOf(changelog)
  const problems: string[] = []
  if (unreleased?.title !== 'Unreleased') problems.push('CHANGELOG.md must begin with a section "Unreleased".')
  else if (unreleased.text !== '') problems.push(`Move what is under "Unreleased" in CHANGELOG.md to ${version}.`)
  const [of, date = ''] = newest?.title.split(' — ') ?? []
  if (of !== version) problems.push(`The newest version in CHANGELOG.md must be ${version}, that of package.json.`)
  else if (!/^\d{4}-\d{2}-\d{2}$/.test(date))
    problems.push(`The title of ${version} in CHANGELOG.md must have the day, like "## ${version} — 2026-11-25".`)
  return problems
}
