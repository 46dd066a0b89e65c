/** Renders Markdown with markdown-it: without raw HTML, with anchors at headings and tables that fit on phones. */
import { html } from 'ghtml'
import MarkdownIt, { type RendererRule, type Token } from 'markdown-it'
import { codeBlock } from './highlight-code.ts'

/** A heading of the document; its id is an HTML anchor. */
export type Heading = { readonly level: number; readonly id: string; readonly title: string }

/** The HTML of a document, its headings in order, and the text below each of them, for the search. */
export type RenderedMarkdown = {
  readonly markup: string
  readonly headings: readonly Heading[]
  readonly passages: readonly { readonly heading: Heading | undefined; readonly text: string }[]
}

/** Where links lead. */
export type LinkRules = {
  /** The URL of a link of the document; undefined where its target is not served: then it is plain text. */
  readonly linkOf: (href: string) => string | undefined
  /** The URL that an identifier in back quotes leads to, for example that of an operation. */
  readonly linkOfCode: (code: string) => string | undefined
}

/** Renders a document. HTML comments are left out; other HTML is shown as text. */
export function renderMarkdown(text: string, rules: LinkRules): RenderedMarkdown {
  const markdown = new MarkdownIt({ html: false })
  // A bare URL is a link in our documents only where it is written as one.
  markdown.validateLink = (url) => /^(https?:|#|\/|[\w.][\w./-]*(#.*)?$)/.test(url) && !/^\w+:(?!\/\/)/.test(url)
  const tokens = markdown.parse(withoutComments(text), {})
  const headings = addAnchors(tokens)
  labelCells(tokens)
  resolveLinks(tokens, rules)
  Object.assign(markdown.renderer.rules, RENDERER_RULES, codeRule(rules))
  return {
    markup: markdown.renderer.render(tokens, markdown.options, {}),
    headings,
    passages: passagesOf(tokens, headings),
  }
}

/** Not inside code. */
function withoutComments(text: string): string {
  return text.replaceAll(/(^```.*?^```$)|^<!--.*?-->\n?/gms, (_, code: string | undefined) => code ?? '')
}

/** Those that a repository's web page has: equal headings are numbered from the second one. */
function addAnchors(tokens: readonly Token[]): readonly Heading[] {
  const headings: Heading[] = []
  const counts = new Map<string, number>()
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const title = textOf(tokens[index + 1])
      const anchor = anchorOf(title)
      const count = counts.get(anchor) ?? 0
      counts.set(anchor, count + 1)
      const heading = { level: Number(token.tag.slice(1)), id: count === 0 ? anchor : `${anchor}-${count}`, title }
      headings.push(heading)
      token.attrSet('id', heading.id)
    }
  }
  return headings
}

/** Narrow windows show each row as a card, so each cell repeats the heading of its column. */
function labelCells(tokens: readonly Token[]): void {
  let columns: string[] = []
  let column = 0
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'thead_open') {
      columns = []
    } else if (token.type === 'tr_open') {
      column = 0
    } else if (token.type === 'th_open') {
      token.attrs = [['scope', 'col']]
      columns.push(textOf(tokens[index + 1]))
    } else if (token.type === 'td_open') {
      token.attrs = [['data-column', columns[column] ?? '']]
      column += 1
    }
  }
}

function resolveLinks(tokens: readonly Token[], { linkOf }: LinkRules): void {
  for (const { children } of tokens) {
    let unserved = 0
    for (const token of children ?? []) {
      if (token.type === 'link_open') {
        const link = linkOf(String(token.attrGet('href') ?? ''))
        token.hidden = link === undefined
        unserved += link === undefined ? 1 : 0
        token.attrSet('href', link ?? '')
      } else if (token.type === 'link_close' && unserved > 0) {
        token.hidden = true
        unserved -= 1
      }
    }
  }
}

const hideable: RendererRule = (tokens, index, options, _environment, renderer) =>
  tokens[index]?.hidden === true ? '' : renderer.renderToken([...tokens], index, options)

const RENDERER_RULES: Readonly<Record<string, RendererRule>> = {
  fence: (tokens, index) => {
    const { content = '', info = '' } = tokens[index] ?? {}
    return `${codeBlock(content.trimEnd(), info.trim() === '' ? undefined : info.trim())}\n`
  },
  table_open: () => '<div class="table" role="region" tabindex="0" aria-label="Table"><table class="rows">\n',
  table_close: () => '</table></div>\n',
  link_open: hideable,
  link_close: hideable,
}

function codeRule({ linkOfCode }: LinkRules): Readonly<Record<string, RendererRule>> {
  return {
    code_inline: (tokens, index) => {
      const { content = '' } = tokens[index] ?? {}
      const isInLink = tokens.slice(0, index).findLast(({ type }) => type.startsWith('link_'))?.type === 'link_open'
      const link = isInLink ? undefined : linkOfCode(content)
      const code = `<code>${breakable(content)}</code>`
      return link === undefined ? code : html`<a href="${link}">!${code}</a>`
    },
  }
}

/** Allows line breaks in codes and paths, not before the ending of a file; copied text has none. */
function breakable(code: string): string {
  return html`${code}`.replaceAll(/[_/]|\.(?=[a-z])(?!(?:ts|md|json)\b)|(?<=[a-z])(?=[A-Z])/g, '$&<wbr>')
}

function passagesOf(tokens: readonly Token[], headings: readonly Heading[]): RenderedMarkdown['passages'] {
  const following = headings.values()
  let passage: { readonly heading: Heading | undefined; text: string } = { heading: undefined, text: '' }
  const passages = [passage]
  for (const [index, token] of tokens.entries()) {
    if (tokens[index - 1]?.type === 'heading_open') {
      passage = { heading: following.next().value, text: '' }
      passages.push(passage)
    } else if (token.type === 'inline') {
      passage.text += `${textOf(token)} `
    }
  }
  return passages
}

/** The text of a token without markup. */
function textOf(token: Token | undefined): string {
  const parts = (token?.children ?? []).map(({ type, content }) => (type.endsWith('break') ? ' ' : content))
  return parts.join('')
}

export function anchorOf(title: string): string {
  return title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, '')
    .replaceAll(' ', '-')
}
