import MiniSearch from 'minisearch'

/*
 * How the search of the site finds pages. Browsers get the text of these functions, so each does without anything outside itself.
 */

/** Leaves out the words of a question that its answer need not have, and finds a word by its other forms: users by user, retried by retry. */
function processTerm(term: string): string | undefined {
  const word = term.toLowerCase()
  const isFiller =
    /^(an?|and|are|as|at|be|been|by|can|could|did|do|does|for|from|get|had|has|have|how|i|if|in|into|is|it|its|me|my|no|not|of|on|or|our|so|that|the|their|them|there|they|this|to|use|was|we|were|what|when|where|which|who|why|will|with|you|your)$/
  if (isFiller.test(word)) return undefined
  if (word.length < 5) return word
  return word.replace(/(?<=[^aeiou])(ies|ied)$/, 'y').replace(/(?<=[^su])s$/, '')
}

/** Tolerates a letter too many, too few or another one in long words; short ones would be taken for others, such as role for rule. */
function fuzzy(term: string): number | false {
  return term.length > 5 ? 0.15 : false
}

/** Ranks the pages of tasks before those that list everything, and the beginning of a page before its parts. */
function boostDocument(id: string, _term: string, stored?: Readonly<Record<string, unknown>>): number {
  const { titles } = stored ?? {}
  const depth = Array.isArray(titles) ? titles.length : 0
  if (/^\/(changelog|conformance|STYLE|performance)\b/.test(id) || id.includes('#schema-')) return 0.1
  if (
    /^\/(ARCHITECTURE|api-reference|GLOSSARY|comparison|import-from-polis|moving-from-polis|entra-gallery|library)\b/.test(
      id,
    )
  )
    return 0.3
  return depth === 0 ? 1.5 : 1
}

export const miniSearch = {
  options: { processTerm },
  searchOptions: { fuzzy, prefix: true, boost: { title: 4, titles: 2, text: 1 }, boostDocument },
}

/** Questions, each with the page that answers it. */
const questions = {
  'why did a user not arrive': 'troubleshooting',
  'user missing': 'troubleshooting',
  'install rollcall-client': 'client#install',
  'typescript module resolution': 'client#modules-and-typescript',
  'exactly once': 'process-events',
  'map a group to a role': 'roles',
  'list users': 'directory-sync-api',
  'rotate the scim secret': 'rotate-secrets',
  'test my handler': 'testing',
  'how do I back up': 'backup',
  'restore a backup': 'backup',
  'GDPR delete person': 'privacy',
  docker: 'deployment#docker',
  DSYNC_WEBHOOK_TIMEOUT: 'configuration',
  'what is a hold': 'holds',
  'link existing accounts': 'adopt-accounts',
  'duplicate accounts after the first sync': 'adopt-accounts',
  'pause delivery': 'delivery',
} as const

/**
 * The questions whose page is not the first result, each with that result.
 *
 * @param index the index that the build has written
 */
export function badAnswers(index: string): string[] {
  const { options, searchOptions } = miniSearch
  const fields = { fields: ['title', 'titles', 'text'], storeFields: ['title', 'titles'] }
  const search = MiniSearch.loadJSON(index, { ...fields, searchOptions, ...options })
  return Object.entries(questions).flatMap(([question, page]) => {
    const found = String(search.search(question)[0]?.id)
    return found === `/${page}` || found.startsWith(`/${page}#`) ? [] : [`${question}: ${found} instead of ${page}`]
  })
}
