/** Renders the Markdown that our own documents use: headings, paragraphs, lists, tables and code. */
import { html } from 'ghtml'
import { type CodeLanguage, highlight } from './highlight.ts'

/** A heading of the document; its id is an HTML anchor. */
export type Heading = { readonly level: number; readonly id: string; readonly title: string }

/** The HTML of a document, and its headings in order. */
export type RenderedMarkdown = { readonly markup: string; readonly headings: readonly Heading[] }

const LANGUAGES: Readonly<Record<string, CodeLanguage>> = { sh: 'shell', ts: 'typescript', json: 'json' }
/** Blocks are separated by empty lines, except inside code fences. */
const BLOCKS = /^```(\w*)\n(.*?)^```$|(?:^(?!```)[^\n]+\n?)+/gms
const LIST_ITEM = /^(?:[-*]|\d+\.) /

/** Renders a document. */
export function renderMarkdown(text: string): RenderedMarkdown {
  const headings: Heading[] = []
  const withoutComments = text.replaceAll(/^<!--.*?-->$/gms, '')
  const parts = [...withoutComments.matchAll(BLOCKS)].map(([block, language, code]) =>
    code === undefined ? blockOf(block.trimEnd(), headings) : codeOf(code.trimEnd(), LANGUAGES[language ?? '']),
  )
  return { markup: parts.join('\n'), headings }
}

function blockOf(block: string, headings: Heading[]): string {
  const [, marks, title] = /^(#{1,4}) (.+)$/.exec(block) ?? []
  if (marks !== undefined && title !== undefined) {
    const heading = { level: marks.length, id: idOf(title), title }
    headings.push(heading)
    return headingOf(heading)
  }
  if (block.startsWith('|')) {
    return tableOf(block.split('\n'))
  }
  return LIST_ITEM.test(block) ? listOf(block) : `<p>${inline(block)}</p>`
}

function headingOf({ level, id, title }: Heading): string {
  return `<h${level} id="${id}"><a href="#${id}">${inline(title)}</a></h${level}>`
}

function codeOf(code: string, language: CodeLanguage | undefined): string {
  return html`<pre><code>!${language === undefined ? html`${code}` : highlight(code, language)}</code></pre>`
}

function listOf(block: string): string {
  const items = block.split(/\n(?=(?:[-*]|\d+\.) )/).map((item) => item.replace(LIST_ITEM, ''))
  const tag = /^\d/.test(block) ? 'ol' : 'ul'
  return `<${tag}>${items.map((item) => `<li>${inline(item)}</li>`).join('')}</${tag}>`
}

/** Narrow windows show each row as a card, so each cell repeats the heading of its column. */
function tableOf([first = '', _line, ...rest]: readonly string[]): string {
  const headings = cellsOf(first)
  const rows = rest.map((row) =>
    cellsOf(row).map(
      (cell, index) => html`<td data-column="${headings[index]?.replaceAll('`', '')}">!${inline(cell)}</td>`,
    ),
  )
  const heads = headings.map((heading) => `<th scope="col">${inline(heading)}</th>`)
  const body = rows.map((cells) => `<tr>${cells.join('')}</tr>`).join('\n')
  return `<div class="table"><table class="rows"><thead><tr>${heads.join('')}</tr></thead><tbody>${body}</tbody></table></div>`
}

function cellsOf(row: string): readonly string[] {
  const [, ...cells] = row
    .trim()
    .replace(/\|$/, '')
    .split(/(?<!\\)\|/)
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Text in back quotes is code; no other markup applies there. */
function inline(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 0 ? spoken(part) : `<code>${breakable(part)}</code>`))
    .join('')
}

/** Allows line breaks in codes and paths; copied text has none. */
function breakable(code: string): string {
  return html`${code}`.replaceAll(/[_/]|\.(?=[a-z])/g, '$&<wbr>')
}

function spoken(text: string): string {
  return (
    html`${text}`
      .replaceAll(/\*\*(.+?)\*\*/gs, '<strong>$1</strong>')
      .replaceAll(/&#60;(https?:\/\/[^\s&]+)&#62;/g, '<a href="$1">$1</a>')
      .replaceAll(/\[([^\]]+)\]\((https?:[^)\s]+|#[^)\s]+)\)/g, '<a href="$2">$1</a>')
      // Other files of the docs folder are not served.
      .replaceAll(/\[([^\]]+)\]\([^)\s]+\)/g, '$1')
  )
}

function idOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-')
}
