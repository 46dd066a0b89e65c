/** Reads the guides and renders them for one gateway. */
import { readFile } from 'node:fs/promises'
import type { DocsSettings } from '../docs-settings.ts'
import { type RenderedMarkdown, renderMarkdown } from '../markdown/render-markdown.ts'
import { adaptDocument } from './adapt-document.ts'
import { documentLinks } from './document-links.ts'
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

/** A document of docs/ for this gateway. */
export async function renderDocument(
  file: string,
  place: DocsSettings,
): Promise<{ readonly text: string; readonly rendered: RenderedMarkdown }> {
  const text = adaptDocument(await readFile(new URL(file, DOCUMENTS), 'utf8'), place)
  return { text, rendered: renderMarkdown(text, documentLinks(file, place)) }
}
