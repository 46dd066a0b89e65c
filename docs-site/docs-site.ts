/** Puts the documentation of one gateway together: its pages, its files, and its search. */
import { html } from 'ghtml'
import type { DocsSettings } from './docs-settings.ts'
import { errorCataloguePage } from './errors/error-catalogue-page.ts'
import { GUIDE_GROUPS } from './guides/guide-list.ts'
import { type Guide, readGuides, renderDocument } from './guides/read-guides.ts'
import { homePage } from './home-page.ts'
import { frame, type NavigationPart, navigation, type PageContent } from './layout/page-layout.ts'
import { llmsText } from './llms-text.ts'
import type { RenderedMarkdown } from './markdown/render-markdown.ts'
import { type OperationGroup, operationGroups } from './operation-groups.ts'
import { postmanCollection } from './postman/postman-collection.ts'
import { groupPage, referenceIndex } from './reference/reference-pages.ts'
import {
  buildSearchIndex,
  errorDocuments,
  guideDocuments,
  operationDocuments,
  type SearchIndex,
  searchPage,
} from './search/search-documents.ts'

/** The documentation of a gateway. */
export type DocsSite = {
  /** The HTML of a page; undefined if there is none. */
  page(path: string): string | undefined
  searchPage(query: string): Promise<string>
  notFoundPage(): string
  /** The Markdown of a guide; undefined if there is none. */
  markdown(path: string): string | undefined
  /** For browsers. */
  searchIndex(): Promise<string>
  llmsText(): string
  postmanCollection(): string
  readonly paths: readonly string[]
}

type Source = {
  readonly place: DocsSettings
  readonly guides: readonly Guide[]
  readonly groups: readonly OperationGroup[]
  readonly documents: readonly { readonly path: string; readonly title: string; readonly rendered: RenderedMarkdown }[]
}

/** Reads the documents; pages are rendered when they are first asked for. */
export async function openDocsSite(place: DocsSettings): Promise<DocsSite> {
  const sandbox = place.mode === 'sandbox' ? [{ path: '/docs/sandbox', title: 'Sandbox', file: 'sandbox.md' }] : []
  const others = [
    ...sandbox,
    { path: '/docs/command-line', title: 'Command line', file: 'command-line.md' },
    { path: '/docs/changelog', title: 'Changelog', file: '../CHANGELOG.md' },
  ]
  const [guides, documents] = await Promise.all([
    readGuides(place),
    Promise.all(others.map(async (one) => ({ ...one, rendered: (await renderDocument(one.file, place)).rendered }))),
  ])
  const source: Source = { place, guides, groups: operationGroups(place), documents }
  const contents = pageContents(source)
  const pages = new Map<string, string>()
  const layOut = (content: PageContent, path: string, query?: string) =>
    frame({
      ...content,
      title: path === '/docs' ? content.title : `${content.title} – Havn`,
      navigation: navigation(navigationParts(source), source.groups, path),
      ...(query === undefined ? {} : { query }),
    })
  let searchIndex: Promise<SearchIndex> | undefined
  const index = async () => {
    searchIndex ??= buildSearchIndex(searchDocuments(source))
    return await searchIndex
  }
  return {
    page: (path) => {
      const content = contents.get(path)
      if (content !== undefined && !pages.has(path)) {
        pages.set(path, layOut(content(), path))
      }
      return pages.get(path)
    },
    searchPage: async (query) => layOut(searchPage(query, (await index()).search(query)), '/docs/search', query),
    notFoundPage: () => layOut(NOT_FOUND, ''),
    markdown: (path) => guides.find((guide) => `${guide.path}.md` === path)?.text,
    searchIndex: async () => (await index()).json,
    llmsText: () => llmsText(place, guides, source.groups),
    postmanCollection: () => postmanCollection(place, source.groups),
    paths: [...contents.keys()],
  }
}

const NOT_FOUND: PageContent = {
  title: 'Page not found',
  description: 'There is no such page.',
  main: '<h1>Page not found</h1><p class="lead">There is no page at this address. Search for it above, or start at the <a href="/docs">overview</a>.</p>',
}

function pageContents({ place, guides, groups, documents }: Source): ReadonlyMap<string, () => PageContent> {
  const served = groups.flatMap(({ operations }) => operations)
  return new Map<string, () => PageContent>([
    ['/docs', () => homePage(place, guides, groups)],
    ...guides.map((guide) => [guide.path, () => documentPage(guide)] as const),
    ['/docs/reference', () => referenceIndex(place)],
    ...groups.map((group) => [group.path, () => groupPage(group, place, guides)] as const),
    ['/docs/errors', () => errorCataloguePage(served)],
    ...documents.map((one) => [one.path, () => documentPage({ ...one, description: one.title })] as const),
  ])
}

function documentPage({
  title,
  description,
  rendered,
}: Pick<Guide, 'title' | 'description' | 'rendered'>): PageContent {
  const chapters = rendered.headings.filter(({ level }) => level === 2)
  const links = chapters.map(({ id, title: text }) => html`<li><a href="#${id}">${text}</a></li>`)
  const contents =
    links.length < 3
      ? ''
      : `<nav class="on-this-page" aria-label="On this page"><p>On this page</p><ul>${links.join('')}</ul></nav>`
  return {
    title,
    description,
    main: `<article class="document">${rendered.markup.replace('</h1>\n', (end) => `${end}${contents}`)}</article>`,
  }
}

function navigationParts({ guides, documents }: Source): readonly NavigationPart[] {
  const byGroup = GUIDE_GROUPS.map(({ title, guides: entries }) => ({
    title,
    links: guides.filter(({ slug }) => entries.some((entry) => entry.slug === slug)),
  }))
  const lookUp = [
    { path: '/docs/errors', title: 'Errors' },
    ...documents,
    { path: '/docs/reference', title: 'All operations' },
  ]
  return [...byGroup, { title: 'Look up', links: lookUp }]
}

function searchDocuments({ guides, groups, documents }: Source) {
  const served = groups.flatMap(({ operations }) => operations)
  const unversioned = documents.filter(({ path }) => path !== '/docs/changelog')
  return [...guides, ...unversioned].flatMap(guideDocuments).concat(operationDocuments(served), errorDocuments())
}
