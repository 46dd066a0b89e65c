/** Reads the guides and renders them for one gateway. */
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { ERROR_CATALOGUE } from '../../contract/errors/error-catalogue.ts'
import type { Operation } from '../../contract/operation.ts'
import { operations } from '../../contract/operations.ts'
import type { DocsSettings } from '../docs-settings.ts'
import { type LinkRules, type RenderedMarkdown, renderMarkdown } from '../markdown/render-markdown.ts'
import { operationPath } from '../operation-groups.ts'
import { adaptDocument } from './adapt-document.ts'
import { GUIDES, type GuideEntry, guidePath } from './guide-list.ts'

const DOCUMENTS = new URL('../../docs/', import.meta.url)

/** A guide with its text for this gateway. */
export type Guide = GuideEntry & {
  readonly path: string
  readonly title: string
  /** Its first sentence. */
  readonly description: string
  /** The Markdown with the URLs of this gateway. */
  readonly text: string
  readonly rendered: RenderedMarkdown
}

/** All guides in reading order. */
export async function readGuides(place: DocsSettings): Promise<readonly Guide[]> {
  return await Promise.all(GUIDES.map((entry) => readGuide(entry, place)))
}

async function readGuide(entry: GuideEntry, place: DocsSettings): Promise<Guide> {
  const { text, rendered } = await renderDocument(entry.file, place)
  const title = rendered.headings[0]?.title ?? entry.slug
  const { text: opening = '' } = rendered.passages[1] ?? {}
  const description = /^.*?\.(?= |$)/.exec(opening.trim())?.[0] ?? title
  return { ...entry, path: guidePath(entry), title, description, text, rendered }
}

export async function renderDocument(
  file: string,
  place: DocsSettings,
): Promise<{ readonly text: string; readonly rendered: RenderedMarkdown }> {
  const text = adaptDocument(await readFile(new URL(file, DOCUMENTS), 'utf8'), place)
  const rules = documentLinks(file, place)
  return { text: withServedLinks(text, rules), rendered: renderMarkdown(text, rules) }
}

/** A link of the Markdown outside fenced code, or such code. */
const LINK = /(^```.*?^```$)|\[([^[\]]*)\]\(([^()\s]+)\)/gms

/** Links lead where those of the page lead, to the Markdown of other guides; what is not served is plain text. */
function withServedLinks(text: string, { linkOf }: LinkRules): string {
  return text.replaceAll(LINK, (all, code: string | undefined, label: string, href: string) => {
    if (code !== undefined) {
      return all
    }
    const link = linkOf(href)
    return link === undefined ? label : `[${label}](${link.replace(/^\/docs\/guides\/[\w-]+/, '$&.md')})`
  })
}

/** Documents that are not guides, by their file below docs/. */
const OTHER_DOCUMENTS: Readonly<Record<string, string>> = {
  'sandbox.md': '/docs/sandbox',
  'command-line.md': '/docs/command-line',
  'errors.md': '/docs/errors',
  'openapi.json': '/docs/reference',
  '../CHANGELOG.md': '/docs/changelog',
}

/** The rules for a document, which is named by its file below docs/. */
function documentLinks(file: string, { mode }: Pick<DocsSettings, 'mode'>): LinkRules {
  const served: readonly Operation[] = Object.values(operations)
  const byId = new Map(
    served.filter(({ sandboxOnly }) => mode === 'sandbox' || !sandboxOnly).map((entry) => [entry.id, entry]),
  )
  return {
    linkOf: (href) => (/^(https?:|#|\/)/.test(href) ? href : linkOfDocument(file, href, mode)),
    linkOfCode: (code) => {
      const found = byId.get(code)
      return found !== undefined ? operationPath(found) : code in ERROR_CATALOGUE ? `/docs/errors#${code}` : undefined
    },
  }
}

function linkOfDocument(file: string, href: string, mode: DocsSettings['mode']): string | undefined {
  const [target = '', anchor] = href.split('#')
  const path = posix.join(posix.dirname(file), target)
  const entry = GUIDES.find((one) => one.file === path)
  const page = entry === undefined ? OTHER_DOCUMENTS[path] : guidePath(entry)
  const isServed = page !== undefined && (mode === 'sandbox' || page !== '/docs/sandbox')
  return isServed ? `${page}${anchor === undefined ? '' : `#${anchor}`}` : undefined
}
