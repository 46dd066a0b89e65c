/** Shows the document on the sandbox as a page, at the addresses that this sandbox has. */
import { html } from 'ghtml'
import type { Place } from './guides/guide.ts'
import { frame } from './page-layout.ts'
import { printMarkdown } from './render-markdown.ts'

/** As the document names them. */
const DOCUMENTED = {
  gateway: 'http://127.0.0.1:8080',
  pages: 'http://127.0.0.1:8081',
  xs2a: 'http://127.0.0.1:8083',
}

/** The page. */
export function sandboxPage(document: string, { baseUrl, sandboxBankUrl, sandboxXs2aUrl }: Place): string {
  const { markup, headings } = printMarkdown(
    document
      .replaceAll(DOCUMENTED.gateway, baseUrl)
      .replaceAll(DOCUMENTED.pages, sandboxBankUrl ?? DOCUMENTED.pages)
      .replaceAll(DOCUMENTED.xs2a, sandboxXs2aUrl ?? DOCUMENTED.xs2a),
  )
  const chapters = headings.filter(({ level }) => level === 2)
  const links = chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)
  return frame({
    title: 'Havn: the sandbox',
    description: 'How to make the sandbox’s banks do what you want to see.',
    contents: html`<p><a href="/docs">All operations</a></p><p>The sandbox</p><ul>!${links.join('')}</ul>`,
    main: html`<article class="document">!${markup}</article>`,
  })
}
