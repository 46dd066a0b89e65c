/** Highlights code: escaped HTML with spans for keys, strings, literals and comments. */
import { html } from 'ghtml'

export type CodeLanguage = 'json' | 'shell' | 'typescript'

/** The token type by pattern group; the names are CSS classes. */
const KINDS = ['key', 'text', 'literal', 'remark', 'word'] as const

const PATTERNS: Readonly<Record<CodeLanguage, RegExp>> = {
  json: /("(?:[^"\\]|\\.)*"(?=\s*:))|("(?:[^"\\]|\\.)*")|(\btrue\b|\bfalse\b|\bnull\b|-?\b\d[\d.]*\b)|($.)|($.)/g,
  shell: /($.)|('[^']*'|"(?:[^"\\]|\\.)*")|($.)|(^#.*$)|(\bcurl\b|(?<=\s)-{1,2}[a-zA-Z-]+)/gm,
  typescript:
    /(\b[a-zA-Z_]\w*(?=:))|('(?:[^'\\]|\\.)*')|(\btrue\b|\bfalse\b|\bnull\b|\b\d[\d.]*\b)|(\/\/.*$)|(\bconst\b|\bawait\b)/gm,
}

/** The code as HTML for a `pre` element. */
export function highlight(code: string, language: CodeLanguage): string {
  const parts: string[] = []
  let end = 0
  for (const match of code.matchAll(PATTERNS[language])) {
    const kind = KINDS[match.slice(1).findIndex((group) => group !== undefined)] ?? 'text'
    const [token] = match
    // The body of a curl command is JSON inside a shell string.
    const within = token.startsWith("'{") ? `'${highlight(token.slice(1, -1), 'json')}'` : undefined
    parts.push(html`${code.slice(end, match.index)}!${within ?? html`<span class="${kind}">${token}</span>`}`)
    end = match.index + token.length
  }
  return [...parts, html`${code.slice(end)}`].join('')
}
