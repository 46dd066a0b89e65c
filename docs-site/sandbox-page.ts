/** Renders docs/sandbox.md as a page with the URLs of this sandbox. */
import { html } from 'ghtml'
import type { DocsSettings } from './guides/guide.ts'
import { frame } from './page-layout.ts'
import { renderMarkdown } from './render-markdown.ts'

/** The URLs in the document, which are replaced. */
const DOCUMENTED = {
  gateway: 'http://127.0.0.1:8080',
  pages: 'http://127.0.0.1:8081',
  xs2a: 'http://127.0.0.1:8083',
}

/** The HTML page. */
export function sandboxPage(document: string, { baseUrl, sandboxBankUrl, sandboxXs2aUrl }: DocsSettings): string {
  const { markup, headings } = renderMarkdown(
    document
      .replaceAll(DOCUMENTED.gateway, baseUrl)
      .replaceAll(DOCUMENTED.pages, sandboxBankUrl ?? DOCUMENTED.pages)
      .replaceAll(DOCUMENTED.xs2a, sandboxXs2aUrl ?? DOCUMENTED.xs2a),
  )
  const chapters = headings.filter(({ level }) => level === 2)
  const links = chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  return frame({
    title: 'Havn sandbox',
    description: 'How to simulate every outcome at the sandbox banks.',
    contents: html`<p><a href="/docs">All operations</a></p><p>Sandbox</p><ul>!${links.join('')}</ul>`,
    main: html`<article class="document">!${markup}</article>`,
  })
}
