import { readdir, readFile } from 'node:fs/promises'

/**
 * The anchor that GitHub gives to a heading, because the pages are read there as well. A second heading with the same
 * name gets `-1`.
 */
export function githubSlug(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}

/** Reads the pages of a built site by their path, without the ending. */
export async function readSite(folder: URL): Promise<Map<string, string>> {
  const names = await readdir(folder, { recursive: true })
  const pages = names.filter((name) => name.endsWith('.html'))
  return new Map(
    await Promise.all(
      pages.map(async (name) => {
        const path = `/${name.replaceAll('\\', '/').replace(/(^|\/)index\.html$|\.html$/, '$1')}`
        return [path, await readFile(new URL(name, folder), 'utf8')] as const
      }),
    ),
  )
}

/** The links to headings that do not exist, as `page: link`. Links to pages are checked by the build itself. */
export function deadAnchors(site: ReadonlyMap<string, string>): string[] {
  const idsOf = new Map([...site].map(([path, html]) => [path, valuesOf('id', html)]))
  return [...site].flatMap(([path, html]) =>
    [...valuesOf('href', html)].filter((link) => isDead(link, path, idsOf)).map((link) => `${path}: ${link}`),
  )
}

function isDead(link: string, from: string, idsOf: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const { origin, pathname, hash } = new URL(link, new URL(from, 'site://docs'))
  const ids = origin === 'null' && hash !== '' ? idsOf.get(pathname.replace(/\.html$/, '')) : undefined
  return ids !== undefined && !ids.has(decodeURIComponent(hash.slice(1)))
}

function valuesOf(attribute: 'id' | 'href', html: string): Set<string> {
  const found = html.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))
  return new Set([...found].map(([, value = '']) => value.replaceAll('&amp;', '&')))
}
